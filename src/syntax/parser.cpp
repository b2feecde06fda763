#include "src/syntax/parser.hpp"

#include "src/source/utf8.hpp"
#include "src/syntax/parser_impl.hpp"

namespace jitc::syntax {

using source::DiagId;

namespace {

/// What makes a text unreadable as a whole, each said once: the lexer passes over it in silence.
void check_encoding(const source::SourceFile& file, source::DiagnosticSink& sink) {
  const std::string_view text = file.text();
  if (const size_t at = source::find_invalid_utf8(text); at != std::string_view::npos) {
    const auto begin = static_cast<uint32_t>(at);
    sink.report(DiagId::kInvalidUtf8, {begin, begin + 1}, static_cast<unsigned char>(text[at]))
        .help("save the file as UTF-8");
  }
  if (const size_t at = text.find('\0'); at != std::string_view::npos) {
    const auto begin = static_cast<uint32_t>(at);
    sink.report(DiagId::kControlCharacter, {begin, begin + 1}, "U+0000");
  }
}

}  // namespace

Ast parse(const source::SourceFile& file, source::DiagnosticSink& sink, const ParseLimits& limits) {
  Ast ast;
  if (file.text().size() > limits.max_source_bytes) {
    sink.report(DiagId::kSourceTooLarge, {0, 0}, file.text().size(), limits.max_source_bytes);
    return ast;
  }
  check_encoding(file, sink);
  const Span whole{0, static_cast<uint32_t>(file.text().size())};
  Block top_level = Parser(file, whole, Lexer::Layout::kLines, ast, sink, limits).parse_file();
  ast.top_level = std::move(top_level);
  sink.sort_by_position();
  return ast;
}

ExprId parse_expression(const source::SourceFile& file, source::Span span, Ast& ast, source::DiagnosticSink& sink,
                        const ParseLimits& limits) {
  return Parser(file, span, Lexer::Layout::kNone, ast, sink, limits).parse_lone_expression();
}

Block Parser::parse_file() {
  Block top_level;
  while (!at(TokenKind::kEnd)) parse_statements(top_level);
  return top_level;
}

ExprId Parser::parse_lone_expression() {
  const size_t errors_before = sink_.error_count();
  const ExprId expr = parse_expression_list();
  if (!at(TokenKind::kEnd)) fail(DiagId::kMissingOperator, token_.span, found());
  const bool broken = panicking_ || sink_.error_count() > errors_before;
  recover();
  return broken ? ExprId() : expr;
}

}  // namespace jitc::syntax
