// Types a text for tests.
#pragma once

#include <string>

#include "src/sema/sema.hpp"
#include "src/syntax/parser.hpp"

namespace jitc::tests {

struct Typed {
  source::SourceFile file;
  source::DiagnosticSink sink;
  syntax::Ast ast;
  sema::TypedModule module;

  explicit Typed(std::string text, sema::AnalyzeOptions options = {})
      : file("case.dsl", std::move(text)), ast(syntax::parse(file, sink)) {
    if (!sink.has_errors()) module = sema::analyze(file, ast, options, sink);
  }

  std::string messages() const { return source::render_all(file, sink.all()); }

  /// Types of all live ranges of a name in the first kernel, in text order: "float, f4".
  std::string types_of(const std::string& name) const {
    std::string out;
    for (const sema::Variable& v : module.kernels.at(0).variants.at(0)->vars) {
      if (v.name == name && !v.temporary) out += (out.empty() ? "" : ", ") + module.types->to_string(v.type);
    }
    return out;
  }
};

}  // namespace jitc::tests
