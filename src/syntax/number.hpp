// The value of a number as written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "src/source/diagnostic.hpp"
#include "src/syntax/ast.hpp"

namespace jitc::syntax {

using NumberValue = std::variant<IntLit, FloatLit, ImagLit>;

/// The number of `span`, a kNumber token. What is wrong with it is reported, and 0 stands for it.
NumberValue read_number(const source::SourceFile& file, Span span, source::DiagnosticSink& sink);

}  // namespace jitc::syntax
