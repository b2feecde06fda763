#include "runtime/common/params.hpp"

#include <string>
#include <unordered_map>

#include "runtime/common/error.hpp"
#include "runtime/common/layout.hpp"

namespace jitc::runtime {

namespace {

const Array& array_of(const Argument& arg) { return std::get<Array>(arg.value()); }

/// The slot's value, little-endian in the low bytes.
uint64_t slot_value(const ParamSlot& slot, const Argument& arg) {
  switch (slot.part) {
    case ParamSlot::Part::scalar: return scalar_bits(std::get<Scalar>(arg.value()), slot);
    case ParamSlot::Part::data: return reinterpret_cast<uintptr_t>(array_of(arg).data());
    case ParamSlot::Part::extent: return static_cast<uint64_t>(array_of(arg).shape()[slot.axis]);
    case ParamSlot::Part::stride: return static_cast<uint64_t>(array_of(arg).strides()[slot.axis]);
  }
  fail(ErrorCode::internal, "parameter part {} is unknown: a bug of jitc", static_cast<int>(slot.part));
}

/// An array's place, on a device or in host memory.
struct Laid {
  std::span<const int64_t> shape, strides;
};
Laid laid_out(const Argument& arg) {
  if (const auto* host = std::get_if<HostView>(&arg.value())) return {host->shape(), host->strides()};
  return {array_of(arg).shape(), array_of(arg).strides()};
}

bool has_layout(Laid laid, const ArgumentInfo& info) {
  switch (info.layout) {
    case Layout::any: return true;
    case Layout::c: return is_c_contiguous(laid.shape, laid.strides, size_bytes(info.dtype));
    case Layout::fortran: return is_fortran_contiguous(laid.shape, laid.strides, size_bytes(info.dtype));
  }
  return false;
}

}  // namespace

std::vector<std::byte> pack_params(const Artifact& artifact, std::span<const Argument> args) {
  return fill_params(artifact, [&](const ParamSlot& slot) { return slot_value(slot, args[slot.argument]); });
}

void check_layouts(std::string_view title, std::span<const ArgumentInfo> infos, std::span<const Argument> args) {
  for (size_t i = 0; i < infos.size(); ++i) {
    const ArgumentInfo& info = infos[i];
    if (!info.is_array || has_layout(laid_out(args[i]), info)) continue;
    const Laid laid = laid_out(args[i]);
    fail(ErrorCode::argument,
         "{}: argument {} '{}' is declared {} and must be {}-contiguous, but it has shape {} and strides {}; "
         "pass a contiguous copy or declare it {}",
         title, i + 1, info.name, array_type_text(info.dtype, info.rank, info.layout),
         info.layout == Layout::c ? "C" : "Fortran", tuple_text(laid.shape), tuple_text(laid.strides),
         array_type_text(info.dtype, info.rank));
  }
}

void check_named_extents(std::string_view title, std::span<const ArgumentInfo> infos, std::span<const Argument> args) {
  struct Seen {
    int64_t extent;
    size_t argument, axis;
  };
  std::unordered_map<std::string_view, Seen> seen;
  for (size_t i = 0; i < infos.size(); ++i) {
    for (size_t axis = 0; axis < infos[i].extent_names.size(); ++axis) {
      const std::string& extent_name = infos[i].extent_names[axis];
      if (extent_name.empty()) continue;
      const int64_t extent = array_of(args[i]).shape()[axis];
      const Seen& first = seen.try_emplace(extent_name, Seen{extent, i, axis}).first->second;
      if (first.extent == extent) continue;
      fail(ErrorCode::argument, "{}: {} is {} in {} (axis {}) but {} in {} (axis {})", title, extent_name, first.extent,
           infos[first.argument].name, first.axis, extent, infos[i].name, axis);
    }
  }
}

}  // namespace jitc::runtime
