#include "runtime/common/params.hpp"

#include <string>

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

std::optional<NamedExtents::Conflict> NamedExtents::add(const ArgumentInfo& info, std::span<const int64_t> shape) {
  for (size_t axis = 0; axis < info.extent_names.size(); ++axis) {
    const std::string& name = info.extent_names[axis];
    if (name.empty()) continue;
    const Seen& first = seen_.try_emplace(name, Seen{shape[axis], &info, axis}).first->second;
    if (first.extent != shape[axis]) return Conflict{name, first, axis};
  }
  return std::nullopt;
}

NamedExtents check_named_extents(std::string_view title, std::span<const ArgumentInfo> infos,
                                 std::span<const Argument> args) {
  NamedExtents out;
  for (size_t i = 0; i < infos.size(); ++i) {
    if (infos[i].extent_names.empty()) continue;
    const std::span<const int64_t> shape = array_of(args[i]).shape();
    const auto conflict = out.add(infos[i], shape);
    if (!conflict) continue;
    const NamedExtents::Seen& first = conflict->first;
    fail(ErrorCode::argument, "{}: {} is {} in {} (axis {}) but {} in {} (axis {})", title, conflict->name,
         first.extent, first.owner->name, first.axis, shape[conflict->axis], infos[i].name, conflict->axis);
  }
  return out;
}

}  // namespace jitc::runtime
