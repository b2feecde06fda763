// Tokens, faults and nodes: what all rules of the parser stand on.
#include "src/syntax/parser_impl.hpp"

namespace jitc::syntax {

Parser::Parser(const source::SourceFile& file, Span range, Lexer::Layout layout, Ast& ast, source::DiagnosticSink& sink,
               const ParseLimits& limits)
    : file_(file), ast_(ast), sink_(sink), limits_(limits), lexer_(file, range, layout, &sink) {
  prev_.span = {range.begin, range.begin};
  token_ = lexer_.next();
}

void Parser::advance() {
  if (panicking_) return;
  const bool layout = at(TokenKind::kNewline) || at(TokenKind::kIndent) || at(TokenKind::kDedent);
  if (!layout) prev_ = token_;
  token_ = lexer_.next();
}

bool Parser::accept(TokenKind kind) {
  if (!at(kind)) return false;
  advance();
  return true;
}

bool Parser::expect(TokenKind kind, std::string_view what) {
  if (accept(kind)) return true;
  fail(DiagId::kExpectedToken, token_.span, what, found());
  return false;
}

void Parser::expect_closing(TokenKind kind, Span open) {
  if (accept(kind)) return;
  if (at(TokenKind::kRParen) || at(TokenKind::kRBracket) || at(TokenKind::kRBrace)) {
    advance();  // the wrong bracket: the lexer has said so
    return;
  }
  if (at(TokenKind::kAssign)) {
    fail(DiagId::kAssignInExpression, token_.span).help("write '==' to compare");
    return;
  }
  fail(DiagId::kMissingComma, token_.span, spelling(kind), found()).label(open, "opened here");
}

/// Looks at the text, not at tokens: whether an '=' that is not '==' comes next after the current token.
bool Parser::next_is_assign() const {
  const std::string_view rest = file_.text().substr(token_.span.end);
  const size_t next = rest.find_first_not_of(" \t");
  return next != std::string_view::npos && rest[next] == '=' && !rest.substr(next).starts_with("==");
}

/// Looks at the text: whether an assignment's '=' comes later on this line. Each line is searched once.
bool Parser::line_assigns() {
  if (token_.span.end > assign_search_end_) {
    const std::string_view text = file_.text();
    assign_search_end_ = std::min(text.size(), text.find_first_of("\r\n", token_.span.end));
    last_assign_ = 0;
    for (size_t i = token_.span.end; i < assign_search_end_; ++i) {
      const bool alone = text[i] == '=' && !text.substr(i).starts_with("==") &&
                         std::string_view("=!<>").find(text[i - 1]) == std::string_view::npos;
      if (alone) last_assign_ = i;
    }
  }
  return last_assign_ >= token_.span.end;
}

std::string Parser::parse_name(std::string_view what) {
  if (is_keyword(token_.kind)) {
    report(DiagId::kKeywordAsName, token_.span, spelling(token_.kind));
  } else if (!at(TokenKind::kName)) {
    fail(DiagId::kExpectedToken, token_.span, what, found());
    return "";
  }
  std::string name(text(token_.span));
  advance();
  return name;
}

/// Puts an end of line in the place of the current token; what was there is skipped by recover().
void Parser::panic() {
  if (panicking_) return;
  panicking_ = true;
  skip_voice_ = Lexer::Voice::kUnclosedBrackets;
  skip_due_ = !at(TokenKind::kNewline) && !at(TokenKind::kEnd);
  if (skip_due_) token_ = {TokenKind::kNewline, {token_.span.begin, token_.span.begin}};
}

void Parser::skip_line(Lexer::Voice voice) {
  if (!skip_due_) return;
  skip_due_ = false;
  lexer_.set_voice(voice);
  do { token_ = lexer_.next(); } while (!at(TokenKind::kNewline) && !at(TokenKind::kEnd));
  lexer_.set_voice(Lexer::Voice::kAll);
}

/// Ends a panic: the current token is the real end of the broken line.
void Parser::recover() {
  skip_line(skip_voice_);
  lexer_.take_unclosed_report();
  panicking_ = false;
}

/// Skips an indented block, if one begins here, without reading it.
void Parser::skip_block() {
  if (!at(TokenKind::kIndent)) return;
  size_t depth = 0;
  lexer_.set_voice(Lexer::Voice::kNothing);
  do {
    depth += at(TokenKind::kIndent);
    depth -= at(TokenKind::kDedent);
    advance();
  } while (depth > 0 && !at(TokenKind::kEnd));
  lexer_.set_voice(Lexer::Voice::kAll);
}

/// At the limit: says so and reads no further. A partial tree remains.
bool Parser::at_node_limit() {
  if (ast_.exprs.size() + ast_.stmts.size() < limits_.max_nodes) return false;
  fail_limit(DiagId::kTooManyNodes, prev_.span, limits_.max_nodes);
  lexer_.stop();
  return true;
}

}  // namespace jitc::syntax
