// Operations of each element of whole arrays: they are typed as the scalar operations that they are made of.
#include <fmt/format.h>

#include <algorithm>

#include "src/sema/function_typer.hpp"
#include "src/types/promotion.hpp"

namespace jitc::sema {

using source::DiagId;
using types::Strength;

bool FunctionTyper::any_array(const std::vector<ExprId>& args) const {
  return std::any_of(args.begin(), args.end(), [&](ExprId a) { return array_of(a) != nullptr; });
}

TypeId FunctionTyper::array_type(DType dtype, int rank) {
  return ctx_.types.array({dtype, rank, Layout::any, false, {}, MemorySpace::kGlobal});
}

/// An array of that rank, or the scalar where it is 0.
TypeId FunctionTyper::value_type(DType dtype, int rank) {
  return rank == 0 ? ctx_.types.scalar(dtype) : array_type(dtype, rank);
}

int FunctionTyper::rank_of(ExprId id) const { return array_of(id) != nullptr ? array_of(id)->rank : 0; }

/// The type of each element, of a scalar its own.
DType FunctionTyper::element_dtype(ExprId id) const {
  return array_of(id) != nullptr ? array_of(id)->dtype : scalar_of(id)->dtype;
}

/// A constant of another function's body as one of the function being typed.
ExprId FunctionTyper::copy_constant(const TypedFunction& from, ExprId id) {
  Expr node = from.exprs[id];
  if (auto* z = std::get_if<ComplexExpr>(&node.kind)) {
    z->real = copy_constant(from, z->real);
    z->imag = copy_constant(from, z->imag);
  }
  return fn_->exprs.add(std::move(node));
}

/// What stands for an argument in the function of one element: an array's element, or a scalar. Beside an array a weak
/// value adapts even where it is known only at run time.
ExprId FunctionTyper::element_param(const TypedFunction& outer, ExprId arg, MapExpr& map) {
  const Expr& node = outer.exprs[arg];
  const types::ArrayType* array = ctx_.types.as_array(node.type);
  const Scalar* scalar = ctx_.types.as_scalar(node.type);
  const auto* z = std::get_if<ComplexExpr>(&node.kind);
  if (node.constant || (z != nullptr && outer.exprs[z->real].constant && outer.exprs[z->imag].constant)) {
    return copy_constant(outer, arg);
  }
  Scalar type = array != nullptr ? Scalar{array->dtype, Strength::kTyped} : *scalar;
  if (type.weak()) type.strength = Strength::kWeakConst;
  const TypeId id = ctx_.types.scalar(type);
  const VarId var = fn_->vars.add({fmt::format("x{}", fn_->params.size()), id, node.span, true});
  fn_->params.push_back(var);
  map.args.push_back(arg);
  return add(node.span, id, VarExpr{var});
}

ExprId FunctionTyper::map_elements(const std::vector<ExprId>& args, Span span, const MakeElement& make) {
  int rank = 0;
  for (const ExprId a : args) {
    if (unknown(a)) return poison(span);
    if (array_of(a) == nullptr && !require_scalar(a, "an operation of each element")) return poison(span);
    rank = std::max(rank, rank_of(a));
  }
  MapExpr map;
  auto function = std::make_shared<TypedFunction>();
  function->name = std::string(ctx_.file.text(span).substr(0, 60));
  function->span = span;
  function->options = request_.options;
  const auto outer = std::exchange(fn_, function);
  Block* const block = std::exchange(block_, &function->body);
  ++element_depth_;
  std::vector<ExprId> elements;
  for (const ExprId a : args) elements.push_back(element_param(*outer, a, map));
  ExprId value = make(elements);
  std::vector<TypeId> types;
  if (!unknown(value)) types = finish_map(*function, value);
  --element_depth_;
  fn_ = outer;
  block_ = block;
  if (types.empty()) {
    failed_ = true;
    return poison(span);
  }
  for (TypeId& type : types) type = value_type(ctx_.types.as_scalar(type)->dtype, rank);
  const bool several = ctx_.types.as_tuple(function->return_type) != nullptr;
  map.function = std::move(function);
  const TypeId type = several ? ctx_.types.tuple(std::move(types)) : types.front();
  return add(span, type, std::move(map));
}

/// The end of the function of one element, which returns typed values: their types. Nothing after a report.
std::vector<TypeId> FunctionTyper::finish_map(TypedFunction& function, ExprId value) {
  const auto typed = [&](TypeId id) { return ctx_.types.scalar(ctx_.types.as_scalar(id)->dtype); };
  std::vector<TypeId> types;
  TypeId to;
  if (const auto* tuple = ctx_.types.as_tuple(type_of(value))) {
    const std::vector<TypeId> items = tuple->elements;
    for (const TypeId item : items) {
      if (ctx_.types.as_scalar(item) == nullptr) return {};
      types.push_back(typed(item));
    }
    to = ctx_.types.tuple(types);
  } else if (scalar_of(value) != nullptr) {
    to = typed(type_of(value));
    types.push_back(to);
  } else {
    require_scalar(value, "each element");
    return {};
  }
  value = convert(value, to);
  if (unknown(value)) return {};
  function.return_type = to;
  emit(span_of(value), ReturnStmt{value});
  std::string params;
  for (const VarId p : function.params)
    params += (params.empty() ? "" : ", ") + ctx_.types.to_string(function.vars[p].type);
  function.signature = fmt::format("{}({})", ctx_.types.to_string(to), params);
  return types;
}

ExprId FunctionTyper::map_binary(syntax::BinaryOp op, ExprId lhs, ExprId rhs, Span span, Span op_span) {
  return map_elements({lhs, rhs}, span, [&](const std::vector<ExprId>& e) {
    const auto bools = bool_elements(op, e[0], e[1], span, op_span);
    return bools ? *bools : type_binary(op, e[0], e[1], span, op_span);
  });
}

/// Elements of b1 are no ints, as in NumPy: + is or, * is and, - is an error, and the other operators count in i1.
std::optional<ExprId> FunctionTyper::bool_elements(syntax::BinaryOp op, ExprId lhs, ExprId rhs, Span span,
                                                   Span op_span) {
  using Op = syntax::BinaryOp;
  if (scalar_of(lhs)->dtype != DType::b1 || scalar_of(rhs)->dtype != DType::b1) return std::nullopt;
  const auto both = [&](DType dtype, Op as) {
    return type_binary(as, to_dtype(lhs, dtype), to_dtype(rhs, dtype), span, op_span);
  };
  switch (op) {
    case Op::kAdd: return both(DType::b1, Op::kOr);
    case Op::kMul: return both(DType::b1, Op::kAnd);
    case Op::kSub: return bad_operands(lhs, rhs, "-", op_span, "bools have no difference: use ^, or cast to an int");
    case Op::kFloorDiv:
    case Op::kMod:
    case Op::kPow:
    case Op::kShl:
    case Op::kShr: return both(DType::i1, op);
    default: return std::nullopt;
  }
}

ExprId FunctionTyper::map_unary(syntax::UnaryOp op, ExprId operand, Span span) {
  if (op == syntax::UnaryOp::kNot) {
    report(DiagId::kArrayLogic, span, "not", type_text(operand)).help("the opposite of each element is ~a");
    return poison(span);
  }
  if (element_dtype(operand) == DType::b1 && op != syntax::UnaryOp::kInvert) {
    report(DiagId::kBadOperand, span, syntax::spelling(op), type_text(operand))
        .help("the opposite of each bool is ~a; cast to an int to compute with bools");
    return poison(span);
  }
  return map_elements({operand}, span, [&](const std::vector<ExprId>& e) { return type_unary(op, e[0], span); });
}

ExprId FunctionTyper::map_comparison(syntax::CompareOp op, ExprId lhs, ExprId rhs, Span span, Span op_span) {
  return map_elements({lhs, rhs}, span,
                      [&](const std::vector<ExprId>& e) { return type_comparison(op, e[0], e[1], span, op_span); });
}

/// a.real, a.imag: of complex elements a view, of others the array itself, or zeros.
ExprId FunctionTyper::array_part(ExprId array, const std::string& name, Span span) {
  const bool has_parts = is_complex(element_dtype(array));
  if (!has_parts && name == "real") return array;
  const ExprId computed =
      map_elements({array}, span, [&](const std::vector<ExprId>& e) { return *number_attribute(e[0], name, span); });
  if (!has_parts || unknown(computed)) return computed;
  return add(span, type_of(computed),
             PartViewExpr{array, name == "imag", std::get<MapExpr>(fn_->exprs[computed].kind).function});
}

/// Each element as a cast does.
ExprId FunctionTyper::map_cast(ExprId array, DType dtype, Span span) {
  if (element_dtype(array) == dtype) return array;
  return map_elements({array}, span, [&](const std::vector<ExprId>& e) { return to_dtype(e[0], dtype); });
}

/// A built-in function of scalars, of each element.
ExprId FunctionTyper::map_builtin(const BuiltinEntity& b, const std::vector<ExprId>& args, const syntax::CallExpr& e,
                                  Span span) {
  if (b.builtin->rule == Rule::kNumberPart) {
    const NumberPart part = b.builtin->as<NumberPart>();
    if (part != NumberPart::kConjugate) return array_part(args[0], std::string(part_name(part)), span);
    // NumPy gives the array itself where there is nothing to do.
    if (!is_complex(element_dtype(args[0])) && element_dtype(args[0]) != DType::b1) return args[0];
  }
  return map_elements(args, span, [&](const std::vector<ExprId>& elements) {
    if (b.builtin->rule == Rule::kMinMax) return call_min_max(b, elements, span);
    if (b.builtin->rule == Rule::kAbs && scalar_of(elements[0])->dtype == DType::b1) return elements[0];
    const bool conjugates =
        b.builtin->rule == Rule::kNumberPart && b.builtin->as<NumberPart>() == NumberPart::kConjugate;
    if (conjugates && scalar_of(elements[0])->dtype == DType::b1) return to_dtype(elements[0], DType::i1);
    if (b.builtin->rule == Rule::kOperator) {
      const auto bools = bool_elements(b.builtin->as<syntax::BinaryOp>(), elements[0], elements[1], span, span);
      if (bools) return *bools;
    }
    return apply_builtin(b, elements, e, span);
  });
}

}  // namespace jitc::sema
