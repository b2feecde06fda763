// Text to syntax tree: the one header that `syntax` offers besides the tree itself.
#pragma once

#include <optional>
#include <string>

#include "src/source/diagnostic.hpp"
#include "src/syntax/ast.hpp"

namespace jitc::syntax {

struct ParseLimits {
  size_t max_source_bytes = size_t{16} << 20;
  /// Brackets, blocks and prefix operators inside one another.
  uint32_t max_nesting = 256;
  /// Expr::height of any expression (a + b + c + … of one line).
  uint32_t max_expr_height = 512;
  /// Expressions and statements of one file: bounds memory and the work of every later stage.
  size_t max_nodes = size_t{1} << 20;
};

/// Parses a whole file. Faults are reported to `sink`; the parser goes on at the next statement, so that several are
/// found in one run, and always returns (a possibly partial tree).
Ast parse(const source::SourceFile& file, source::DiagnosticSink& sink, const ParseLimits& limits = {});

/// Parses `text` of [span.begin, span.end) in `file` (the inside of a string literal) as one expression, into `ast`:
/// how signature strings become trees with spans that point into the string. Returns an invalid id after a report.
ExprId parse_expression(const source::SourceFile& file, source::Span span, Ast& ast, source::DiagnosticSink& sink,
                        const ParseLimits& limits = {});

/// The range inside the quotes of a string literal: what parse_expression takes. Nothing when the literal has several
/// parts or an escape, so that its text is not its value.
std::optional<source::Span> string_body(const source::SourceFile& file, source::Span literal);

/// One line per token: `line:col  Kind  text` with Indent, Dedent and Newline shown (jitc inspect --tokens).
std::string print_tokens(const source::SourceFile& file, source::DiagnosticSink& sink);

/// The tree, one node a line, children indented (jitc inspect --ast).
std::string print_ast(const Ast& ast);
/// One expression in Python's own notation, fully parenthesised only where needed.
std::string print_expr(const Ast& ast, ExprId expr);

}  // namespace jitc::syntax
