#include "runtime/emulator/driver/launch_arrays.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>

namespace jitc::emulator::driver {
namespace {

/// The eight bytes at an offset of the launch's parameters; nothing where there are none.
std::optional<int64_t> param_at(const KernelLaunch& launch, const LaunchNotes& notes, std::optional<uint32_t> offset) {
  if (!offset) return std::nullopt;
  const auto word_at = [](const std::byte* bytes) {
    int64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return word;
  };
  if (launch.params.size() < (notes.are_in_memory ? 8 : *offset + 8)) return std::nullopt;
  if (!notes.are_in_memory) return word_at(launch.params.data() + *offset);
  const auto block = static_cast<uint64_t>(word_at(launch.params.data()));
  const AddressAnswer answer = launch.memory->find({block + *offset, 8});
  return answer.bytes == nullptr ? std::nullopt : std::optional(word_at(answer.bytes));
}

/// An array argument of one launch; what the kernel does not get is not known.
struct LaunchArray {
  const ArgumentNote* note;
  int64_t base = 0;
  std::vector<std::optional<int64_t>> extents, strides;

  bool has_strides() const {
    return std::all_of(strides.begin(), strides.end(), [](const auto& stride) { return stride && *stride != 0; });
  }
  bool has_extents() const {
    return std::all_of(extents.begin(), extents.end(), [](const auto& extent) { return extent.has_value(); });
  }

  /// Bytes between the address and the nearest of the array's; 0 inside. From the first element where no more is known.
  uint64_t distance(uint64_t address) const {
    int64_t low = 0, high = note->elem_bytes;
    for (size_t axis = 0; has_strides() && has_extents() && axis < strides.size(); ++axis) {
      const int64_t reach = *strides[axis] * std::max<int64_t>(*extents[axis] - 1, 0);
      (reach < 0 ? low : high) += reach;
    }
    const int64_t offset = static_cast<int64_t>(address) - base;
    return static_cast<uint64_t>(std::max<int64_t>({low - offset, offset - high + 1, 0}));
  }
};

/// A stride that is no parameter follows from the extents, or the index of its axis is always 0.
void add_contiguous_strides(LaunchArray& array) {
  const size_t rank = array.strides.size();
  std::optional<int64_t> stride = array.note->elem_bytes;
  for (size_t i = 0; i < rank; ++i) {
    const size_t axis = array.note->is_fortran_order ? i : rank - 1 - i;
    if (!array.strides[axis]) array.strides[axis] = stride;
    stride = stride && array.extents[axis] ? std::optional(*stride * *array.extents[axis]) : std::nullopt;
  }
}

std::vector<LaunchArray> arrays_of(const KernelLaunch& launch) {
  const LaunchNotes& notes = launch.program->program->notes;
  std::vector<LaunchArray> arrays;
  for (const ArgumentNote& note : notes.arguments) {
    const auto base = param_at(launch, notes, note.data);
    if (!base) continue;
    LaunchArray array = {&note, *base, {}, {}};
    for (const auto& offset : note.extents) array.extents.push_back(param_at(launch, notes, offset));
    for (const auto& offset : note.strides) array.strides.push_back(param_at(launch, notes, offset));
    add_contiguous_strides(array);
    arrays.push_back(std::move(array));
  }
  return arrays;
}

/// How far the axis reaches below its first element.
int64_t reach_below(const LaunchArray& array, size_t axis) {
  if (!array.extents[axis]) return 0;
  return std::min<int64_t>(0, *array.strides[axis] * std::max<int64_t>(*array.extents[axis] - 1, 0));
}

/// Axis by axis from the widest stride on: where the address is outside, the index is.
std::string element_text(const LaunchArray& array, int64_t offset) {
  if (!array.has_strides()) return fmt::format("{} + {} bytes", array.note->name, offset);
  std::vector<size_t> axes(array.strides.size());
  std::iota(axes.begin(), axes.end(), size_t{0});
  std::stable_sort(axes.begin(), axes.end(),
                   [&](size_t a, size_t b) { return std::abs(*array.strides[a]) > std::abs(*array.strides[b]); });
  int64_t below = 0;  // what the axes that are left reach
  for (const size_t axis : axes) below += reach_below(array, axis);
  std::vector<int64_t> index(axes.size());
  for (const size_t axis : axes) {
    below -= reach_below(array, axis);
    const int64_t width = std::abs(*array.strides[axis]);
    const int64_t rest = ((offset - below) % width + width) % width + below;
    index[axis] = (offset - rest) / *array.strides[axis];
    offset = rest;
  }
  const std::string inner = offset == 0 ? "" : fmt::format(" + {} bytes", offset);
  return fmt::format("{}[{}]{}", array.note->name, fmt::join(index, ", "), inner);
}

/// " of shape (3, 4)"; nothing where no extent is known.
std::string shape_text(const LaunchArray& array) {
  std::vector<std::string> extents;
  for (const auto& extent : array.extents) extents.push_back(extent ? std::to_string(*extent) : "?");
  const bool is_known = std::any_of(array.extents.begin(), array.extents.end(), [](const auto& one) { return !!one; });
  return is_known ? fmt::format(" of shape ({}{})", fmt::join(extents, ", "), extents.size() == 1 ? "," : "") : "";
}

}  // namespace

std::string array_element_at(const KernelLaunch& launch, uint64_t address) {
  const Allocation* allocation = launch.memory->find({address, 1}).nearest;
  const LaunchArray* nearest = nullptr;
  const std::vector<LaunchArray> arrays = arrays_of(launch);
  for (const LaunchArray& array : arrays) {
    const bool is_near = allocation != nullptr && allocation->contains(static_cast<uint64_t>(array.base));
    if (is_near && (nearest == nullptr || array.distance(address) < nearest->distance(address))) nearest = &array;
  }
  if (nearest == nullptr) return {};
  return fmt::format("{} ({} is {}{})", element_text(*nearest, static_cast<int64_t>(address) - nearest->base),
                     nearest->note->name, nearest->note->type, shape_text(*nearest));
}

}  // namespace jitc::emulator::driver
