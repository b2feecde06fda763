// A kernel on one block, with a piece of global memory.
#pragma once

#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/emulator/exec/block.hpp"
#include "runtime/emulator/program/load_module.hpp"

namespace jitc::emulator_test {

/// A text's first kernel. Its parameter block begins with the address of `global`.
class OneBlock {
 public:
  static constexpr size_t kGlobalBytes = 4096;

  explicit OneBlock(const std::string& text, emulator::Extent block = {1, 1, 1});

  /// Who watches the next run.
  void observe(emulator::Observer& observer) { observer_ = &observer; }
  emulator::BlockState run(uint64_t budget_steps = 1000000);
  const emulator::Fault& fault() { return block_->stopped_warp().fault; }
  std::vector<emulator::WaitingThreads> waiting() const { return block_->waiting(); }

  template <class T>
  T global(size_t index) const {
    T value;
    std::memcpy(&value, global_.data() + index * sizeof(T), sizeof(T));
    return value;
  }
  template <class T>
  void set_global(size_t index, T value) {
    std::memcpy(global_.data() + index * sizeof(T), &value, sizeof(T));
  }
  template <class T>
  void set_param(size_t offset_bytes, T value) {
    std::memcpy(params_.data() + offset_bytes, &value, sizeof(T));
  }
  /// What a kernel is told of a byte of the global memory.
  uint64_t address_of_global(size_t offset_bytes) const {
    return reinterpret_cast<uint64_t>(global_.data()) + offset_bytes;
  }

 private:
  class WarpMemory;
  std::byte* find_shared_by_all(const emulator::MemoryRequest& request);

  emulator::LoadedModule loaded_;
  emulator::Extent extent_;
  alignas(32) std::array<std::byte, kGlobalBytes> global_ = {};
  std::vector<std::byte> params_, shared_, module_global_, module_constant_;
  emulator::LinkedProgram linked_;
  std::vector<std::unique_ptr<emulator::Memory>> memories_;
  emulator::Observer* observer_ = nullptr;
  std::unique_ptr<emulator::Block> block_;
};

/// A kernel of entry_text whose %rd1 is the address of the global memory when `body` begins.
std::string kernel_text(std::string_view body, std::string_view declarations = {});

}  // namespace jitc::emulator_test
