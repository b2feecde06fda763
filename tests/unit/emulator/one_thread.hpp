// A kernel on one thread, with a block of global memory.
#pragma once

#include <cstring>
#include <string_view>
#include <vector>

#include "runtime/emulator/exec/run_thread.hpp"
#include "runtime/emulator/program/load_module.hpp"

namespace jitc::emulator_test {

/// Memory of one block on its own: `global` is what the kernel gets as its first parameter.
class OneThread : public emulator::Memory {
 public:
  static constexpr size_t kGlobalBytes = 256;

  /// Loads the text's first kernel. The parameter block begins with the address of `global`.
  explicit OneThread(const std::string& text);

  emulator::Stop run(uint64_t budget_steps = 100000);
  const emulator::Fault& fault() const { return warp_.fault; }

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

  std::byte* find(const emulator::MemoryRequest& request) override;

 private:
  emulator::LoadedModule loaded_;
  alignas(16) std::array<std::byte, kGlobalBytes> global_ = {};
  std::vector<std::byte> params_, shared_, local_, module_global_, module_constant_;
  emulator::LinkedProgram linked_;
  emulator::Warp warp_;
};

/// A kernel of entry_text whose %rd1 is the address of the global memory when `body` begins.
std::string kernel_text(std::string_view body, std::string_view declarations = {});

}  // namespace jitc::emulator_test
