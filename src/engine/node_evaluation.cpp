// The values of nodes that take no kernel: scalars of the host, and views.
#include "runtime/common/buffer.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/layout.hpp"
#include "runtime/common/make_array.hpp"
#include "src/array/host_eval.hpp"
#include "src/array/uses.hpp"
#include "src/base/match.hpp"
#include "src/engine/plan_runner.hpp"
#include "src/engine/tables.hpp"
#include "src/engine/view_maps.hpp"

namespace jitc::engine {

using runtime::fail;

/// Constants and what was not asked for on its own are computed here.
const NodeValue& PlanRunner::value(NodeId id) {
  NodeValue& known = values_[id.index];
  if (known.kind == NodeValue::Kind::none) known = evaluate(id);
  return values_[id.index];
}

/// Parts that lie side by side are put into memory of their own, for who cannot read them where they are.
const NodeValue& PlanRunner::in_memory_value(NodeId id) {
  if (value(id).kind != NodeValue::Kind::joined) return values_[id.index];
  return values_[id.index] = copied_together(values_[id.index], node(id).dtype);
}

NodeValue PlanRunner::copied_together(const NodeValue& joined, DType dtype) {
  const Array made = runtime::make_array(place_.backend, joined.extents, dtype, place_.queue);
  for (const JoinedPart& part : *joined.parts) {
    const bool is_scalar = part.value.kind == NodeValue::Kind::scalar;
    const NodeValue target = box_of(NodeValue::of(made), part.begin, part.end);
    const NodeValue source = is_scalar ? NodeValue::of(in_memory(part.value.scalar, place_)) : part.value;
    copy_array(broadcast_to(source, target.shape()).array, target.array);
  }
  return NodeValue::of(made);
}

/// Nothing is computed or copied.
NodeValue PlanRunner::joined_value(const array::Join& join, NodeId id) {
  const std::vector<int64_t> shape = shape_of(id);
  std::vector<JoinedPart> parts;
  int64_t at = 0;
  for (const NodeId part : join.parts) {
    const std::vector<int64_t>& own = shape_of(part);
    std::vector<int64_t> begin(shape.size(), 0), end = own;
    begin[join.axis] = at;
    at += own[join.axis];
    end[join.axis] = at;
    if (runtime::count_elems(own) == 0) continue;
    const NodeValue& value = this->value(array::through_fill(program_, part));
    if (value.kind != NodeValue::Kind::joined) {
      // One element for all: a scalar that a kernel has computed, too.
      const bool is_strided = value.kind != NodeValue::Kind::scalar;
      parts.push_back({std::move(begin), std::move(end), is_strided ? broadcast_to(value, own) : value});
      continue;
    }
    for (JoinedPart inner : *value.parts) {
      inner.begin[join.axis] += begin[join.axis];
      inner.end[join.axis] += begin[join.axis];
      parts.push_back(std::move(inner));
    }
  }
  return NodeValue::joined(shape, std::move(parts));
}

NodeValue PlanRunner::evaluate(NodeId id) {
  const array::Node& n = node(id);
  const NodeTitle title = title_of(n);
  return base::match(
      n.kind,
      [&](const array::Param& p) {
        const Argument& arg = args_[p.param];
        if (const auto* scalar = std::get_if<Scalar>(&arg.value())) return NodeValue::of(*scalar);
        return NodeValue::of(std::get<Array>(arg.value()));
      },
      [&](const array::Read& r) {
        const NodeValue& now = slots_[r.slot.index];
        if (now.kind == NodeValue::Kind::none)
          fail(ErrorCode::kernel, "{}: '{}' is read before it has a value", title, program_.slots[r.slot].name);
        return now;
      },
      [&](const array::Map& m) {
        JITC_CHECK(n.on_host, "a map of arrays without a kernel");
        return NodeValue::of(host_scalar(m));
      },
      [&](const array::Extent& e) { return NodeValue::of(Scalar::of(shape_of(e.array)[e.axis])); },
      [&](const array::ToHost& h) { return NodeValue::of(fetch(h.value)); },
      [&](const array::Iota&) { return NodeValue{NodeValue::Kind::index, {}, {}, 0, shape_of(id), {1}}; },
      [&](const array::Table& t) { return NodeValue::of(table_array(function_, t, place_)); },
      [&](const array::Slice& s) { return slice_value(s, n); },
      [&](const array::Permute& p) { return permuted(value(p.base), p.axes); },
      [&](const array::Broadcast& b) {
        const NodeValue& base = value(b.base);
        check_broadcasts(title, text_of(b.base), base.shape(), "", shape_of(id));
        return broadcast_to(base, shape_of(id));
      },
      [&](const array::Join& j) { return joined_value(j, id); },
      [&](const array::Reshape& r) { return reshape_value(r, id); },
      [&](const array::Squeeze& s) { return without_axis(title, value(s.base), s.axis); },
      [&](const array::Diagonal& d) { return diagonal_of(in_memory_value(d.base)); },
      [&](const array::Part& p) { return part_of(in_memory_value(p.base), p.is_imag); },
      [&](const auto&) -> NodeValue { JITC_CHECK(false, "a node whose kernel was not launched"); });
}

Scalar PlanRunner::host_scalar(const array::Map& map) {
  std::vector<Scalar> args;
  for (const NodeId arg : map.args) args.push_back(value(arg).scalar);
  return array::evaluate(types_, *map.function, args);
}

/// Waits for the kernels before.
Scalar PlanRunner::fetch(NodeId id) {
  const NodeValue& v = in_memory_value(id);
  if (v.kind == NodeValue::Kind::scalar) return v.scalar;
  if (v.kind == NodeValue::Kind::index) return {DType::i8, static_cast<uint64_t>(v.first), 0};
  std::byte bytes[16] = {};
  const Stream stream = Stream::of_queue(place_.queue);
  void* const destination = bytes;
  v.array.copy_to_host(destination, size_bytes(v.array.dtype()), stream);
  place_.queue->synchronize();
  Scalar out{v.array.dtype(), 0, 0};
  const size_t part = size_bytes(part_type(out.dtype));
  std::memcpy(&out.bits, bytes, part);
  if (is_complex(out.dtype)) std::memcpy(&out.imag_bits, bytes + part, part);
  return out;
}

NodeValue PlanRunner::slice_value(const array::Slice& slice, const array::Node& n) {
  using Kind = array::Selection::Kind;
  const NodeTitle title = title_of(n);
  const NodeValue base = value(slice.base);
  ViewMap map;
  uint32_t axis = 0;
  for (const array::Selection& s : slice.axes) {
    if (s.kind == Kind::new_axis) {
      map.axes.push_back({});
      continue;
    }
    const int64_t extent = base.shape()[axis];
    if (s.kind == Kind::whole) {
      map.axes.push_back({static_cast<int>(axis), 0, extent, 1});
    } else if (s.kind == Kind::slice) {
      const Range range = range_of(s, extent, title);
      map.axes.push_back({static_cast<int>(axis), range.begin, range.count, range.step});
    } else {
      map.indices.emplace_back(axis, index_of(s, extent, axis, title));
    }
    ++axis;
  }
  return view_of(base, map);
}

/// A view where strides can say it; a copy in C order else.
NodeValue PlanRunner::reshape_value(const array::Reshape& reshape, NodeId id) {
  const NodeValue base = in_memory_value(reshape.base);
  const std::vector<int64_t> shape = shape_of(id);
  std::vector<int64_t> strides;
  if (runtime::count_elems(shape) == 0) return NodeValue::of(new_array(id, shape));
  if (strides_of_reshape(base.shape(), base.strides(), shape, strides)) return base.with(shape, std::move(strides), 0);
  JITC_CHECK(base.kind == NodeValue::Kind::array, "a reshape of an index");
  const Array copy = runtime::make_array(place_.backend, base.shape(), base.array.dtype(), place_.queue);
  copy_array(base.array, copy);
  return NodeValue::of(copy.reshape(shape));
}

/// The caller's memory where that fits: kernels store numbers of rows one behind the other.
Array PlanRunner::new_array(NodeId id, const std::vector<int64_t>& shape) {
  const auto given = given_.find(id.index);
  if (given != given_.end()) {
    const Array& array = given->second;
    if (array.dtype() == node(id).dtype && array.shape() == shape && array.is_c_contiguous()) {
      if (array.buffer()) array.buffer()->use_on(place_.queue);
      return array;
    }
  }
  return runtime::make_array(place_.backend, shape, node(id).dtype, place_.queue);
}

}  // namespace jitc::engine
