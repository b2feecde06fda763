// The tokens of a file, one a line. Sample:
//
//   1:1   'def'
//   1:5   Name     axpy
//   1:20  Newline
#include "src/source/visible.hpp"
#include "src/syntax/lexer.hpp"
#include "src/syntax/parser.hpp"

namespace jitc::syntax {

namespace {

bool has_text_of_interest(TokenKind kind) { return spelling(kind).empty() && kind >= TokenKind::kInvalid; }

}  // namespace

std::string print_tokens(const source::SourceFile& file, source::DiagnosticSink& sink) {
  Lexer lexer(file, {0, static_cast<uint32_t>(file.text().size())}, Lexer::Layout::kLines, &sink);
  std::string out;
  for (Token token = lexer.next();; token = lexer.next()) {
    const source::LineColumn at = file.position(token.span.begin);
    const std::string where = fmt::format("{}:{}", at.line, at.column);
    std::string line = fmt::format("{:<8}{}", where, kind_name(token.kind));
    if (has_text_of_interest(token.kind)) line = fmt::format("{:<20} {}", line, source::visible(file.text(token.span)));
    out += line + "\n";
    if (token.kind == TokenKind::kEnd || sink.full()) return out;
  }
}

}  // namespace jitc::syntax
