#include "runtime/emulator/driver/load_text.hpp"

#include <cstring>

#include "runtime/emulator/ptx/parse.hpp"

namespace jitc::emulator::driver {
namespace {

/// How machine code begins: an ELF file, a fat binary. Source: the ELF format; fatbinary_section.h.
bool is_machine_code(const void* image) {
  constexpr unsigned char kElf[] = {0x7f, 'E', 'L', 'F'}, kFatBinary[] = {0x50, 0xed, 0x55, 0xba};
  return std::memcmp(image, kElf, sizeof kElf) == 0 || std::memcmp(image, kFatBinary, sizeof kFatBinary) == 0;
}

/// Text that is no PTX at all is an unknown format, not a PTX with errors.
bool looks_like_ptx(const std::string& text) { return text.find(".version") != std::string::npos; }

/// Of a text that is right but asks for more than driver or device have: the driver's newest PTX comes first.
CUresult target_code(const std::string& text, const LoadTarget& target) {
  const bool is_too_new = parse(text).version > target.max_version;
  return is_too_new ? CUDA_ERROR_UNSUPPORTED_PTX_VERSION : CUDA_ERROR_INVALID_PTX;
}

}  // namespace

LoadResult load_text(const void* image, const LoadTarget& target) {
  const auto* begin = static_cast<const char*>(image);
  const size_t size = strnlen(begin, 4);
  if (size == 4 && is_machine_code(image))
    return {CUDA_ERROR_NO_BINARY_FOR_GPU, "machine code is for real devices: give PTX", {}};
  const std::string text = begin;
  if (!looks_like_ptx(text)) return {CUDA_ERROR_INVALID_IMAGE, "the image is no PTX", {}};
  try {
    return {CUDA_SUCCESS, {}, load_module(text, target)};
  } catch (const TargetError& error) {
    return {target_code(text, target), "ptx fatal: " + error.message(), {}};
  } catch (const LoadError& error) { return {CUDA_ERROR_INVALID_PTX, std::string("ptx ") + error.what(), {}}; }
}

}  // namespace jitc::emulator::driver
