// The nodes of a program: their shapes, and one node for what is said twice.
#include <fmt/format.h>

#include <algorithm>

#include "src/array/host_eval.hpp"
#include "src/array/program_builder.hpp"
#include "src/array/scalar_function.hpp"
#include "src/array/uses.hpp"

namespace jitc::array {

namespace {

std::string list(const std::vector<NodeId>& ids) {
  std::string out;
  for (const NodeId id : ids) out += fmt::format("{},", id.index);
  return out;
}

}  // namespace

NodeId ProgramBuilder::add(Node node, std::string key) {
  if (!key.empty()) {
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
  }
  const NodeId id = program_.nodes.add(std::move(node));
  if (!key.empty()) known_.emplace(std::move(key), id);
  return define(id);
}

NodeId ProgramBuilder::define(NodeId id) {
  emit(node(id).span, Define{id});
  return id;
}

NodeId ProgramBuilder::constant(DType dtype, const sema::Constant& value) {
  const uint64_t bits = sema::bits_of(sema::cast(value, dtype), dtype);
  const std::string key = fmt::format("c{}:{:x}", name(dtype), bits);
  if (const auto found = forever_.find(key); found != forever_.end()) return found->second;
  Node node{program_.span, dtype, {}, Map{constant_function(types_, dtype, value, program_.span), {}}, true};
  const NodeId id = program_.nodes.add(std::move(node));
  forever_.emplace(key, id);
  if (is_int(dtype) || dtype == DType::b1) {
    constants_.emplace(id.index, static_cast<int64_t>(sema::cast(value, DType::i8).as_int()));
  }
  return id;
}

std::optional<int64_t> ProgramBuilder::constant_value(NodeId id) const {
  const auto found = constants_.find(id.index);
  return found != constants_.end() ? std::optional(found->second) : std::nullopt;
}

/// The value of a map whose function returns one value.
NodeId ProgramBuilder::map(Function function, std::vector<NodeId> args, DType dtype, Span span) {
  Node out{span, dtype, {}, Map{}};
  bool on_host = can_evaluate(types_, *function);
  for (const NodeId arg : args) {
    const Node& a = node(arg);
    on_host = on_host && a.on_host;
    // Shapes are aligned at their last axes.
    const size_t rank = std::max(out.shape.size(), a.rank());
    std::vector<ExtentId> shape(rank, program_.extents.constant(1));
    for (size_t k = 0; k < rank; ++k) {
      const size_t axis = rank - 1 - k;
      if (k < out.shape.size()) shape[axis] = out.shape[out.shape.size() - 1 - k];
      if (k < a.rank()) shape[axis] = program_.extents.joint(shape[axis], a.shape[a.rank() - 1 - k]);
    }
    out.shape = std::move(shape);
  }
  out.on_host = on_host && out.shape.empty();
  std::string key = fmt::format("m{}:{}", static_cast<const void*>(function.get()), list(args));
  out.kind = Map{std::move(function), std::move(args)};
  return add(std::move(out), std::move(key));
}

Value ProgramBuilder::map_value(Function function, std::vector<NodeId> args, Span span) {
  const types::TupleType* tuple = types_.as_tuple(function->return_type);
  if (tuple == nullptr) {
    const DType dtype = dtype_of(function->return_type);
    return {map(std::move(function), std::move(args), dtype, span), {}, false};
  }
  const std::vector<sema::TypeId> items = tuple->elements;
  const NodeId whole = map(std::move(function), std::move(args), dtype_of(items[0]), span);
  Value out;
  out.is_tuple = true;
  for (uint32_t k = 0; k < items.size(); ++k) {
    Node item{span, dtype_of(items[k]), node(whole).shape, Item{whole, k}};
    out.items.push_back({add(std::move(item), fmt::format("t{}:{}", whole.index, k)), {}, false});
  }
  return out;
}

/// How long an axis is, as a scalar.
NodeId ProgramBuilder::extent_node(NodeId array, uint32_t axis, Span span) {
  const ExtentId extent = node(array).shape[axis];
  const ExtentKind& kind = program_.extents[extent];
  if (const auto* c = std::get_if<ConstExtent>(&kind)) return index_number(c->value);
  if (const auto* s = std::get_if<ScalarExtent>(&kind)) return NodeId(s->node);
  Node out{span, DType::i8, {}, Extent{array, axis}, true};
  return add(std::move(out), fmt::format("e{}:{}", array.index, axis));
}

ExtentId ProgramBuilder::extent_of(NodeId scalar) {
  if (const auto value = constant_value(scalar)) return program_.extents.constant(*value);
  if (const auto* e = std::get_if<Extent>(&node(scalar).kind)) return node(e->array).shape[e->axis];
  return program_.extents.add(ScalarExtent{scalar.index});
}

NodeId ProgramBuilder::to_host(NodeId id) {
  if (node(id).on_host) return id;
  Node out{node(id).span, node(id).dtype, {}, ToHost{id}, true};
  return add(std::move(out), fmt::format("h{}", id.index));
}

/// Of a slice whose bounds are constants: what is left. Other lengths are known in a call alone.
ExtentId ProgramBuilder::slice_extent(ExtentId base, const Selection& s) const {
  const auto bound = [&](NodeId id) { return id.valid() ? constant_value(id) : std::optional<int64_t>(0); };
  const auto lower = bound(s.lower), upper = bound(s.upper), step = s.step.valid() ? constant_value(s.step) : 1;
  if (!lower || !upper || !step) return {};
  auto& extents = const_cast<Extents&>(program_.extents);
  if (*step == -1 && !s.lower.valid() && !s.upper.valid()) return base;
  if (*step != 1 || *lower < 0 || *upper > 0) return {};
  if (s.upper.valid() && *upper == 0) return extents.constant(0);  // x[:0], not x[:]
  return extents.rest(base, *lower - *upper);
}

NodeId ProgramBuilder::slice(NodeId base, std::vector<Selection> axes, Span span) {
  if (selects_everything(axes)) return base;
  Node out{span, node(base).dtype, {}, Slice{base, axes}};
  std::string key = fmt::format("s{}:", base.index);
  std::vector<std::optional<ExtentId>> shape;
  size_t axis = 0;
  for (const Selection& s : axes) {
    const auto number = [](NodeId id) { return id.valid() ? static_cast<int64_t>(id.index) : -1; };
    key += fmt::format("{}.{}.{}.{}.{};", static_cast<int>(s.kind), number(s.index), number(s.lower), number(s.upper),
                       number(s.step));
    switch (s.kind) {
      case Selection::Kind::whole: shape.emplace_back(node(base).shape[axis++]); break;
      case Selection::Kind::index:
      case Selection::Kind::first: ++axis; break;
      case Selection::Kind::new_axis: shape.emplace_back(program_.extents.constant(1)); break;
      case Selection::Kind::slice: {
        const ExtentId left = slice_extent(node(base).shape[axis++], s);
        shape.push_back(left.valid() ? std::optional(left) : std::nullopt);
      }
    }
  }
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  const NodeId id = program_.nodes.add(std::move(out));
  for (uint32_t k = 0; k < shape.size(); ++k) {
    program_.nodes[id].shape.push_back(shape[k] ? *shape[k] : program_.extents.add(OwnExtent{id.index, k}));
  }
  known_.emplace(std::move(key), id);
  return define(id);
}

NodeId ProgramBuilder::permute(NodeId base, const std::vector<uint32_t>& axes, Span span) {
  if (std::is_sorted(axes.begin(), axes.end())) return base;
  Node out{span, node(base).dtype, {}, Permute{base, axes}};
  for (const uint32_t axis : axes) out.shape.push_back(node(base).shape[axis]);
  return add(std::move(out), fmt::format("p{}:{}", base.index, fmt::join(axes, ",")));
}

NodeId ProgramBuilder::reshape(NodeId base, std::vector<NodeId> shape, Span span) {
  Node out{span, node(base).dtype, {}, Reshape{base}};
  std::string key = fmt::format("r{}:{}", base.index, list(shape));
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  std::vector<ExtentId> known;
  size_t unknown = 0;
  for (const NodeId extent : shape) {
    const bool open = constant_value(extent) == -1 || !constant_value(extent);
    const bool is_symbol = std::holds_alternative<Extent>(node(extent).kind);
    unknown += open && !is_symbol ? 1 : 0;
    known.push_back(open && !is_symbol ? ExtentId() : extent_of(extent));
  }
  out.kind = Reshape{base, std::move(shape)};
  const NodeId id = program_.nodes.add(std::move(out));
  for (uint32_t k = 0; k < known.size(); ++k) {
    program_.nodes[id].shape.push_back(known[k].valid() ? known[k] : program_.extents.add(OwnExtent{id.index, k}));
  }
  known_.emplace(std::move(key), id);
  return define(id);
}

NodeId ProgramBuilder::fold(const sema::FoldExpr& e, NodeId array, DType dtype, Span span) {
  Node out{span, dtype, {}, Fold{e.op, array, e.folded, e.keepdims, e.needs_elements, e.name, e.is_product}};
  std::string key =
      fmt::format("f{}:{}:{}:{}:{}:", static_cast<int>(e.op), array.index, e.keepdims, e.needs_elements, e.is_product);
  for (size_t axis = 0; axis < e.folded.size(); ++axis) {
    key += e.folded[axis] ? '1' : '0';
    if (!e.folded[axis]) out.shape.push_back(node(array).shape[axis]);
    if (e.folded[axis] && e.keepdims) out.shape.push_back(program_.extents.constant(1));
  }
  return add(std::move(out), std::move(key));
}

NodeId ProgramBuilder::contract(const sema::ContractExpr& e, NodeId a, NodeId b, DType dtype, Span span) {
  Node out{span, dtype, {}, Contract{a, b, e.a_labels, e.b_labels, e.out_labels}};
  for (const char c : e.out_labels) {
    ExtentId extent = program_.extents.constant(1);
    for (const auto& [array, labels] : {std::pair(a, &e.a_labels), std::pair(b, &e.b_labels)}) {
      const size_t at = labels->find(c);
      if (at != std::string::npos) extent = program_.extents.joint(extent, node(array).shape[at]);
    }
    out.shape.push_back(extent);
  }
  return add(std::move(out), fmt::format("x{}:{}:{},{}->{}", a.index, b.index, e.a_labels, e.b_labels, e.out_labels));
}

/// x[k:] and x[:k] are together as long as x, whatever k is.
std::optional<ExtentId> ProgramBuilder::extent_of_both(const std::vector<NodeId>& parts, uint32_t axis) const {
  if (parts.size() != 2) return std::nullopt;
  const auto *tail = std::get_if<Slice>(&node(parts[0]).kind), *head = std::get_if<Slice>(&node(parts[1]).kind);
  if (tail == nullptr || head == nullptr || tail->base != head->base) return std::nullopt;
  for (uint32_t k = 0; k < tail->axes.size(); ++k) {
    const Selection &t = tail->axes[k], &h = head->axes[k];
    const bool splits = t.kind == Selection::Kind::slice && h.kind == t.kind && t.lower == h.upper && t.lower.valid() &&
                        !t.upper.valid() && !h.lower.valid() && !t.step.valid() && !h.step.valid();
    if (k == axis ? !splits : t.kind != Selection::Kind::whole || h.kind != t.kind) return std::nullopt;
  }
  return node(tail->base).shape[axis];
}

NodeId ProgramBuilder::join(const sema::JoinExpr& e, std::vector<NodeId> parts, DType dtype, Span span) {
  Node out{span, dtype, {}, Join{parts, e.axis}};
  const std::optional<ExtentId> whole = extent_of_both(parts, e.axis);
  const NodeId id = program_.nodes.add(std::move(out));
  for (uint32_t axis = 0; axis < node(parts[0]).rank(); ++axis) {
    ExtentId extent = node(parts[0]).shape[axis];
    if (axis == e.axis) extent = whole ? *whole : program_.extents.add(OwnExtent{id.index, axis});
    program_.nodes[id].shape.push_back(extent);
  }
  return define(id);
}

}  // namespace jitc::array
