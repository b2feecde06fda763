// Where the elements of an array live. Every pointer and every array type has one space, known at compile time.
#pragma once

#include <cstdint>

namespace jitc::types {

enum class MemorySpace : uint8_t {
  kGlobal,  ///< the arrays of the launch
  kShared,  ///< one copy per block
  kLocal,   ///< one copy per thread
  kConst,   ///< values frozen at compile time
};

}  // namespace jitc::types
