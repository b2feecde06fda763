// Functions: decorators, parameters, bodies.
#include "src/syntax/parser_impl.hpp"

namespace jitc::syntax {

/// decorated: ("@" expression NEWLINE)+ def
StmtId Parser::parse_decorated() {
  std::vector<ExprId> decorators;
  bool complete = true;
  const Span sign = token_.span;
  while (at(TokenKind::kAt)) {
    advance();
    decorators.push_back(parse_expression());
    if (!at(TokenKind::kNewline)) fail(DiagId::kMissingOperator, token_.span, found());
    complete &= !panicking_;
    recover();
    accept(TokenKind::kNewline);
  }
  if (at(TokenKind::kDef)) {
    const StmtId def = parse_def(std::move(decorators));
    return complete ? def : StmtId();
  }
  if (refuse_statement()) return StmtId();
  const bool at_block_end = at(TokenKind::kEnd) || at(TokenKind::kDedent);
  report(DiagId::kDecoratorWithoutDef, at_block_end ? sign : token_.span, found());
  return StmtId();
}

/// def: "def" NAME "(" params ")" ["->" expression] suite
StmtId Parser::parse_def(std::vector<ExprId> decorators) {
  const Span keyword = token_.span;
  advance();
  FunctionDef def;
  def.decorators = std::move(decorators);
  def.name_span = token_.span;
  def.name = parse_name("the function's name");
  const Span open = token_.span;
  if (expect(TokenKind::kLParen, "'(' after the function's name")) {
    def.params = parse_params(TokenKind::kRParen, true);
    expect_closing(TokenKind::kRParen, open);
  }
  if (accept(TokenKind::kArrow)) def.return_annotation = parse_expression();
  Suite suite = parse_suite(keyword);
  def.body = std::move(suite.body);
  return suite.header_ok ? add_stmt(span_from(keyword.begin), std::move(def)) : StmtId();
}

/// params: [param ("," param)* [","]]
std::vector<Param> Parser::parse_params(TokenKind closing, bool annotated) {
  std::vector<Param> params;
  bool starred = false;  // parameters behind a star may have defaults in any order
  while (!at(closing)) {
    if (skip_star_param(closing)) {
      starred |= text(prev_.span) != "/";
    } else {
      parse_param(params, annotated);
      if (!starred) check_default_order(params);
    }
    if (!accept(TokenKind::kComma)) break;
  }
  return params;
}

/// param: NAME [":" expression] ["=" expression]
void Parser::parse_param(std::vector<Param>& out, bool annotated) {
  Param param;
  param.span = token_.span;
  param.name = parse_name("a parameter's name");
  if (annotated && accept(TokenKind::kColon)) param.annotation = parse_expression();
  if (accept(TokenKind::kAssign)) param.default_value = parse_expression();
  out.push_back(std::move(param));
}

/// A parameter without a default cannot follow one with a default.
void Parser::check_default_order(const std::vector<Param>& params) {
  if (params.size() < 2) return;
  const Param& before = params[params.size() - 2];
  const Param& last = params.back();
  if (!before.default_value || last.default_value) return;
  report(DiagId::kDefaultOrder, last.span, last.name).label(before.span, "this one has a default");
}

/// "*", "*args", "**kwargs" and "/": refused, and the rest of the list is read.
bool Parser::skip_star_param(TokenKind closing) {
  const bool starred = at(TokenKind::kStar) || at(TokenKind::kDoubleStar);
  if (!starred && !at(TokenKind::kSlash)) return false;
  report(DiagId::kNoStarParam, token_.span, spelling(token_.kind)).help("name each parameter");
  advance();
  if (starred && !at(TokenKind::kComma) && !at(closing)) {
    std::vector<Param> dropped;
    parse_param(dropped, closing == TokenKind::kRParen);
  }
  return true;
}

}  // namespace jitc::syntax
