// Names, literals and displays.
#include "src/syntax/number.hpp"
#include "src/syntax/parser_impl.hpp"
#include "src/syntax/string_literal.hpp"

namespace jitc::syntax {

/// atom: NAME | NUMBER | STRING+ | "None" | "True" | "False" | "..." | "(" … ")" | "[" … "]" | set
ExprId Parser::parse_atom() {
  const Span span = token_.span;
  switch (token_.kind) {
    case TokenKind::kName: {
      NameExpr name{std::string(text(span))};
      advance();
      return add_expr(span, std::move(name));
    }
    case TokenKind::kNumber: return parse_number();
    case TokenKind::kString:
    case TokenKind::kFormatString: return parse_strings();
    case TokenKind::kNone: advance(); return add_expr(span, NoneLit{});
    case TokenKind::kTrue: advance(); return add_expr(span, BoolLit{true});
    case TokenKind::kFalse: advance(); return add_expr(span, BoolLit{false});
    case TokenKind::kEllipsis: advance(); return add_expr(span, EllipsisExpr{});
    case TokenKind::kLParen: return parse_parenthesised();
    case TokenKind::kLBracket: return parse_list();
    case TokenKind::kLBrace: return parse_set();
    default: return fail_expected_expression();
  }
}

ExprId Parser::parse_number() {
  const Span span = token_.span;
  NumberValue value = read_number(file_, span, sink_);
  advance();
  return base::match(value, [&](auto literal) { return add_expr(span, literal); });
}

/// STRING+: literals beside one another are one string.
ExprId Parser::parse_strings() {
  const Span first = token_.span;
  std::string value;
  bool bytes = false;
  for (; at(TokenKind::kString) || at(TokenKind::kFormatString); advance()) {
    if (at(TokenKind::kFormatString)) {
      report(DiagId::kNoFormatString, token_.span).help("pass the values to print one by one");
      continue;
    }
    StringPart part = read_string_part(file_, token_.span, sink_);
    if (token_.span != first && part.bytes != bytes) report(DiagId::kMixedBytes, token_.span);
    bytes = part.bytes;
    value += part.value;
  }
  return add_expr(span_from(first.begin), StringLit{std::move(value)});
}

/// "(" ")" | "(" expression ")" | "(" expression "," [expression ("," expression)* [","]] ")"
ExprId Parser::parse_parenthesised() {
  const Nested nested(*this);
  const Span open = token_.span;
  advance();
  std::vector<ExprId> elements;
  const bool comma = parse_elements(TokenKind::kRParen, elements, "generator expression");
  expect_closing(TokenKind::kRParen, open);
  if (comma || elements.empty()) return add_expr(span_from(open.begin), TupleExpr{std::move(elements)});
  return elements.front();
}

/// "[" [expression ("," expression)* [","]] "]"
ExprId Parser::parse_list() {
  const Nested nested(*this);
  const Span open = token_.span;
  advance();
  std::vector<ExprId> elements;
  parse_elements(TokenKind::kRBracket, elements, "list comprehension");
  expect_closing(TokenKind::kRBracket, open);
  return add_expr(span_from(open.begin), ListExpr{std::move(elements)});
}

/// set: "{" STRING+ ("," STRING+)* [","] "}"
/// The values of options. Other sets, dicts and comprehensions are refused by name.
ExprId Parser::parse_set() {
  const Nested nested(*this);
  const Span open = token_.span;
  advance();
  if (at(TokenKind::kRBrace) || at(TokenKind::kDoubleStar)) return refuse_braces(open, "dict");
  if (at(TokenKind::kStar)) return refuse_braces(open, "set");
  std::vector<ExprId> elements;
  do {
    if (at(TokenKind::kRBrace)) break;
    elements.push_back(parse_expression());
    if (accept(TokenKind::kColon)) {
      parse_expression();
      return refuse_comprehension("dict comprehension") ? ExprId() : refuse_braces(open, "dict");
    }
    if (refuse_comprehension("set comprehension")) return ExprId();
    if (!is_string(elements.back())) return refuse_braces(open, "set");
  } while (accept(TokenKind::kComma));
  expect_closing(TokenKind::kRBrace, open);
  return add_expr(span_from(open.begin), SetExpr{std::move(elements)});
}

bool Parser::is_string(ExprId expr) const {
  return expr.valid() && std::holds_alternative<StringLit>(ast_.exprs[expr].kind);
}

/// The inside of a display; true when it has a comma.
bool Parser::parse_elements(TokenKind closing, std::vector<ExprId>& out, std::string_view comprehension) {
  bool comma = false;
  while (!at(closing)) {
    refuse_star("a tuple or list");
    out.push_back(parse_expression());
    if (refuse_comprehension(comprehension) || !accept(TokenKind::kComma)) break;
    comma = true;
  }
  return comma;
}

ExprId Parser::fail_expected_expression() {
  if (at(TokenKind::kYield)) {
    fail(DiagId::kNoYield, token_.span).help("write the values to an array");
  } else if (at(TokenKind::kAwait)) {
    fail(DiagId::kNoAsync, token_.span, spelling(token_.kind)).help("call the function directly");
  } else if (is_keyword(token_.kind) && next_is_assign()) {
    fail(DiagId::kKeywordAsName, token_.span, spelling(token_.kind));
  } else {
    fail(DiagId::kExpectedExpression, token_.span, found());
  }
  return ExprId();
}

}  // namespace jitc::syntax
