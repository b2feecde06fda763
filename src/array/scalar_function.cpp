#include "src/array/scalar_function.hpp"

#include <fmt/format.h>

#include <map>

#include "src/sema/operands.hpp"

namespace jitc::array {

namespace {

using sema::ExprId;

class Extractor {
 public:
  Extractor(const types::TypeTable& types, const sema::TypedFunction& from, const std::function<bool(ExprId)>& is_leaf)
      : types_(types), from_(from), is_leaf_(is_leaf) {}

  ScalarFunction run(ExprId root, const std::string& name) {
    out_->name = name;
    out_->span = from_.exprs[root].span;
    out_->options = from_.options;
    const ExprId value = copy(root);
    out_->return_type = out_->exprs[value].type;
    out_->body.push_back(out_->stmts.add({out_->span, sema::ReturnStmt{value}}));
    return {out_, std::move(leaves_)};
  }

 private:
  ExprId copy(ExprId id) {
    const sema::Expr& source = from_.exprs[id];
    const bool is_constant = source.constant && types_.as_scalar(source.type) != nullptr;
    if (!is_constant && is_leaf_(id)) return leaf(id);
    sema::Expr node = source;
    if (is_constant) {
      node.kind = sema::ConstExpr{};
    } else {
      sema::for_each_operand(node, [&](ExprId& operand) { operand = copy(operand); });
    }
    return out_->exprs.add(std::move(node));
  }

  /// A variable that is read several times is one parameter.
  ExprId leaf(ExprId id) {
    const sema::Expr& source = from_.exprs[id];
    const auto* var = std::get_if<sema::VarExpr>(&source.kind);
    const auto found = var != nullptr ? of_variable_.find(var->var.index) : of_variable_.end();
    sema::VarId param;
    if (found != of_variable_.end()) {
      param = found->second;
    } else {
      param = out_->vars.add({fmt::format("x{}", out_->params.size()), source.type, source.span, true});
      out_->params.push_back(param);
      leaves_.push_back(id);
      if (var != nullptr) of_variable_.emplace(var->var.index, param);
    }
    return out_->exprs.add({source.span, source.type, sema::VarExpr{param}, std::nullopt});
  }

  const types::TypeTable& types_;
  const sema::TypedFunction& from_;
  const std::function<bool(ExprId)>& is_leaf_;
  std::shared_ptr<sema::TypedFunction> out_ = std::make_shared<sema::TypedFunction>();
  std::vector<ExprId> leaves_;
  std::map<uint32_t, sema::VarId> of_variable_;
};

std::shared_ptr<sema::TypedFunction> returning(sema::TypeId type, Span span, std::string name) {
  auto out = std::make_shared<sema::TypedFunction>();
  out->name = std::move(name);
  out->span = span;
  out->return_type = type;
  return out;
}

void finish(sema::TypedFunction& fn, ExprId value) {
  fn.body.push_back(fn.stmts.add({fn.span, sema::ReturnStmt{value}}));
}

}  // namespace

ScalarFunction extract_scalar(const types::TypeTable& types, const sema::TypedFunction& from, ExprId root,
                              const std::string& name, const std::function<bool(ExprId)>& is_leaf) {
  return Extractor(types, from, is_leaf).run(root, name);
}

Function constant_function(const types::TypeTable& types, DType dtype, const sema::Constant& value, Span span) {
  const sema::TypeId type = types.scalar(dtype);
  auto out = returning(type, span, sema::to_string(value));
  finish(*out, out->exprs.add({span, type, sema::ConstExpr{}, sema::cast(value, dtype)}));
  return out;
}

Function cast_function(const types::TypeTable& types, DType from, DType to, Span span) {
  const sema::TypeId type = types.scalar(from);
  auto out = returning(types.scalar(to), span, from == to ? "copy" : std::string(name(to)));
  const sema::VarId param = out->vars.add({"x0", type, span, true});
  out->params.push_back(param);
  ExprId value = out->exprs.add({span, type, sema::VarExpr{param}, std::nullopt});
  if (from != to) value = out->exprs.add({span, out->return_type, sema::ConvertExpr{value}, std::nullopt});
  finish(*out, value);
  return out;
}

namespace {

/// A function of i8 parameters that is put together by hand.
class IndexFunction {
 public:
  IndexFunction(const types::TypeTable& types, Span span, std::string name, size_t params)
      : types_(types), out_(returning(types.scalar(DType::i8), span, std::move(name))) {
    for (size_t k = 0; k < params; ++k) {
      out_->params.push_back(out_->vars.add({fmt::format("x{}", k), types.scalar(DType::i8), span, true}));
    }
  }
  ExprId param(size_t k) { return add(DType::i8, sema::VarExpr{out_->params[k]}); }
  ExprId zero() {
    const ExprId id = add(DType::i8, sema::ConstExpr{});
    out_->exprs[id].constant = sema::Constant::of_int(0);
    return id;
  }
  template <class Kind>
  ExprId add(DType dtype, Kind kind) {
    return out_->exprs.add({out_->span, types_.scalar(dtype), std::move(kind), std::nullopt});
  }
  Function finish(ExprId value) {
    out_->return_type = out_->exprs[value].type;
    jitc::array::finish(*out_, value);
    return out_;
  }

 private:
  const types::TypeTable& types_;
  std::shared_ptr<sema::TypedFunction> out_;
};

}  // namespace

Function next_in_range(const types::TypeTable& types, Span span) {
  IndexFunction f(types, span, "next", 2);
  return f.finish(f.add(DType::i8, sema::BinaryExpr{kernel::BinaryOp::kAdd, f.param(0), f.param(1)}));
}

Function range_goes_on(const types::TypeTable& types, Span span) {
  using kernel::CompareOp;
  IndexFunction f(types, span, "goes on", 3);
  const ExprId up = f.add(DType::b1, sema::CompareExpr{CompareOp::kGt, f.param(2), f.zero()});
  const ExprId below = f.add(DType::b1, sema::CompareExpr{CompareOp::kLt, f.param(0), f.param(1)});
  const ExprId above = f.add(DType::b1, sema::CompareExpr{CompareOp::kGt, f.param(0), f.param(1)});
  const ExprId down = f.add(DType::b1, sema::CompareExpr{CompareOp::kLt, f.param(2), f.zero()});
  const ExprId downwards = f.add(DType::b1, sema::BinaryExpr{kernel::BinaryOp::kAnd, down, above});
  return f.finish(f.add(DType::b1, sema::SelectExpr{up, below, downwards}));
}

Function identity_function(const types::TypeTable& types, DType dtype, Span span) {
  return cast_function(types, dtype, dtype, span);
}

}  // namespace jitc::array
