// In how many ways a function that the host calls with whole arrays becomes a kernel: one kernel serves all calls of
// one form, and is made when the first of them comes.
#pragma once

#include <compare>
#include <cstdint>
#include <variant>
#include <vector>

namespace jitc::kernel {

/// Where the elements of one argument or result lie along the innermost axis of a call.
enum class Walk : uint8_t {
  scalar,   ///< an argument that is no array
  next,     ///< one behind the other
  same,     ///< one element for all
  strided,  ///< at a distance that the call gives
};

/// A ufunc over axes that were joined until no two could be one: see lower_elementwise.cpp.
struct ElementwiseForm {
  std::vector<Walk> params;
  std::vector<Walk> results;
  uint8_t rank = 1;
  /// Above 1: arrays that are walked at all are contiguous, and each thread loads and stores this many neighbouring
  /// elements at once, from addresses that are multiples of as many.
  uint8_t elems_per_thread = 1;
  bool narrow = false;  ///< no element is 2^31 bytes or more away from the first, or 2^31 elements

  auto operator<=>(const ElementwiseForm&) const = default;
};

/// A generalised ufunc over loop axes that were joined until no two could be one: see lower_gufunc.cpp.
struct GufuncForm {
  std::vector<bool> is_scalar;  ///< by input: it is no array
  uint8_t loop_rank = 1;
  bool contiguous = false;  ///< the core of every array is in C order without gaps
  bool narrow = false;      ///< there are less than 2^31 calls of the function

  auto operator<=>(const GufuncForm&) const = default;
};

/// Kernels have one form and nothing here.
using CallForm = std::variant<std::monostate, ElementwiseForm, GufuncForm>;

}  // namespace jitc::kernel
