// What follows a value: calls, attributes, subscripts.
#include "src/syntax/parser_impl.hpp"

namespace jitc::syntax {

/// primary: atom ("(" arguments ")" | "." NAME | "[" index "]")*
ExprId Parser::parse_primary() {
  const uint32_t begin = token_.span.begin;
  ExprId expr = parse_atom();
  while (true) {
    if (at(TokenKind::kLParen)) {
      expr = parse_call(begin, expr);
    } else if (at(TokenKind::kDot)) {
      expr = parse_attribute(begin, expr);
    } else if (at(TokenKind::kLBracket)) {
      expr = parse_subscript(begin, expr);
    } else {
      return expr;
    }
  }
}

/// arguments: [argument ("," argument)* [","]]
ExprId Parser::parse_call(uint32_t begin, ExprId callee) {
  const Nested nested(*this);
  const Span open = token_.span;
  advance();
  CallExpr call{callee, {}, {}};
  bool misplaced = false;
  while (!at(TokenKind::kRParen)) {
    const uint32_t argument_begin = token_.span.begin;
    const bool positional = parse_argument(call);
    if (positional && !call.keywords.empty() && !std::exchange(misplaced, true)) {
      report(DiagId::kPositionalAfterKeyword, span_from(argument_begin));
    }
    if (!accept(TokenKind::kComma)) break;
  }
  expect_closing(TokenKind::kRParen, open);
  return add_expr(span_from(begin), std::move(call));
}

/// argument: expression | NAME "=" expression; true for the first form.
bool Parser::parse_argument(CallExpr& call) {
  refuse_star("a call");
  const uint32_t begin = token_.span.begin;
  const bool keyword_as_name = is_keyword(token_.kind) && next_is_assign();
  const Span name_span = token_.span;
  std::string name = keyword_as_name ? parse_name("a name") : "";
  const ExprId value = keyword_as_name ? ExprId() : parse_expression();
  if (at(TokenKind::kAssign) && value && is_name_at(value, begin)) name = text(name_span);
  if (!name.empty()) {
    advance();
    call.keywords.push_back({std::move(name), name_span, parse_expression()});
    return false;
  }
  refuse_comprehension("generator expression");
  call.args.push_back(value);
  return true;
}

/// Whether `expr` is a name without parentheses that begins at `begin`.
bool Parser::is_name_at(ExprId expr, uint32_t begin) const {
  const Expr& node = ast_.exprs[expr];
  return std::holds_alternative<NameExpr>(node.kind) && node.span.begin == begin;
}

/// "." NAME
ExprId Parser::parse_attribute(uint32_t begin, ExprId base) {
  advance();
  const Span name_span = token_.span;
  std::string name = parse_name("a name after '.'");
  return add_expr(span_from(begin), AttributeExpr{base, std::move(name), name_span});
}

ExprId Parser::parse_subscript(uint32_t begin, ExprId base) {
  const Nested nested(*this);
  const Span open = token_.span;
  advance();
  const ExprId index = parse_index();
  expect_closing(TokenKind::kRBracket, open);
  return add_expr(span_from(begin), SubscriptExpr{base, index});
}

/// index: (slice | expression) ("," (slice | expression))* [","]; with a comma it is a tuple.
ExprId Parser::parse_index() {
  const uint32_t begin = token_.span.begin;
  const ExprId first = parse_slice_or_expression();
  if (!at(TokenKind::kComma)) return first;
  std::vector<ExprId> elements{first};
  while (accept(TokenKind::kComma) && !at(TokenKind::kRBracket)) elements.push_back(parse_slice_or_expression());
  return add_expr(span_from(begin), TupleExpr{std::move(elements)});
}

/// slice: [expression] ":" [expression] [":" [expression]]
ExprId Parser::parse_slice_or_expression() {
  const uint32_t begin = token_.span.begin;
  const auto optional_part = [&] {
    const bool absent = at(TokenKind::kColon) || at(TokenKind::kComma) || at(TokenKind::kRBracket);
    return absent ? ExprId() : parse_expression();
  };
  refuse_star("an index");
  const ExprId lower = at(TokenKind::kColon) ? ExprId() : parse_expression();
  if (!accept(TokenKind::kColon)) return lower;
  const ExprId upper = optional_part();
  const ExprId step = accept(TokenKind::kColon) ? optional_part() : ExprId();
  return add_expr(span_from(begin), SliceExpr{lower, upper, step});
}

}  // namespace jitc::syntax
