#include "src/engine/node_values.hpp"

#include <algorithm>

#include "runtime/common/buffer.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/layout.hpp"
#include "src/base/check.hpp"
#include "src/engine/view_maps.hpp"

namespace jitc::engine {

using runtime::fail;

namespace {

int64_t offset_in_buffer(const Array& array) {
  const std::byte* origin = array.buffer() ? array.buffer()->data() : nullptr;
  return array.data() == nullptr || origin == nullptr ? 0 : array.data() - origin;
}

}  // namespace

NodeValue NodeValue::with(std::vector<int64_t> shape, std::vector<int64_t> strides, int64_t offset) const {
  if (kind == Kind::index) return {Kind::index, {}, {}, first + offset, std::move(shape), std::move(strides)};
  return of(
      Array(array.buffer(), array.dtype(), std::move(shape), std::move(strides), offset_in_buffer(array) + offset));
}

NodeValue NodeValue::joined(std::vector<int64_t> shape, std::vector<JoinedPart> parts) {
  NodeValue out{.kind = Kind::joined, .extents = std::move(shape)};
  out.parts = std::make_shared<const std::vector<JoinedPart>>(std::move(parts));
  return out;
}

NodeValue permuted(const NodeValue& base, std::span<const uint32_t> axes) {
  ViewMap map;
  for (const uint32_t axis : axes) map.axes.push_back({static_cast<int>(axis), 0, base.shape()[axis], 1});
  return view_of(base, map);
}

namespace {

bool broadcasts(std::span<const int64_t> from, std::span<const int64_t> to) {
  if (from.size() > to.size()) return false;
  const auto last = to.last(from.size());
  return std::ranges::equal(from, last, [](int64_t own, int64_t wanted) { return own == 1 || own == wanted; });
}

}  // namespace

void check_broadcasts(const NodeTitle& title, std::string_view name, std::span<const int64_t> from,
                      std::string_view target, std::span<const int64_t> to) {
  if (broadcasts(from, to)) return;
  const std::string owner = target.empty() ? "" : fmt::format("'{}', which has ", target);
  fail(ErrorCode::argument, "{}: '{}' has shape {}, which does not broadcast to {}{}", title, name,
       runtime::tuple_text({from.begin(), from.end()}), owner, runtime::tuple_text({to.begin(), to.end()}));
}

NodeValue broadcast_to(const NodeValue& base, std::span<const int64_t> shape) {
  const std::vector<int64_t>& own = base.shape();
  JITC_CHECK(broadcasts(own, shape), "a view of a shape that its base does not broadcast to");
  ViewMap map;
  const size_t missing = shape.size() - own.size();
  for (size_t k = 0; k < shape.size(); ++k) {
    const bool is_new = k < missing;
    const int64_t step = is_new || own[k - missing] == 1 ? 0 : 1;
    map.axes.push_back({is_new ? ViewAxis::kNew : static_cast<int>(k - missing), 0, shape[k], step});
  }
  return view_of(base, map);
}

NodeValue without_axis(const NodeTitle& title, const NodeValue& base, uint32_t axis) {
  const std::vector<int64_t>& shape = base.shape();
  if (shape[axis] != 1) {
    fail(ErrorCode::argument, "{}: axis {} of shape {} has extent {}, not 1, and cannot go", title, axis,
         runtime::tuple_text(shape), shape[axis]);
  }
  ViewMap map{{}, {{axis, 0}}};
  for (size_t k = 0; k < shape.size(); ++k) {
    if (k != axis) map.axes.push_back({static_cast<int>(k), 0, shape[k], 1});
  }
  return view_of(base, map);
}

NodeValue diagonal_of(const NodeValue& base) {
  std::vector<int64_t> shape = base.shape(), strides = base.strides();
  const int64_t extent = std::min(shape[shape.size() - 1], shape[shape.size() - 2]);
  const int64_t stride = strides[shape.size() - 1] + strides[shape.size() - 2];
  shape.pop_back();
  strides.pop_back();
  shape.back() = extent;
  strides.back() = stride;
  return base.with(std::move(shape), std::move(strides), 0);
}

NodeValue part_of(const NodeValue& base, bool is_imag) {
  const Array& array = base.array;
  const DType part = part_type(array.dtype());
  const int64_t offset = offset_in_buffer(array) + (is_imag ? static_cast<int64_t>(size_bytes(part)) : 0);
  return NodeValue::of(Array(array.buffer(), part, array.shape(), array.strides(), offset));
}

Range slice_range(int64_t extent, const int64_t* lower, const int64_t* upper, int64_t step) {
  const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? extent : extent - 1;
  const auto bound = [&](const int64_t* given, int64_t otherwise) {
    if (given == nullptr) return otherwise;
    const int64_t from_front = *given < 0 ? *given + extent : *given;
    return std::clamp(from_front, low, high);
  };
  const int64_t begin = bound(lower, step > 0 ? low : high), end = bound(upper, step > 0 ? high : low);
  const int64_t length = step > 0 ? end - begin : begin - end, stride = step > 0 ? step : -step;
  return {begin, length > 0 ? (length - 1) / stride + 1 : 0, step};
}

std::vector<int64_t> reshaped(const NodeTitle& title, std::span<const int64_t> from, std::vector<int64_t> shape) {
  const std::vector<int64_t> own(from.begin(), from.end());
  const int64_t count = runtime::count_elems(own);
  const std::string wanted = runtime::tuple_text(shape);
  int64_t known = 1;
  int64_t* open = nullptr;
  bool bad = false;
  for (int64_t& extent : shape) {
    if (extent == -1 && open == nullptr) {
      open = &extent;
    } else if (extent < 0) {
      bad = true;
    } else {
      known *= extent;
    }
  }
  if (open != nullptr && known != 0 && count % known == 0) *open = count / known;
  if (bad || (open != nullptr ? *open < 0 : known != count)) {
    fail(ErrorCode::argument, "{}: an array of shape {}, {} elements, cannot be reshaped to {}", title,
         runtime::tuple_text(own), count, wanted);
  }
  return shape;
}

/// Groups of old axes that are one run of memory are cut into the new ones.
bool strides_of_reshape(std::span<const int64_t> shape, std::span<const int64_t> strides,
                        std::span<const int64_t> wanted, std::vector<int64_t>& out) {
  std::vector<int64_t> extents, steps;
  for (size_t k = 0; k < shape.size(); ++k) {
    if (shape[k] == 1) continue;
    extents.push_back(shape[k]);
    steps.push_back(strides[k]);
  }
  out.assign(wanted.size(), 0);
  size_t old_axis = 0, new_axis = 0;
  while (old_axis < extents.size() && new_axis < wanted.size()) {
    size_t old_end = old_axis + 1, new_end = new_axis + 1;
    int64_t old_count = extents[old_axis], new_count = wanted[new_axis];
    while (old_count != new_count) {
      if (new_count < old_count) {
        if (new_end == wanted.size()) return false;
        new_count *= wanted[new_end++];
      } else {
        if (old_end == extents.size()) return false;
        old_count *= extents[old_end++];
      }
    }
    for (size_t k = old_axis; k + 1 < old_end; ++k) {
      if (steps[k] != extents[k + 1] * steps[k + 1]) return false;
    }
    out[new_end - 1] = steps[old_end - 1];
    for (size_t k = new_end - 1; k > new_axis; --k) out[k - 1] = out[k] * wanted[k];
    old_axis = old_end;
    new_axis = new_end;
  }
  return true;
}

}  // namespace jitc::engine
