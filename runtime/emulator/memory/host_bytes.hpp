// Bytes of the host that stand for memory of a device.
#pragma once

#include <cstddef>
#include <memory>

namespace jitc::emulator {

/// What new memory holds, as far as it is filled: no number that a program hopes for.
constexpr unsigned char kFreshByte = 0xA5;

/// Freed with the last owner.
using HostBytes = std::shared_ptr<std::byte>;

/// Aligned to 512 bytes, as the driver's own allocations are. Throws std::bad_alloc.
HostBytes make_host_bytes(size_t size_bytes);

}  // namespace jitc::emulator
