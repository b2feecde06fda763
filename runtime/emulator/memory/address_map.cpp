#include "runtime/emulator/memory/address_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace jitc::emulator {
namespace {

/// No allocation lies so low: what goes there goes through a null pointer.
constexpr uint64_t kNullBytes = 4096;

std::string_view name_of(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::device: return "an allocation";
    case MemoryKind::pooled: return "an allocation of a pool";
    case MemoryKind::module_global: return "a module's global variables";
    case MemoryKind::module_constant: return "a module's constants";
    case MemoryKind::managed: return "a managed allocation";
    case MemoryKind::pinned: return "a pinned host allocation";
    case MemoryKind::registered: return "registered host memory";
  }
  return "memory";
}

std::string place_of(const Allocation& one) {
  return fmt::format("{} of {} bytes at {:#x}{}", name_of(one.owner.kind), one.size_bytes, one.base,
                     one.is_freed ? ", now free" : "");
}

/// Where the access lies seen from an allocation that does not hold its first byte.
std::string distance(const AddressQuery& query, const Allocation& one) {
  if (query.address < one.base) return fmt::format("{} bytes before {}", one.base - query.address, place_of(one));
  const uint64_t behind = one.offset_of(query.address) - one.size_bytes;
  const std::string gap = behind == 0 ? "right" : fmt::format("{} bytes", behind);
  return fmt::format("{} behind the end of {}", gap, place_of(one));
}

std::string problem_text(const AddressQuery& query, const AddressAnswer& answer) {
  if (answer.nearest == nullptr) return "the device has no memory";
  if (query.address < kNullBytes) return "near the null pointer";
  const Allocation& one = *answer.nearest;
  switch (answer.problem) {
    case AddressProblem::outside: return distance(query, one);
    case AddressProblem::crosses_end:
      return fmt::format("at offset {} it crosses the end of {}", one.offset_of(query.address), place_of(one));
    case AddressProblem::misaligned: return fmt::format("not a multiple of {}", query.align_bytes);
    case AddressProblem::freed: return fmt::format("at offset {} of {}", one.offset_of(query.address), place_of(one));
    case AddressProblem::read_only: return fmt::format("a write into {}", place_of(one));
    case AddressProblem::other_device:
      return fmt::format("in {}, which belongs to device {}", place_of(one), one.owner.device);
    case AddressProblem::none: break;
  }
  return fmt::format("in {}", place_of(one));
}

AddressProblem problem_of(const AddressQuery& query, const Allocation* nearest, int device) {
  if (query.address % query.align_bytes != 0) return AddressProblem::misaligned;
  if (nearest == nullptr || !nearest->contains(query.address)) return AddressProblem::outside;
  if (nearest->is_freed) return AddressProblem::freed;
  if (!nearest->contains(query.address, query.size_bytes)) return AddressProblem::crosses_end;
  if (query.is_write && nearest->owner.is_read_only) return AddressProblem::read_only;
  const bool is_here = nearest->owner.device == device || is_host_memory(nearest->owner.kind);
  return is_here ? AddressProblem::none : AddressProblem::other_device;
}

}  // namespace

const Allocation* AddressMap::nearest(uint64_t address) const {
  const auto above = std::upper_bound(allocations_.begin(), allocations_.end(), address,
                                      [](uint64_t at, const AllocationPtr& one) { return at < one->base; });
  if (above != allocations_.begin()) return std::prev(above)->get();
  return above == allocations_.end() ? nullptr : above->get();
}

AddressAnswer AddressMap::find(const AddressQuery& query) const {
  const Allocation* one = nearest(query.address);
  const AddressProblem problem = problem_of(query, one, device_);
  if (problem != AddressProblem::none) return {nullptr, problem, one};
  return {one->bytes + one->offset_of(query.address), problem, one};
}

std::string AddressMap::explain(const AddressQuery& query) const {
  return fmt::format("{} bytes at {:#x}: {}", query.size_bytes, query.address, problem_text(query, find(query)));
}

}  // namespace jitc::emulator
