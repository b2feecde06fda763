// Runs a kernel program over host memory straight from the IR, each thread by itself until it waits for others: the
// oracle that every back end is compared with. Small before fast.
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

/// What a correct program never does: an access outside its memory, a misaligned one, a write to constants, threads
/// that wait for each other at different places, or too many steps.
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
  uint64_t dynamic_shared_bytes = 0;
  uint64_t max_steps = 500'000'000;  ///< statements and ends of blocks, of all threads together
  /// Runs blocks, warps and threads last first: a program for which that makes a difference has a race.
  bool backwards = false;
};

struct ReferenceResult {
  std::optional<FailRecord> failure;  ///< the first one; the other threads run on after it
  std::string printed;
};

/// Executes all threads of the grid: blocks, warps and threads in the order of their numbers, each as far as it can go.
/// Throws ReferenceError.
ReferenceResult run(const kernel::KernelProgram& program, const ReferenceLaunch& launch);

}  // namespace jitc::reference
