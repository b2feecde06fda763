#include "runtime/emulator/driver/jit_log.hpp"

#include <algorithm>
#include <cstring>

namespace jitc::emulator::driver {

void JitLog::write_errors(const std::string& text) const {
  write(CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, text);
}

void JitLog::write_infos(const std::string& text) const {
  write(CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, text);
}

/// Numbers are passed as pointers: the driver's way.
void JitLog::write(CUjit_option buffer, CUjit_option size, const std::string& text) const {
  void** buffer_value = value_of(buffer);
  void** size_value = value_of(size);
  if (buffer_value == nullptr || *buffer_value == nullptr || size_value == nullptr || *size_value == nullptr) return;
  const size_t length = std::min(text.size(), reinterpret_cast<size_t>(*size_value) - 1);
  std::memcpy(*buffer_value, text.data(), length);
  static_cast<char*>(*buffer_value)[length] = '\0';
  *size_value = reinterpret_cast<void*>(length);  // NOLINT(performance-no-int-to-ptr)
}

void** JitLog::value_of(CUjit_option option) const {
  for (unsigned i = 0; i < count_; ++i) {
    if (options_[i] == option) return &values_[i];
  }
  return nullptr;
}

}  // namespace jitc::emulator::driver
