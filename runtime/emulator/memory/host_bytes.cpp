#include "runtime/emulator/memory/host_bytes.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace jitc::emulator {
namespace {

constexpr auto kAlign = std::align_val_t{512};
/// What of an allocation is filled: the host gives pages of the rest only when someone writes them.
constexpr size_t kFilledBytes = size_t{1} << 20;

}  // namespace

HostBytes make_host_bytes(size_t size_bytes) {
  auto* bytes = static_cast<std::byte*>(::operator new(size_bytes, kAlign));
  HostBytes owner(bytes, [](std::byte* data) { ::operator delete(data, kAlign); });
  std::memset(bytes, kFreshByte, std::min(size_bytes, kFilledBytes));
  return owner;
}

}  // namespace jitc::emulator
