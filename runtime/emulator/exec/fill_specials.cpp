#include "runtime/emulator/exec/fill_specials.hpp"

namespace jitc::emulator {
namespace {

void set(Warp& warp, Special id, Bits value) { warp.specials[static_cast<size_t>(id)].fill(value); }

void set_extent(Warp& warp, Special first, const Extent& extent) {
  const auto id = static_cast<uint8_t>(first);
  set(warp, first, extent.x);
  set(warp, static_cast<Special>(id + 1), extent.y);
  set(warp, static_cast<Special>(id + 2), extent.z);
}

/// Threads are numbered along x, then y, then z.
void set_lane(Warp& warp, const Extent& block, uint64_t thread, uint32_t lane) {
  const auto put = [&](Special id, uint64_t value) {
    warp.specials[static_cast<size_t>(id)][lane] = value & UINT32_MAX;
  };
  const uint64_t equal = uint64_t{1} << lane;
  put(Special::tid_x, thread % block.x);
  put(Special::tid_y, thread / block.x % block.y);
  put(Special::tid_z, thread / block.x / block.y);
  put(Special::laneid, lane);
  put(Special::lanemask_eq, equal);
  put(Special::lanemask_lt, equal - 1);
  put(Special::lanemask_le, 2 * equal - 1);
  put(Special::lanemask_ge, ~(equal - 1));
  put(Special::lanemask_gt, ~(2 * equal - 1));
}

}  // namespace

void fill_specials(const BlockPlace& place, uint32_t index, uint32_t static_shared_bytes, Warp& warp) {
  set_extent(warp, Special::ntid_x, place.block);
  set_extent(warp, Special::ctaid_x, place.index);
  set_extent(warp, Special::nctaid_x, place.grid);
  set_extent(warp, Special::clusterid_x, place.index);
  set_extent(warp, Special::nclusterid_x, place.grid);
  set_extent(warp, Special::cluster_nctaid_x, {1, 1, 1});
  set(warp, Special::cluster_nctarank, 1);
  set(warp, Special::warpid, index);
  set(warp, Special::nwarpid, Block::count_warps(place.block));
  const Extent& at = place.index;
  const uint64_t nth = (uint64_t{at.z} * place.grid.y + at.y) * place.grid.x + at.x;
  set(warp, Special::smid, nth % place.multiprocessors);
  set(warp, Special::nsmid, place.multiprocessors);
  set(warp, Special::gridid, place.grid_id);
  set(warp, Special::dynamic_smem_size, place.dynamic_shared_bytes);
  set(warp, Special::total_smem_size, static_shared_bytes + place.dynamic_shared_bytes);
  set(warp, Special::aggr_smem_size, static_shared_bytes + place.dynamic_shared_bytes);
  for (uint32_t lane = 0; lane < kLanes; ++lane) set_lane(warp, place.block, uint64_t{index} * kLanes + lane, lane);
}

}  // namespace jitc::emulator
