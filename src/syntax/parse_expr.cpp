// Operators, from the loosest to the tightest.
#include <array>

#include "src/syntax/parser_impl.hpp"

namespace jitc::syntax {

namespace {

struct BinaryRow {
  BinaryOp op;
  TokenKind token, assign;
  int binds;
};
constexpr BinaryRow kBinary[] = {
#define JITC_BINARY(op, token, assign, spelling, binds) {BinaryOp::op, TokenKind::token, TokenKind::assign, binds},
#include "src/syntax/operators.def"
};

constexpr int kLoosestBinding = 1;
/// Above this level stand the prefix operators and '**', which have rules of their own.
constexpr int kTightestLeftAssociative = 6;

const BinaryRow* find_binary(TokenKind token) {
  for (const BinaryRow& row : kBinary) {
    if (row.token == token) return &row;
  }
  return nullptr;
}

std::optional<CompareOp> simple_compare_op(TokenKind token) {
  switch (token) {
    case TokenKind::kEq: return CompareOp::kEq;
    case TokenKind::kNe: return CompareOp::kNe;
    case TokenKind::kLt: return CompareOp::kLt;
    case TokenKind::kLe: return CompareOp::kLe;
    case TokenKind::kGt: return CompareOp::kGt;
    case TokenKind::kGe: return CompareOp::kGe;
    case TokenKind::kIn: return CompareOp::kIn;
    case TokenKind::kIs: return CompareOp::kIs;
    case TokenKind::kNot: return CompareOp::kNotIn;
    default: return std::nullopt;
  }
}

std::optional<UnaryOp> prefix_op(TokenKind token) {
  switch (token) {
    case TokenKind::kMinus: return UnaryOp::kNeg;
    case TokenKind::kPlus: return UnaryOp::kPos;
    case TokenKind::kTilde: return UnaryOp::kInvert;
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<BinaryOp> augmented_op(TokenKind token) {
  for (const BinaryRow& row : kBinary) {
    if (row.assign == token) return row.op;
  }
  return std::nullopt;
}

/// expression: lambda | disjunction ["if" disjunction "else" expression]
ExprId Parser::parse_expression() {
  const uint32_t begin = token_.span.begin;
  if (at(TokenKind::kLambda)) return parse_lambda();
  const ExprId value = parse_disjunction();
  if (at(TokenKind::kColonAssign)) {
    fail(DiagId::kNoWalrus, token_.span).help("assign in a statement of its own, before this one");
  }
  if (!accept(TokenKind::kIf)) return value;
  const ExprId cond = parse_disjunction();
  if (!accept(TokenKind::kElse)) {
    fail(DiagId::kMissingElse, token_.span).help("an expression needs a value for either case");
  }
  const Nested nested(*this);
  const ExprId else_value = parse_expression();
  return add_expr(span_from(begin), TernaryExpr{cond, value, else_value});
}

/// disjunction: conjunction ("or" conjunction)*
ExprId Parser::parse_disjunction() { return parse_bool_chain(TokenKind::kOr, BoolOp::kOr, &Parser::parse_conjunction); }

/// conjunction: inversion ("and" inversion)*
ExprId Parser::parse_conjunction() { return parse_bool_chain(TokenKind::kAnd, BoolOp::kAnd, &Parser::parse_inversion); }

ExprId Parser::parse_bool_chain(TokenKind word, BoolOp op, ExprId (Parser::*operand)()) {
  const uint32_t begin = token_.span.begin;
  const ExprId first = (this->*operand)();
  if (!at(word)) return first;
  std::vector<ExprId> operands{first};
  while (accept(word)) operands.push_back((this->*operand)());
  return add_expr(span_from(begin), BoolExpr{op, std::move(operands)});
}

/// inversion: "not" inversion | comparison
ExprId Parser::parse_inversion() {
  if (!at(TokenKind::kNot)) return parse_comparison();
  const Nested nested(*this);
  const Span op_span = token_.span;
  advance();
  const ExprId operand = parse_inversion();
  return add_expr(span_from(op_span.begin), UnaryExpr{UnaryOp::kNot, op_span, operand});
}

/// comparison: binary (compare_op binary)*
ExprId Parser::parse_comparison() {
  const uint32_t begin = token_.span.begin;
  const ExprId first = parse_binary(kLoosestBinding);
  CompareExpr compare{first, {}, {}, {}};
  Span op_span;
  while (const auto op = accept_compare_op(op_span)) {
    compare.ops.push_back(*op);
    compare.op_spans.push_back(op_span);
    compare.rest.push_back(parse_binary(kLoosestBinding));
  }
  return compare.ops.empty() ? first : add_expr(span_from(begin), std::move(compare));
}

/// compare_op: "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not" "in" | "is" ["not"]
std::optional<CompareOp> Parser::accept_compare_op(Span& op_span) {
  auto op = simple_compare_op(token_.kind);
  if (!op) return std::nullopt;
  op_span = token_.span;
  advance();
  if (op == CompareOp::kNotIn) expect(TokenKind::kIn, "'in' after 'not'");
  if (op == CompareOp::kIs && accept(TokenKind::kNot)) op = CompareOp::kIsNot;
  op_span = span_from(op_span.begin);
  return op;
}

/// binary: factor (binary_op factor)*, by precedence climbing; all operators here associate to the left.
ExprId Parser::parse_binary(int min_binding) {
  const uint32_t begin = token_.span.begin;
  ExprId lhs = parse_factor();
  while (const BinaryRow* row = find_binary(token_.kind)) {
    if (row->binds < min_binding || row->binds > kTightestLeftAssociative) break;
    const Span op_span = token_.span;
    advance();
    const ExprId rhs = parse_binary(row->binds + 1);
    lhs = add_expr(span_from(begin), BinaryExpr{row->op, op_span, lhs, rhs});
  }
  return lhs;
}

/// factor: ("-" | "+" | "~") factor | power
ExprId Parser::parse_factor() {
  const auto op = prefix_op(token_.kind);
  if (!op) return parse_power();
  const Nested nested(*this);
  const Token before = prev_;
  const Span op_span = token_.span;
  advance();
  // "x++" reads as "x + (+ …)" with nothing behind it.
  const bool doubled = before.kind == (op == UnaryOp::kPos ? TokenKind::kPlus : TokenKind::kMinus) &&
                       before.span.end == op_span.begin && *op != UnaryOp::kInvert;
  if (doubled && at_statement_end()) {
    const std::string_view sign = spelling(*op);
    fail(DiagId::kForeignOperator, cover(before.span, op_span), text(cover(before.span, op_span)))
        .help(fmt::format("write '{}= 1'", sign));
  }
  const ExprId operand = parse_factor();
  return add_expr(span_from(op_span.begin), UnaryExpr{*op, op_span, operand});
}

/// power: primary ["**" factor]
ExprId Parser::parse_power() {
  const uint32_t begin = token_.span.begin;
  const ExprId base = parse_primary();
  if (!at(TokenKind::kDoubleStar)) return base;
  const Nested nested(*this);
  const Span op_span = token_.span;
  advance();
  const ExprId exponent = parse_factor();
  return add_expr(span_from(begin), BinaryExpr{BinaryOp::kPow, op_span, base, exponent});
}

/// lambda: "lambda" [params] ":" expression
ExprId Parser::parse_lambda() {
  const Nested nested(*this);
  const uint32_t begin = token_.span.begin;
  advance();
  LambdaExpr lambda{parse_params(TokenKind::kColon, false), ExprId()};
  expect(TokenKind::kColon, "':' after the lambda's parameters");
  lambda.body = parse_expression();
  return add_expr(span_from(begin), std::move(lambda));
}

/// expression_list: expression ("," expression)* [","]; with a comma it is a tuple.
ExprId Parser::parse_expression_list() {
  const uint32_t begin = token_.span.begin;
  if (at(TokenKind::kStar)) line_assigns() ? refuse_star_target() : refuse_star("a tuple");
  const ExprId first = parse_expression();
  return at(TokenKind::kComma) ? parse_tuple_rest(begin, first) : first;
}

ExprId Parser::parse_tuple_rest(uint32_t begin, ExprId first) {
  std::vector<ExprId> elements{first};
  while (accept(TokenKind::kComma) && !ends_expression_list()) {
    if (at(TokenKind::kStar)) line_assigns() ? refuse_star_target() : refuse_star("a tuple");
    elements.push_back(parse_expression());
  }
  return add_expr(span_from(begin), TupleExpr{std::move(elements)});
}

/// What may follow a tuple's trailing comma.
bool Parser::ends_expression_list() const {
  return at_statement_end() || at(TokenKind::kAssign) || at(TokenKind::kRParen) || at(TokenKind::kRBracket) ||
         at(TokenKind::kColon) || augmented_op(token_.kind);
}

}  // namespace jitc::syntax
