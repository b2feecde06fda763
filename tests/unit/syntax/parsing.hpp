// Short forms for the tests of the parser.
#pragma once

#include <string>

#include "src/syntax/parser.hpp"

namespace jitc::syntax {

/// The tree, or the rendered diagnostics when there are any.
inline std::string tree_of(const std::string& text) {
  const source::SourceFile file("t.dsl", text);
  source::DiagnosticSink sink;
  const Ast ast = parse(file, sink);
  return sink.all().empty() ? print_ast(ast) : source::render_all(file, sink.all());
}

/// "101@2:5+1 118@3:1+0": code, line, column and length of each diagnostic; empty when there are none.
inline std::string faults_of(const std::string& text, const ParseLimits& limits = {}, size_t max_errors = 50) {
  const source::SourceFile file("t.dsl", text);
  source::DiagnosticSink sink(max_errors);
  parse(file, sink, limits);
  std::string out;
  for (const source::Diagnostic& diagnostic : sink.all()) {
    const source::LineColumn begin = file.position(diagnostic.span.begin);
    const uint32_t columns = file.position(diagnostic.span.end).column - begin.column;
    out += fmt::format("{}{}@{}:{}+{}", out.empty() ? "" : " ", info(diagnostic.id).code, begin.line, begin.column,
                       columns);
  }
  return out;
}

}  // namespace jitc::syntax
