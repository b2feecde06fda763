#include "runtime/emulator/driver/launch_memory.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace jitc::emulator::driver {
namespace {

std::byte* within(std::vector<std::byte>& bytes, uint64_t begin, uint64_t end, const MemoryRequest& request) {
  const uint64_t size = end - begin;
  const bool is_inside = request.address <= size && request.size_bytes <= size - request.address;
  return is_inside ? bytes.data() + begin + request.address : nullptr;
}

/// Accesses are at most so wide, and frames are placed by it.
constexpr uint32_t kAlignBytes = 16;

uint32_t round_up(uint32_t size_bytes) { return (size_bytes + kAlignBytes - 1) / kAlignBytes * kAlignBytes; }

std::string_view name_of(Area area) {
  if (area == Area::shared) return "shared memory";
  return area == Area::local ? "local memory" : "the parameters";
}

}  // namespace

LaunchMemory::LaunchMemory(const KernelLaunch& launch)
    : launch_(launch),
      global_(*launch.memory),
      local_bytes_(round_up(launch.program->functions[0].decoded->frame_bytes) + round_up(launch.stack_bytes)),
      shared_(launch.program->program->static_shared_bytes + launch.dynamic_shared_bytes),
      local_(size_t{local_bytes_} * kLanes),
      params_(launch.params.begin(), launch.params.end()) {}

void LaunchMemory::begin_block() { std::fill(shared_.begin(), shared_.end(), std::byte{kFreshByte}); }

/// Only the entry's frame: calls find what calls before them left, as on a device.
void LaunchMemory::begin_warp() {
  const uint32_t frame_bytes = launch_.program->functions[0].decoded->frame_bytes;
  for (uint32_t lane = 0; lane < kLanes && frame_bytes != 0; ++lane) {
    const auto begin = local_.begin() + static_cast<ptrdiff_t>(size_t{lane} * local_bytes_);
    std::fill(begin, begin + frame_bytes, std::byte{kFreshByte});
  }
}

std::byte* LaunchMemory::find(const MemoryRequest& request) {
  switch (request.area) {
    case Area::shared: return within(shared_, 0, shared_.size(), request);
    case Area::kernel_param: return within(params_, 0, params_.size(), request);
    case Area::local: {
      const uint64_t begin = uint64_t{request.lane} * local_bytes_;
      return within(local_, begin, begin + local_bytes_, request);
    }
    default: return global_.find(request.address, request.size_bytes, request.is_write);
  }
}

std::string LaunchMemory::explain(const Fault& fault) const {
  if (fault.kind != FaultKind::out_of_bounds && fault.kind != FaultKind::misaligned) return {};
  const AddressQuery query = {fault.address, fault.size_bytes, 1, fault.is_write};
  const bool is_misaligned = fault.kind == FaultKind::misaligned;
  if (is_misaligned) return fmt::format(": {} bytes at {:#x}", fault.size_bytes, fault.address);
  if (fault.area == Area::global || fault.area == Area::constant) return ": " + launch_.memory->explain(query);
  const size_t size = fault.area == Area::shared  ? shared_.size()
                      : fault.area == Area::local ? size_t{local_bytes_}
                                                  : params_.size();
  return fmt::format(": {} bytes at offset {} of {}, which has {} bytes", fault.size_bytes, fault.address,
                     name_of(fault.area), size);
}

}  // namespace jitc::emulator::driver
