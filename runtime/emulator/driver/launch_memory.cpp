#include "runtime/emulator/driver/launch_memory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/emulator/driver/launch_arrays.hpp"
#include "runtime/emulator/exec/block.hpp"

namespace jitc::emulator::driver {
namespace {

std::byte* within(std::byte* begin, uint64_t size, const MemoryRequest& request) {
  const bool is_inside = request.address <= size && request.size_bytes <= size - request.address;
  return is_inside ? begin + request.address : nullptr;
}

/// Accesses are at most so wide, and frames are placed by it.
constexpr uint32_t kAlignBytes = 16;

uint32_t round_up(uint32_t size_bytes) { return (size_bytes + kAlignBytes - 1) / kAlignBytes * kAlignBytes; }

uint32_t frame_bytes(const KernelLaunch& launch) { return launch.program->functions[0].decoded->frame_bytes; }

/// For the frames of calls, and for what alloca takes.
bool uses_stack(const KernelLaunch& launch) {
  const Program& program = *launch.program->program;
  return program.functions.size() > 1 || !program.functions[0].stack.is_none();
}

std::string_view name_of(Area area) {
  if (area == Area::shared) return "shared memory";
  return area == Area::local ? "local memory" : "the parameters";
}

}  // namespace

LaunchSizes::LaunchSizes(const KernelLaunch& launch)
    : shared_bytes(launch.program->program->static_shared_bytes + launch.dynamic_shared_bytes),
      local_bytes(uses_stack(launch) ? round_up(frame_bytes(launch)) + round_up(launch.stack_bytes)
                                     : frame_bytes(launch)),
      count_warps(Block::count_warps({launch.block[0], launch.block[1], launch.block[2]})) {}

/// Local memory of a warp's threads; all else is the block's, or the device's.
class LaunchMemory::WarpMemory : public Memory {
 public:
  explicit WarpMemory(LaunchMemory& block)
      : block_(block), global_(*block.launch_.memory), local_(size_t{block.sizes_.local_bytes} * kLanes) {}

  void begin_block(uint32_t filled_bytes) {
    for (uint32_t lane = 0; lane < kLanes && filled_bytes != 0; ++lane)
      std::fill_n(lane_begin(lane), filled_bytes, std::byte{kFreshByte});
  }

  std::byte* find(const MemoryRequest& request) override {
    switch (request.area) {
      case Area::shared: return within(block_.shared_.data(), block_.shared_.size(), request);
      case Area::kernel_param: return within(block_.params_.data(), block_.params_.size(), request);
      case Area::local: return within(lane_begin(request.lane), block_.sizes_.local_bytes, request);
      default: return global_.find(request.address, request.size_bytes, request.is_write);
    }
  }

 private:
  std::byte* lane_begin(uint32_t lane) { return local_.data() + size_t{lane} * block_.sizes_.local_bytes; }

  LaunchMemory& block_;
  AddressReader global_;
  std::vector<std::byte> local_;
};

std::string describe(const KernelLaunch& launch, const Fault& access) {
  if (access.area != Area::global && access.area != Area::constant) {
    return fmt::format("offset {} of {}", access.address, name_of(access.area));
  }
  const std::string element = array_element_of(launch, access);
  return element.empty() ? launch.memory->explain({access.address, access.size_bytes, 1, false}) : element;
}

LaunchMemory::LaunchMemory(const KernelLaunch& launch)
    : launch_(launch),
      sizes_(launch),
      shared_(sizes_.shared_bytes),
      params_(launch.params.begin(), launch.params.end()) {
  for (uint32_t i = 0; i < sizes_.count_warps; ++i) {
    warps_.push_back(std::make_unique<WarpMemory>(*this));
    pointers_.push_back(warps_.back().get());
  }
}

LaunchMemory::~LaunchMemory() = default;

void LaunchMemory::begin_block() {
  std::fill(shared_.begin(), shared_.end(), std::byte{kFreshByte});
  for (const auto& warp : warps_) warp->begin_block(frame_bytes(launch_));
}

std::string LaunchMemory::explain(const Fault& fault) const {
  if (fault.kind == FaultKind::misaligned) return fmt::format(": {} bytes at {:#x}", fault.size_bytes, fault.address);
  if (fault.kind != FaultKind::out_of_bounds && fault.kind != FaultKind::write_to_constant) return {};
  const AddressQuery query = {fault.address, fault.size_bytes, 1, fault.is_write};
  if (fault.area == Area::global || fault.area == Area::constant) {
    const std::string element = array_element_of(launch_, fault);
    return fmt::format(": {}{}{}", launch_.memory->explain(query), element.empty() ? "" : "; it would be ", element);
  }
  const size_t size = fault.area == Area::shared  ? sizes_.shared_bytes
                      : fault.area == Area::local ? sizes_.local_bytes
                                                  : params_.size();
  // Offsets have 32 bits in these spaces, and one below the space has wrapped.
  return fmt::format(": {} bytes at offset {} of {}, which has {} bytes", fault.size_bytes,
                     static_cast<int32_t>(fault.address), name_of(fault.area), size);
}

}  // namespace jitc::emulator::driver
