// Where the elements of an array argument lie in memory: the same values under different strides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "jitc/artifact.hpp"
#include "src/io/host_array.hpp"

namespace jitc::cases {

enum class Placing : uint8_t {
  kPlain,     ///< contiguous, in the order of the declared layout
  kShifted,   ///< plain, but one element after an aligned address
  kSpread,    ///< every second element along every axis; stride 0 where a read-only array does not vary
  kReversed,  ///< backwards along every axis
};
const char* name(Placing placing);

/// Bytes in memory, with a margin of guard bytes around and between the elements.
struct Placement {
  DType dtype = DType::f8;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides_bytes;
  int64_t offset_bytes = 0;  ///< of element (0, 0, …) in the image
  std::vector<std::byte> image;
};

/// Arrays of a fixed layout are only ever plain or shifted.
Placement place(const io::HostArray& array, const ArgumentInfo& argument, Placing placing);

/// The elements of an image after a launch. Sets `problem` when a guard byte has changed.
io::HostArray read_back(const Placement& placement, const std::vector<std::byte>& image,
                        std::optional<std::string>& problem);

}  // namespace jitc::cases
