// What Python has and jitc has not: recognised, refused by name with what to do instead, and passed over as a whole.
#include "src/syntax/parser_impl.hpp"

namespace jitc::syntax {

/// At the beginning of a statement that is not supported: refuses and skips it with its blocks.
bool Parser::refuse_statement() {
  const Span span = token_.span;
  switch (token_.kind) {
    case TokenKind::kTry: fail(DiagId::kNoTry, span).help("test for the fault before it happens, with 'if'"); break;
    case TokenKind::kWith: fail(DiagId::kNoWith, span).help("call the functions it stands for directly"); break;
    case TokenKind::kClass: fail(DiagId::kNoClass, span).help("write functions, and pass values as parameters"); break;
    case TokenKind::kAsync:
      fail(DiagId::kNoAsync, span, spelling(token_.kind)).help("write a plain 'def', 'for' or 'if'");
      break;
    case TokenKind::kGlobal:
    case TokenKind::kNonlocal:
      fail(DiagId::kNoScopeStatement, span, spelling(token_.kind))
          .help("pass the value as a parameter and return the new one");
      break;
    default:
      if (!at_match_statement()) return false;
      fail(DiagId::kNoMatch, span).help("write 'if' and 'elif'");
  }
  skip_compound_statement();
  return true;
}

/// "match" is an ordinary name unless its line ends in ':' and a block with "case" follows.
bool Parser::at_match_statement() const {
  if (!at(TokenKind::kName) || text(token_.span) != "match") return false;
  Lexer ahead = lexer_;
  ahead.set_voice(Lexer::Voice::kNothing);
  Token last;
  Token token = ahead.next();
  for (; token.kind != TokenKind::kNewline && token.kind != TokenKind::kEnd; token = ahead.next()) last = token;
  if (last.kind != TokenKind::kColon || ahead.next().kind != TokenKind::kIndent) return false;
  return text(ahead.next().span) == "case";
}

/// Skips the refused line, its block, and the clauses of the same statement that follow.
void Parser::skip_compound_statement() {
  const auto at_clause = [&] {
    return at(TokenKind::kElif) || at(TokenKind::kExcept) || at(TokenKind::kFinally) || at(TokenKind::kElse);
  };
  do {
    panic();
    skip_line(Lexer::Voice::kUnclosedBrackets);
    recover();
    accept(TokenKind::kNewline);
    skip_block();
  } while (at_clause());
}

/// At the "for" of a comprehension.
bool Parser::refuse_comprehension(std::string_view what) {
  if (!at(TokenKind::kFor) && !at(TokenKind::kAsync)) return false;
  fail(DiagId::kNoComprehension, token_.span, what).help("write a 'for' loop that fills an array");
  return true;
}

ExprId Parser::refuse_braces(Span open, std::string_view what) {
  fail(DiagId::kNoDictOrSet, open, what).help("use a tuple, or one variable for each value");
  return ExprId();
}

/// A star before a value is refused and the value is read as if the star were not there.
void Parser::refuse_star(std::string_view where) {
  if (!at(TokenKind::kStar) && !at(TokenKind::kDoubleStar)) return;
  report(DiagId::kNoStarArgument, token_.span, spelling(token_.kind), where).help("write the values one by one");
  advance();
}

void Parser::refuse_star_target() {
  if (!at(TokenKind::kStar)) return;
  report(DiagId::kNoStarTarget, token_.span).help("index the value, or give each of its parts a name");
  advance();
}

}  // namespace jitc::syntax
