// The memory of the arguments of a call: bytes, and where the elements of each array lie in them.
#pragma once

#include <cstddef>
#include <vector>

#include "tests/random_arrays/program.hpp"

namespace jitc::random_arrays {

struct Memory {
  std::vector<std::byte> bytes;
  int64_t offset_bytes = 0;  ///< of element (0, 0, …)
  std::vector<int64_t> strides_bytes;
};

/// Elements by chance, among them now and then such as are special; the bytes between them are filled too.
Memory memory_of(const Parameter& parameter);

}  // namespace jitc::random_arrays
