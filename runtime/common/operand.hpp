// An array of a call, as the planner of calls sees it: nothing here touches memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "jitc/array.hpp"

namespace jitc::runtime {

struct Operand {
  std::string_view name;  ///< for messages
  std::span<const int64_t> shape, strides_bytes;
  uintptr_t address = 0;  ///< of element (0, 0, …)
  size_t elem_bytes = 0;
};

/// The operand looks into the array. Its first `rank` axes; all where `rank` is negative.
inline Operand operand_of(std::string_view name, const Array& array, int rank = -1) {
  const size_t count = rank < 0 ? array.shape().size() : static_cast<size_t>(rank);
  return {name, std::span(array.shape()).first(count), std::span(array.strides()).first(count),
          reinterpret_cast<uintptr_t>(array.data()), size_bytes(array.dtype())};
}

}  // namespace jitc::runtime
