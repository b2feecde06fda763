// Runs a kernel program over host memory, one thread after the other, straight from the IR: the oracle that every back
// end is compared with. Small before fast.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "jitc/cpu_abi.hpp"
#include "src/kernel/ir.hpp"
#include "tests/support/scalar_ops.hpp"

namespace jitc::reference {

/// What a correct program never does: an access outside the given memory, a misaligned one, or too many steps.
class ReferenceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Memory that the kernel may access.
struct Region {
  const std::byte* begin = nullptr;
  size_t size_bytes = 0;
};

struct ReferenceLaunch {
  std::array<uint32_t, 3> grid = {1, 1, 1};
  std::array<uint32_t, 3> block = {1, 1, 1};
  std::vector<Bits> params;  ///< by KernelProgram::params; pointers are addresses
  std::vector<Region> memory;
  uint64_t max_steps = 200'000'000;  ///< statements and loop tests, of all threads together
};

/// Executes all threads of the grid: blocks and threads x fastest, then y, then z. Returns the first failure, if any;
/// the other threads run on after it. Throws ReferenceError.
std::optional<FailRecord> run(const kernel::KernelProgram& program, const ReferenceLaunch& launch);

}  // namespace jitc::reference
