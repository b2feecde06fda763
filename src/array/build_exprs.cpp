// Expressions of a typed array function as nodes.
#include <fmt/format.h>

#include "src/array/program_builder.hpp"
#include "src/array/scalar_function.hpp"
#include "src/base/match.hpp"
#include "src/sema/operands.hpp"

namespace jitc::array {

DType ProgramBuilder::dtype_of(sema::TypeId type) const {
  if (const types::Scalar* s = types_.as_scalar(type)) return s->dtype;
  const types::ArrayType* array = types_.as_array(type);
  JITC_CHECK(array != nullptr, "an array or a scalar is needed, not " + types_.to_string(type));
  return array->dtype;
}

std::vector<NodeId> ProgramBuilder::build_nodes(const std::vector<ExprId>& ids) {
  std::vector<NodeId> out;
  for (const ExprId id : ids) out.push_back(build_node(id));
  return out;
}

Value ProgramBuilder::build(ExprId id) {
  if (const auto found = frame_->memo.find(id.index); found != frame_->memo.end()) return found->second;
  Value out = build_uncached(id);
  frame_->memo.insert_or_assign(id.index, out);
  return out;
}

Value ProgramBuilder::build_uncached(ExprId id) {
  const sema::Expr& e = expr(id);
  if (const auto* let = std::get_if<sema::LetExpr>(&e.kind)) {
    frame_->values.insert_or_assign(let->var.index, build(let->value));
    return build(let->body);
  }
  if (const auto* tuple = std::get_if<sema::TupleExpr>(&e.kind)) {
    Value out;
    out.is_tuple = true;
    for (const ExprId item : tuple->elements) out.items.push_back(build(item));
    return out;
  }
  if (const auto* var = std::get_if<sema::VarExpr>(&e.kind)) return read(var->var, e.span);
  if (types_.as_array(e.type) != nullptr) return build_array(id);
  if (types_.as_scalar(e.type) != nullptr) return build_scalar(id);
  if (const auto* item = std::get_if<sema::TupleItemExpr>(&e.kind)) return build(item->tuple).items[item->index];
  if (const auto* ternary = std::get_if<sema::TernaryExpr>(&e.kind)) return build_ternary(*ternary, e.type, e.span);
  if (const auto* map = std::get_if<sema::MapExpr>(&e.kind))
    return map_value(map->function, build_nodes(map->args), e.span);
  if (const auto* call = std::get_if<sema::CallExpr>(&e.kind)) {
    if (works_on_arrays(*call->function, types_) || !types_.as_tuple(e.type)) return build_call(*call, e.span);
  }
  if (types_.as_tuple(e.type) != nullptr) {  // frexp(x) of a scalar, a device function with several results
    const auto leaf = [&](ExprId x) { return is_leaf(x); };
    ScalarFunction scalar =
        extract_scalar(types_, *frame_->fn, id, std::string(file_.text(e.span).substr(0, 60)), leaf);
    return map_value(std::move(scalar.function), build_nodes(scalar.leaves), e.span);
  }
  throw NotAnArrayProgram(e.span, "this expression");
}

// --- scalars ---------------------------------------------------------------------------------------------------------

/// What is no part of the function of a scalar expression, but a value that it takes.
bool ProgramBuilder::is_leaf(ExprId id) {
  const sema::Expr& e = expr(id);
  if (const auto* call = std::get_if<sema::CallExpr>(&e.kind)) return works_on_arrays(*call->function, types_);
  if (std::holds_alternative<sema::TernaryExpr>(e.kind) || std::holds_alternative<sema::LogicExpr>(e.kind)) {
    return takes_arrays(id);
  }
  if (const auto* item = std::get_if<sema::TupleItemExpr>(&e.kind))
    return is_leaf(item->tuple) || takes_arrays(item->tuple);
  return std::holds_alternative<sema::VarExpr>(e.kind) || std::holds_alternative<sema::FoldExpr>(e.kind) ||
         std::holds_alternative<sema::ElementExpr>(e.kind) || std::holds_alternative<sema::ExtentExpr>(e.kind) ||
         std::holds_alternative<sema::SizeExpr>(e.kind) || std::holds_alternative<sema::LetExpr>(e.kind) ||
         std::holds_alternative<sema::MapExpr>(e.kind) || std::holds_alternative<sema::SqueezeExpr>(e.kind) ||
         std::holds_alternative<sema::DiagonalExpr>(e.kind) || std::holds_alternative<sema::ContractExpr>(e.kind);
}

bool ProgramBuilder::takes_arrays(ExprId id) {
  const sema::Expr& e = expr(id);
  if (std::holds_alternative<sema::ElementExpr>(e.kind) || std::holds_alternative<sema::FoldExpr>(e.kind)) return true;
  if (types_.as_array(e.type) != nullptr && !std::holds_alternative<sema::VarExpr>(e.kind)) return true;
  if (const auto* call = std::get_if<sema::CallExpr>(&e.kind); call && works_on_arrays(*call->function, types_)) {
    return true;
  }
  bool found = false;
  sema::for_each_operand(e, [&](ExprId operand) { found = found || takes_arrays(operand); });
  return found;
}

Value ProgramBuilder::build_scalar(ExprId id) {
  const sema::Expr& e = expr(id);
  if (e.constant) return {constant(dtype_of(e.type), *e.constant), {}, false};
  const auto scalar_tree = [&]() -> Value {
    const auto leaf = [&](ExprId x) { return is_leaf(x); };
    ScalarFunction scalar =
        extract_scalar(types_, *frame_->fn, id, std::string(file_.text(e.span).substr(0, 60)), leaf);
    std::vector<NodeId> args = build_nodes(scalar.leaves);
    return {map(std::move(scalar.function), std::move(args), dtype_of(e.type), e.span), {}, false};
  };
  if (!is_leaf(id)) return scalar_tree();
  return base::match(
      e.kind,
      [&](const sema::FoldExpr& x) -> Value {
        return {fold(x, build_node(x.array), dtype_of(e.type), e.span), {}, false};
      },
      [&](const sema::ElementExpr& x) -> Value {
        return {build_element(x, e.span), {}, false};
      },
      [&](const sema::ExtentExpr& x) -> Value {
        return {extent_node(build_node(x.array), x.axis, e.span), {}, false};
      },
      [&](const sema::SizeExpr& x) -> Value {
        const NodeId array = build_node(x.array);
        const NodeId flat = reshape(array, {index_number(-1)}, e.span);
        return {extent_node(flat, 0, e.span), {}, false};
      },
      [&](const sema::CallExpr& x) { return build_call(x, e.span); },
      [&](const sema::TernaryExpr& x) { return build_ternary(x, e.type, e.span); },
      [&](const sema::LogicExpr& x) -> Value {
        return {build_logic(x, e.span), {}, false};
      },
      [&](const sema::TupleItemExpr& x) { return build(x.tuple).items[x.index]; },
      [&](const sema::MapExpr& x) { return map_value(x.function, build_nodes(x.args), e.span); },
      [&](const auto&) { return build_array(id); });
}

/// The branch that is not taken is not computed: it may be an element outside of an array.
Value ProgramBuilder::build_ternary(const sema::TernaryExpr& e, sema::TypeId type, Span span) {
  const NodeId cond = host_scalar(e.cond);
  write_back(span);
  const std::vector<SlotId> slots = make_slots("choice", type, false);
  const auto branch = [&](ExprId value) {
    return block([&] {
      size_t next = 0;
      set_slots(slots, build(value), next, span);
      write_back(span);
    });
  };
  const auto memo = frame_->memo;
  Block then_block = branch(e.then_value);
  frame_->memo = memo;
  Block else_block = branch(e.else_value);
  frame_->memo = memo;
  emit(span, If{cond, std::move(then_block), std::move(else_block)});
  size_t next = 0;
  return read_slots(slots, type, next, span);
}

NodeId ProgramBuilder::build_logic(const sema::LogicExpr& e, Span span) {
  const sema::TypeId b1 = types_.scalar(DType::b1);
  const std::vector<SlotId> slots = make_slots(e.is_and ? "and" : "or", b1, true);
  const auto memo = frame_->memo;
  write_back(span);
  const std::function<void(size_t)> from = [&](size_t k) {
    const NodeId value = host_scalar(e.operands[k]);
    emit(span, Set{slots[0], value});
    if (k + 1 == e.operands.size()) return;
    Block rest = block([&] { from(k + 1); });
    const NodeId cond = value;
    emit(span, e.is_and ? If{cond, std::move(rest), {}} : If{cond, {}, std::move(rest)});
  };
  from(0);
  frame_->memo = memo;
  size_t next = 0;
  return read_slots(slots, b1, next, span).node;
}

// --- arrays ----------------------------------------------------------------------------------------------------------

Value ProgramBuilder::build_array(ExprId id) {
  const sema::Expr& e = expr(id);
  const Span span = e.span;
  const auto value = [](NodeId node) { return Value{node, {}, false}; };
  const auto shaped = [&](auto kind, const std::vector<ExprId>& extents, std::string key) {
    Node out{span, dtype_of(e.type), {}, std::move(kind)};
    for (const ExprId x : extents) {
      out.shape.push_back(extent_of(host_scalar(x)));
      if (!key.empty()) key += fmt::format(",{}", out.shape.back().index);
    }
    return value(add(std::move(out), std::move(key)));
  };
  return base::match(
      e.kind, [&](const sema::MapExpr& x) { return map_value(x.function, build_nodes(x.args), span); },
      [&](const sema::FillExpr& x) {
        const NodeId scalar = x.value.valid() ? build_node(x.value) : NodeId();
        return shaped(Fill{scalar}, x.shape, "");
      },
      [&](const sema::IotaExpr& x) { return shaped(Iota{}, {x.count}, "i"); },
      [&](const sema::PermuteExpr& x) { return value(permute(build_node(x.array), x.axes, span)); },
      [&](const sema::TransposeExpr& x) {
        const NodeId base = build_node(x.array);
        std::vector<uint32_t> axes;
        for (size_t k = node(base).rank(); k-- > 0;) axes.push_back(static_cast<uint32_t>(k));
        return value(permute(base, axes, span));
      },
      [&](const sema::BroadcastExpr& x) {
        const NodeId base = build_node(x.array);
        return shaped(Broadcast{base}, x.shape, fmt::format("b{}", base.index));
      },
      [&](const sema::ReshapeExpr& x) {
        const NodeId base = build_node(x.array);
        std::vector<NodeId> shape;
        for (const ExprId extent : x.shape) shape.push_back(host_scalar(extent));
        return value(reshape(base, std::move(shape), span));
      },
      [&](const sema::SqueezeExpr& x) {
        const NodeId base = build_node(x.array);
        Node out{span, dtype_of(e.type), node(base).shape, Squeeze{base, x.axis}};
        out.shape.erase(out.shape.begin() + x.axis);
        return value(add(std::move(out), fmt::format("q{}:{}", base.index, x.axis)));
      },
      [&](const sema::DiagonalExpr& x) {
        const NodeId base = build_node(x.array);
        Node out{span, dtype_of(e.type), node(base).shape, Diagonal{base}};
        const ExtentId second = out.shape.back();
        out.shape.pop_back();
        const bool same = out.shape.back() == second;
        const NodeId id2 = program_.nodes.add(std::move(out));
        if (!same) {
          const uint32_t last = static_cast<uint32_t>(node(id2).rank()) - 1;
          program_.nodes[id2].shape.back() = program_.extents.add(OwnExtent{id2.index, last});
        }
        return value(define(id2));
      },
      [&](const sema::PartViewExpr& x) {
        const NodeId base = build_node(x.array);
        const NodeId map = map_value(x.element, {base}, span).node;
        return value(add(Node{span, dtype_of(e.type), node(base).shape, Part{base, x.imag, map}},
                         fmt::format("p{}:{}", base.index, x.imag)));
      },
      [&](const sema::JoinExpr& x) { return value(join(x, build_nodes(x.arrays), dtype_of(e.type), span)); },
      [&](const sema::CopyExpr& x) {
        const NodeId base = build_node(x.array);
        return value(add(Node{span, dtype_of(e.type), node(base).shape, Copy{base}}));
      },
      [&](const sema::FoldExpr& x) { return value(fold(x, build_node(x.array), dtype_of(e.type), span)); },
      [&](const sema::ContractExpr& x) {
        const NodeId a = build_node(x.a), b = build_node(x.b);
        return value(contract(x, a, b, dtype_of(e.type), span));
      },
      [&](const sema::ViewExpr& x) { return value(build_view(x, span)); },
      [&](const sema::TernaryExpr& x) { return build_ternary(x, e.type, span); },
      [&](const sema::CallExpr& x) { return build_call(x, span); },
      [&](const sema::TupleItemExpr& x) { return build(x.tuple).items[x.index]; },
      // Another layout of the same array.
      [&](const sema::ConvertExpr& x) { return build(x.operand); },
      [&](const sema::MemoryExpr& x) { return value(table(x, span)); },
      [&](const auto&) -> Value { throw NotAnArrayProgram(span, "this array"); });
}

NodeId ProgramBuilder::build_view(const sema::ViewExpr& e, Span span) {
  const NodeId base = build_node(e.array);
  std::vector<Selection> axes;
  for (const sema::AxisSelection& a : e.axes) {
    Selection s;
    const auto bound = [&](ExprId id) { return id.valid() ? host_scalar(id) : NodeId(); };
    if (a.is_new) {
      s.kind = Selection::Kind::new_axis;
    } else if (!a.is_slice) {
      s.kind = Selection::Kind::index;
      s.index = host_scalar(a.index);
    } else if (a.lower.valid() || a.upper.valid() || a.step.valid()) {
      s = {Selection::Kind::slice, NodeId(), bound(a.lower), bound(a.upper), bound(a.step)};
    }
    axes.push_back(s);
  }
  return slice(base, std::move(axes), span);
}

/// Where the element lies.
NodeId ProgramBuilder::build_place(const sema::ElementExpr& e, Span span) {
  const NodeId base = build_node(e.array);
  std::vector<Selection> axes;
  for (const ExprId index : e.indices) { axes.push_back({Selection::Kind::index, host_scalar(index), {}, {}, {}}); }
  return slice(base, std::move(axes), span);
}

/// A number, not a view: what is stored later does not change it.
NodeId ProgramBuilder::build_element(const sema::ElementExpr& e, Span span) {
  const NodeId place = build_place(e, span);
  const DType dtype = node(place).dtype;
  return map(identity_function(types_, dtype, span), {place}, dtype, span);
}

bool ProgramBuilder::works_on_arrays(const sema::TypedFunction& fn, const types::TypeTable& types) {
  const auto has_arrays = [&](sema::TypeId type) {
    if (types.as_array(type) != nullptr) return true;
    const types::TupleType* tuple = types.as_tuple(type);
    return tuple != nullptr && std::any_of(tuple->elements.begin(), tuple->elements.end(),
                                           [&](sema::TypeId t) { return types.as_array(t) != nullptr; });
  };
  for (const sema::Variable& v : fn.vars) {
    if (has_arrays(v.type)) return true;
  }
  for (const sema::Expr& e : fn.exprs) {
    if (has_arrays(e.type)) return true;
    const auto* call = std::get_if<sema::CallExpr>(&e.kind);
    if (call != nullptr && works_on_arrays(*call->function, types)) return true;
  }
  return false;
}

Value ProgramBuilder::build_call(const sema::CallExpr& e, Span span) {
  std::vector<Value> args;
  for (const ExprId arg : e.args) args.push_back(build(arg));
  return inline_function(*e.function, args, span);
}

}  // namespace jitc::array
