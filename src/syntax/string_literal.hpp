// The value of one string literal as written.
#pragma once

#include <string>

#include "src/source/diagnostic.hpp"
#include "src/syntax/ast.hpp"

namespace jitc::syntax {

struct StringPart {
  std::string value;  ///< UTF-8; the bytes of a bytes literal are U+0000 to U+00FF
  bool bytes = false;
};

/// The string of `span`, a kString token. Faulty escapes are reported and stand for nothing.
StringPart read_string_part(const source::SourceFile& file, Span span, source::DiagnosticSink& sink);

}  // namespace jitc::syntax
