#include "tests/support/run_cases/placement.hpp"

#include <algorithm>
#include <cstring>

namespace jitc::cases {

namespace {

constexpr int64_t kMarginBytes = 64;
constexpr std::byte kGuard{0xA5};

/// Calls visit(flat index in C order, byte offset from element (0, 0, …)).
template <class Visit>
void for_each_element(const Placement& p, Visit visit) {
  int64_t count = 1;
  for (int64_t extent : p.shape) count *= extent;
  for (int64_t flat = 0; flat < count; ++flat) {
    int64_t rest = flat, offset = 0;
    for (size_t axis = p.shape.size(); axis-- > 0; rest /= p.shape[axis]) {
      offset += rest % p.shape[axis] * p.strides_bytes[axis];
    }
    visit(flat, p.offset_bytes + offset);
  }
}

/// All elements equal their neighbours along the axis: one row of them would do.
bool constant_along(const io::HostArray& array, size_t axis) {
  int64_t inner = 1;
  for (size_t i = axis + 1; i < array.shape.size(); ++i) inner *= array.shape[i];
  for (int64_t i = 0; i < array.size(); ++i) {
    const int64_t first = i - i / inner % array.shape[axis] * inner;
    if (array.element(i).bits != array.element(first).bits) return false;
  }
  return array.shape[axis] > 1;
}

/// Byte strides of packed elements, every `step`-th one used; axes in `flat` take no room.
std::vector<int64_t> packed_strides(const io::HostArray& array, bool fortran, int64_t step,
                                    const std::vector<bool>& flat) {
  const size_t rank = array.shape.size();
  std::vector<int64_t> strides(rank);
  int64_t stride = static_cast<int64_t>(size_bytes(array.dtype));
  for (size_t i = 0; i < rank; ++i) {
    const size_t axis = fortran ? i : rank - 1 - i;
    strides[axis] = flat[axis] ? 0 : stride * step;
    if (!flat[axis]) stride *= step * std::max<int64_t>(array.shape[axis], 1);
  }
  return strides;
}

/// Turns axes round: the last element of each lies first.
void reverse_axes(Placement& p) {
  for (size_t axis = 0; axis < p.shape.size(); ++axis) {
    p.offset_bytes += std::max<int64_t>(p.shape[axis] - 1, 0) * p.strides_bytes[axis];
    p.strides_bytes[axis] = -p.strides_bytes[axis];
  }
}

int64_t span_bytes(const Placement& p) {
  int64_t span = static_cast<int64_t>(size_bytes(p.dtype));
  for (size_t axis = 0; axis < p.shape.size(); ++axis) {
    span += std::max<int64_t>(p.shape[axis] - 1, 0) * p.strides_bytes[axis];
  }
  return span;
}

}  // namespace

const char* name(Placing placing) {
  static constexpr const char* kNames[] = {"plain", "shifted", "spread", "reversed"};
  return kNames[static_cast<size_t>(placing)];
}

Placement place(const io::HostArray& array, const ArgumentInfo& argument, Placing placing) {
  const bool free_layout = argument.layout == Layout::any;
  const bool spread = free_layout && placing == Placing::kSpread;
  std::vector<bool> flat(array.shape.size());
  for (size_t axis = 0; spread && !argument.written && axis < flat.size(); ++axis)
    flat[axis] = constant_along(array, axis);

  Placement p{.dtype = array.dtype, .shape = array.shape};
  p.strides_bytes = packed_strides(array, argument.layout == Layout::fortran, spread ? 2 : 1, flat);
  p.offset_bytes = kMarginBytes;
  if (placing == Placing::kShifted) p.offset_bytes += static_cast<int64_t>(size_bytes(array.dtype));
  p.image.assign(static_cast<size_t>(span_bytes(p) + p.offset_bytes + kMarginBytes), kGuard);
  if (free_layout && placing == Placing::kReversed) reverse_axes(p);

  const size_t size = size_bytes(array.dtype);
  for_each_element(p, [&](int64_t flat_index, int64_t offset) {
    std::memcpy(p.image.data() + offset, array.bytes.data() + static_cast<size_t>(flat_index) * size, size);
  });
  return p;
}

io::HostArray read_back(const Placement& p, const std::vector<std::byte>& image, std::optional<std::string>& problem) {
  io::HostArray out = io::make_zeros(p.dtype, p.shape);
  std::vector<bool> is_element(image.size());
  const size_t size = size_bytes(p.dtype);
  for_each_element(p, [&](int64_t flat, int64_t offset) {
    std::memcpy(out.bytes.data() + static_cast<size_t>(flat) * size, image.data() + offset, size);
    std::fill_n(is_element.begin() + offset, size, true);
  });
  for (size_t i = 0; i < image.size(); ++i) {
    if (!is_element[i] && image[i] != kGuard) problem = "memory outside the array was written";
  }
  return out;
}

}  // namespace jitc::cases
