// From the arguments of a launch to the bytes that the compiled entry reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "jitc/artifact.hpp"
#include "jitc/program.hpp"

namespace jitc::runtime {

/// What a slot of a scalar argument holds: the value, or one part of a complex number.
inline uint64_t scalar_bits(const Scalar& scalar, const ParamSlot& slot) {
  return slot.axis == 0 ? scalar.bits : scalar.imag_bits;
}

/// The parameter block of `artifact`, little-endian: `value_of(slot)` gives what a slot holds, in the low bytes.
template <class ValueOf>
std::vector<std::byte> fill_params(const Artifact& artifact, const ValueOf& value_of) {
  std::vector<std::byte> block(artifact.params_size_bytes);
  for (const ParamSlot& slot : artifact.params) {
    const uint64_t value = value_of(slot);
    std::memcpy(block.data() + slot.offset_bytes, &value, slot.size_bytes);
  }
  return block;
}

/// The parameter block of `artifact`: scalars, addresses, extents and strides at the offsets of its slots. The
/// arguments fit the artifact's in number, kind, dtype and rank.
std::vector<std::byte> pack_params(const Artifact& artifact, std::span<const Argument> args);

/// Throws Error(argument) when an array, or host memory, is not laid out as its argument declares (f4[::1]). Same
/// precondition.
void check_layouts(std::string_view title, std::span<const ArgumentInfo> infos, std::span<const Argument> args);

/// What the names of extents (f4[n,m]) stand for in one call. It refers to the infos that it was given.
class NamedExtents {
 public:
  struct Seen {
    int64_t extent = 0;
    const ArgumentInfo* owner = nullptr;
    size_t axis = 0;
  };
  struct Conflict {
    std::string_view name;
    Seen first;
    size_t axis = 0;  ///< of the array that was added
  };
  /// Notes the extents of an array; the first axis that contradicts what was noted before, if there is one.
  std::optional<Conflict> add(const ArgumentInfo& info, std::span<const int64_t> shape);

 private:
  std::unordered_map<std::string_view, Seen> seen_;
};

/// Throws Error(argument) when extents of one name differ. Same precondition.
NamedExtents check_named_extents(std::string_view title, std::span<const ArgumentInfo> infos,
                                 std::span<const Argument> args);

}  // namespace jitc::runtime
