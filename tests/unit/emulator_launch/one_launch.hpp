// A kernel over a grid, with a piece of global memory.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/emulator/driver/execute.hpp"
#include "runtime/emulator/program/load_module.hpp"

namespace jitc::emulator_test {

/// A text's first kernel. Its only parameter is the address of an allocation of words, which are zero.
class OneLaunch {
 public:
  static constexpr size_t kWords = 1024;

  explicit OneLaunch(const std::string& text);

  emulator::driver::KernelLaunch launch;  ///< the shape is the test's

  /// The fault's report, or nothing.
  std::string run();
  /// Of the last run.
  const emulator::Fault& fault() const { return fault_; }
  const std::string& printed() const { return printed_; }
  uint32_t word(size_t index) const { return words_[index]; }

 private:
  emulator::AllocationPtr add(std::byte* bytes, size_t size_bytes, emulator::MemoryKind kind);

  emulator::LoadedModule loaded_;
  std::vector<uint32_t> words_ = std::vector<uint32_t>(kWords);
  std::vector<uint64_t> module_global_, module_constant_;
  std::vector<std::byte> params_;
  emulator::LinkedProgram linked_;
  std::unique_ptr<emulator::AddressMap> memory_;
  emulator::Fault fault_;
  std::string printed_;
};

/// A kernel `k` on the allocation at %rd1: %r1 is the thread, %r2 the block, %r3 the thread of the grid, %rd2 the
/// address of its word.
std::string grid_text(std::string_view body, std::string_view declarations = {});

}  // namespace jitc::emulator_test
