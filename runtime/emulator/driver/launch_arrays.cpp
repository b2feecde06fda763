#include "runtime/emulator/driver/launch_arrays.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>

#include "runtime/emulator/program/address_params.hpp"

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
};

/// A stride that is no parameter follows from the extents, or the index of its axis is always 0.
void add_contiguous_strides(LaunchArray& array) {
  const size_t rank = array.strides.size();
  std::optional<int64_t> stride = array.note->elem_bytes;
  for (size_t i = 0; i < rank; ++i) {
    const size_t axis = array.note->is_fortran_order ? i : rank - 1 - i;
    if (!array.strides[axis]) array.strides[axis] = stride;
    const auto& extent = array.extents[axis];
    stride = stride && extent ? std::optional(*stride * std::max<int64_t>(*extent, 1)) : std::nullopt;
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

/// An address in an array's terms; without strides all of it is bytes.
struct Element {
  std::vector<int64_t> index;
  int64_t inner_bytes;
};

/// Axis by axis from the widest stride on: where the address is outside, the index is.
Element element_at(const LaunchArray& array, uint64_t address) {
  int64_t offset = static_cast<int64_t>(address - static_cast<uint64_t>(array.base));
  if (!array.has_strides()) return {{}, offset};
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
  return {index, offset};
}

std::string element_text(const LaunchArray& array, const Element& element) {
  if (!array.has_strides()) return fmt::format("{} + {} bytes", array.note->name, element.inner_bytes);
  const std::string inner = element.inner_bytes == 0 ? "" : fmt::format(" + {} bytes", element.inner_bytes);
  return fmt::format("{}[{}]{}", array.note->name, fmt::join(element.index, ", "), inner);
}

/// One of its elements has the address. An array of which the kernel gets too little may have its whole allocation.
bool contains(const KernelLaunch& launch, const LaunchArray& array, uint64_t address) {
  if (!array.has_extents() || !array.has_strides()) {
    const Allocation* allocation = launch.memory->find({static_cast<uint64_t>(array.base), 1}).nearest;
    return allocation != nullptr && allocation->contains(static_cast<uint64_t>(array.base)) &&
           allocation->contains(address);
  }
  const Element element = element_at(array, address);
  for (size_t axis = 0; axis < element.index.size(); ++axis) {
    if (element.index[axis] < 0 || element.index[axis] >= *array.extents[axis]) return false;
  }
  return element.inner_bytes >= 0 && element.inner_bytes < array.note->elem_bytes;
}

/// " of shape (3, 4)"; nothing where no extent is known.
std::string shape_text(const LaunchArray& array) {
  std::vector<std::string> extents;
  for (const auto& extent : array.extents) extents.push_back(extent ? std::to_string(*extent) : "?");
  const bool is_known = std::any_of(array.extents.begin(), array.extents.end(), [](const auto& one) { return !!one; });
  return is_known ? fmt::format(" of shape ({}{})", fmt::join(extents, ", "), extents.size() == 1 ? "," : "") : "";
}

std::string text_of(const LaunchArray& array, uint64_t address) {
  return fmt::format("{} ({} is {}{})", element_text(array, element_at(array, address)), array.note->name,
                     array.note->type, shape_text(array));
}

/// The text of the one array that passes; empty where several do, or none.
std::string text_of_only(const std::vector<LaunchArray>& arrays, uint64_t address,
                         const std::function<bool(const LaunchArray&)>& passes) {
  const auto first = std::find_if(arrays.begin(), arrays.end(), passes);
  if (first == arrays.end() || std::any_of(std::next(first), arrays.end(), passes)) return {};
  return text_of(*first, address);
}

}  // namespace

std::string array_element_at(const KernelLaunch& launch, uint64_t address) {
  return text_of_only(arrays_of(launch), address,
                      [&](const LaunchArray& array) { return contains(launch, array, address); });
}

std::string array_element_of(const KernelLaunch& launch, const Fault& fault) {
  const std::set<uint32_t> params = address_params(*fault.function, fault.step, launch.program->program->notes);
  const std::string text = text_of_only(arrays_of(launch), fault.address,
                                        [&](const LaunchArray& array) { return params.contains(*array.note->data); });
  return text.empty() ? array_element_at(launch, fault.address) : text;
}

}  // namespace jitc::emulator::driver
