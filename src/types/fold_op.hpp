// How many elements become one.
#pragma once

#include <cstdint>

namespace jitc::types {

/// All are associative and commutative but for rounding, and have an identity, so that elements that are not there
/// change no bit.
enum class FoldOp : uint8_t {
  kAdd,  ///< floats: identity -0.0. b1: or
  kMul,  ///< b1: and
  kMin,  ///< a NaN wins over all
  kMax,
  kFmin,  ///< a NaN loses against all
  kFmax,
  kArgMin,  ///< i8: the number of the first least element; a NaN wins over all
  kArgMax,
};

}  // namespace jitc::types
