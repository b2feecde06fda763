// Kernel programs made by chance, whose threads work together.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "src/kernel/ir.hpp"

namespace jitc::blocks {

/// A program with the launch that it is made for. Its parameters are the arrays of BlockMemory, in order, and then an
/// i8.
struct BlockProgram {
  uint64_t seed = 0;
  kernel::KernelProgram program;
  std::array<uint32_t, 3> grid = {1, 1, 1};
  std::array<uint32_t, 3> block = {1, 1, 1};
  uint64_t dynamic_shared_bytes = 0;
  int64_t scalar = 0;
};

struct BlockMemory {
  std::vector<int64_t> out;       ///< kOutsPerThread for each thread
  std::vector<int32_t> in;        ///< kInputs
  std::vector<int64_t> exchange;  ///< one for each thread of the grid
  std::vector<int64_t> wide;      ///< kCounters, changed by atomics alone
  std::vector<uint32_t> narrow;

  bool operator==(const BlockMemory&) const = default;
};
constexpr int64_t kOutsPerThread = 8, kInputs = 64, kCounters = 64;

/// Where a program's meaning is defined. Everywhere: no lane shuffles with one that does not take part (on the CPU that
/// gives its own value), none asks who is active (on a GPU, lanes that have parted may stay so), and no thread ends
/// before others wait for the whole grid.
enum class Defined : uint8_t { on_cpu, everywhere };

/// The same seed makes the same program in every run.
BlockProgram random_block_program(uint64_t seed, Defined defined = Defined::on_cpu);

/// What the arrays hold before the launch.
BlockMemory initial_memory(const BlockProgram& program);

}  // namespace jitc::blocks
