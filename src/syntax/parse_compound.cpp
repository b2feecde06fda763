// Statements with blocks.
#include "src/syntax/parser_impl.hpp"

namespace jitc::syntax {

/// statements: statement*, up to the end of the block.
void Parser::parse_statements(Block& out) {
  while (!at(TokenKind::kEnd) && !at(TokenKind::kDedent)) {
    if (sink_.full()) lexer_.stop();
    parse_statement(out);
  }
}

/// statement: compound_statement | simple_line
void Parser::parse_statement(Block& out) {
  const auto keep = [&](StmtId stmt) {
    if (stmt) out.push_back(stmt);
  };
  const bool keyword_as_name = is_keyword(token_.kind) && next_is_assign();
  if (keyword_as_name) return parse_simple_line(out);
  switch (token_.kind) {
    case TokenKind::kIndent: return parse_unexpected_indent(out);
    case TokenKind::kIf: return keep(parse_if());
    case TokenKind::kWhile: return keep(parse_while());
    case TokenKind::kFor: return keep(parse_for());
    case TokenKind::kDef: return keep(parse_def({}));
    case TokenKind::kAt: return keep(parse_decorated());
    case TokenKind::kElif:
    case TokenKind::kElse:
    case TokenKind::kExcept:
    case TokenKind::kFinally: return skip_orphan_clause();
    default:
      if (!refuse_statement()) parse_simple_line(out);
  }
}

Parser::Suite Parser::parse_suite(Span keyword) {
  const Nested nested(*this, keyword);
  if (nested.too_deep()) {
    skip_compound_statement();
    return {{}, false};
  }
  Suite suite;
  suite.header_ok = parse_colon(keyword);
  if (!at(TokenKind::kNewline)) {
    parse_simple_line(suite.body);
    return suite;
  }
  const Span header_end = after_prev();
  advance();
  if (at(TokenKind::kIndent)) {
    parse_indented_block(suite.body);
  } else if (suite.header_ok) {
    const bool at_text_end = file_.text().find_first_not_of(" \t\f\r\n", token_.span.begin) == std::string_view::npos;
    report(DiagId::kExpectedBlock, at_text_end ? header_end : token_.span, fmt::format("'{}'", text(keyword)))
        .label(keyword, "this needs a block");
  }
  return suite;
}

/// Takes the ':' of a header. True when the header is understood, even when only its ':' is missing.
bool Parser::parse_colon(Span keyword) {
  if (!panicking_ && accept(TokenKind::kColon)) return true;
  if (!panicking_ && at(TokenKind::kNewline)) {
    report(DiagId::kMissingColon, after_prev(), text(keyword)).fixit(after_prev(), ":");
    return true;
  }
  const bool brace = at(TokenKind::kLBrace);
  auto handle = fail(DiagId::kExpectedToken, token_.span, "':'", found());
  if (brace) handle.help("a block begins with ':' and is indented");
  recover();
  return false;
}

/// INDENT statement+ DEDENT
void Parser::parse_indented_block(Block& out) {
  advance();
  parse_statements(out);
  accept(TokenKind::kDedent);
}

/// condition: expression; a lone '=' is reported and read as '=='.
ExprId Parser::parse_condition() {
  ExprId cond = parse_expression();
  while (at(TokenKind::kAssign)) {
    report(DiagId::kAssignInExpression, token_.span).help("write '==' to compare").fixit(token_.span, "==");
    advance();
    parse_expression();
  }
  return cond;
}

/// if: "if" condition suite ("elif" condition suite)* ["else" suite]
StmtId Parser::parse_if() {
  const Span keyword = token_.span;
  advance();
  IfStmt stmt{parse_condition(), {}, {}};
  Suite suite = parse_suite(keyword);
  stmt.body = std::move(suite.body);
  const bool rest_ok = parse_if_rest(stmt.orelse);
  return suite.header_ok && rest_ok ? add_stmt(span_from(keyword.begin), std::move(stmt)) : StmtId();
}

/// ["elif" condition suite … | "else" suite]; false when a part is broken.
bool Parser::parse_if_rest(Block& orelse) { return at(TokenKind::kElif) ? parse_elif(orelse) : parse_else(orelse); }

/// An "elif" is an "if" alone in the "else" of the one before: one level deeper.
bool Parser::parse_elif(Block& orelse) {
  const Nested nested(*this);
  if (nested.too_deep()) {
    skip_compound_statement();
    return false;
  }
  const StmtId elif = parse_if();
  if (elif) orelse.push_back(elif);
  return elif.valid();
}

/// ["else" suite]
bool Parser::parse_else(Block& orelse) {
  if (!at(TokenKind::kElse)) return true;
  const Span keyword = token_.span;
  advance();
  if (at(TokenKind::kIf)) {
    const Span both = cover(keyword, token_.span);
    report(DiagId::kElseIf, both).fixit(both, "elif");
    return parse_elif(orelse);
  }
  Suite suite = parse_suite(keyword);
  orelse = std::move(suite.body);
  return suite.header_ok;
}

/// while: "while" condition suite ["else" suite]
StmtId Parser::parse_while() {
  const Span keyword = token_.span;
  advance();
  WhileStmt stmt{parse_condition(), {}, {}};
  Suite suite = parse_suite(keyword);
  stmt.body = std::move(suite.body);
  const bool else_ok = parse_else(stmt.orelse);
  return suite.header_ok && else_ok ? add_stmt(span_from(keyword.begin), std::move(stmt)) : StmtId();
}

/// for: "for" target_list "in" expression_list suite ["else" suite]
StmtId Parser::parse_for() {
  const Span keyword = token_.span;
  advance();
  ForStmt stmt{parse_target_list(), {}, {}, {}};
  const bool assignable = make_target(stmt.target);
  expect(TokenKind::kIn, "'in' after the loop's variable");
  stmt.iterable = parse_expression_list();
  Suite suite = parse_suite(keyword);
  stmt.body = std::move(suite.body);
  const bool else_ok = parse_else(stmt.orelse);
  const bool complete = assignable && suite.header_ok && else_ok;
  return complete ? add_stmt(span_from(keyword.begin), std::move(stmt)) : StmtId();
}

/// The lines count as part of the block around them.
void Parser::parse_unexpected_indent(Block& out) {
  report(DiagId::kUnexpectedIndent, token_.span);
  parse_indented_block(out);
}

/// "else", "elif", "except", "finally" without the statement that they continue.
void Parser::skip_orphan_clause() {
  fail(DiagId::kOrphanClause, token_.span, spelling(token_.kind)).help("is it indented as its 'if' or loop is?");
  recover();
  accept(TokenKind::kNewline);
  if (!at(TokenKind::kIndent)) return;
  Block dropped;
  parse_indented_block(dropped);
}

}  // namespace jitc::syntax
