// Which expressions can be assigned to or deleted.
#include "src/syntax/parser_impl.hpp"

namespace jitc::syntax {

namespace {

bool is_assignable(const Expr& expr) {
  return std::holds_alternative<NameExpr>(expr.kind) || std::holds_alternative<AttributeExpr>(expr.kind) ||
         std::holds_alternative<SubscriptExpr>(expr.kind);
}

}  // namespace

/// target: NAME | primary "." NAME | primary "[" index "]" | tuple of targets | list of targets
/// A list of targets means what a tuple of them means, and becomes one.
bool Parser::make_target(ExprId expr) {
  if (panicking_ || !expr) return false;
  if (auto* list = std::get_if<ListExpr>(&ast_.exprs[expr].kind)) {
    ast_.exprs[expr].kind = TupleExpr{std::move(list->elements)};
  }
  const auto* tuple = std::get_if<TupleExpr>(&ast_.exprs[expr].kind);
  if (!tuple) return make_single_target(expr);
  bool all = true;
  for (ExprId element : tuple->elements) all &= make_target(element);
  return all;
}

bool Parser::make_single_target(ExprId expr) {
  if (panicking_ || !expr) return false;
  const Expr& node = ast_.exprs[expr];
  const bool assignable = is_assignable(node);
  if (!assignable) report(DiagId::kInvalidTarget, node.span, describe_expr(expr));
  return assignable;
}

/// Adds `expr`, or its elements when it is a tuple or list, to what is deleted.
bool Parser::collect_deletable(ExprId expr, std::vector<ExprId>& out) {
  if (panicking_ || !expr) return false;
  const Expr& node = ast_.exprs[expr];
  const auto* tuple = std::get_if<TupleExpr>(&node.kind);
  const auto* list = std::get_if<ListExpr>(&node.kind);
  if (!tuple && !list) {
    out.push_back(expr);
    if (!is_assignable(node)) report(DiagId::kInvalidDelete, node.span, describe_expr(expr));
    return is_assignable(node);
  }
  bool all = true;
  for (ExprId element : tuple ? tuple->elements : list->elements) all &= collect_deletable(element, out);
  return all;
}

/// target_list: target ("," target)* [","]: as an expression without comparisons, so that "in" ends it.
ExprId Parser::parse_target_list() {
  const uint32_t begin = token_.span.begin;
  std::vector<ExprId> targets;
  bool comma = false;
  do {
    if (comma && at(TokenKind::kIn)) break;
    refuse_star_target();
    targets.push_back(parse_binary(1));
    comma |= at(TokenKind::kComma);
  } while (accept(TokenKind::kComma));
  return comma ? add_expr(span_from(begin), TupleExpr{std::move(targets)}) : targets.front();
}

std::string Parser::describe_expr(ExprId expr) const {
  return base::match(
      ast_.exprs[expr].kind, [](const NameExpr& e) { return fmt::format("'{}'", e.name); },
      [](const IntLit&) { return std::string("a number"); }, [](const FloatLit&) { return std::string("a number"); },
      [](const ImagLit&) { return std::string("a number"); },
      [](const BoolLit& e) { return std::string(e.value ? "'True'" : "'False'"); },
      [](const NoneLit&) { return std::string("'None'"); }, [](const StringLit&) { return std::string("a string"); },
      [](const EllipsisExpr&) { return std::string("'...'"); },
      [](const TupleExpr&) { return std::string("a tuple this way"); },
      [](const ListExpr&) { return std::string("a list this way"); },
      [](const SetExpr&) { return std::string("a set"); },
      [](const UnaryExpr&) { return std::string("the result of an operator"); },
      [](const BinaryExpr&) { return std::string("the result of an operator"); },
      [](const CompareExpr&) { return std::string("a comparison"); },
      [](const BoolExpr&) { return std::string("the result of an operator"); },
      [](const TernaryExpr&) { return std::string("a conditional expression"); },
      [](const CallExpr&) { return std::string("the result of a call"); },
      [](const AttributeExpr&) { return std::string("an attribute"); },
      [](const SubscriptExpr&) { return std::string("an element"); },
      [](const SliceExpr&) { return std::string("a slice"); },
      [](const LambdaExpr&) { return std::string("a lambda"); });
}

}  // namespace jitc::syntax
