#include "runtime/emulator/driver/thread_specials.hpp"

namespace jitc::emulator::driver {
namespace {

auto& row(Warp& warp, Special id) { return warp.specials[static_cast<size_t>(id)]; }

void set(Warp& warp, Special id, Bits value) { row(warp, id).fill(value); }

void set_triple(Warp& warp, Special x, const std::array<uint32_t, 3>& values) {
  for (uint32_t axis = 0; axis < 3; ++axis)
    set(warp, static_cast<Special>(static_cast<uint32_t>(x) + axis), values[axis]);
}

void set_lane(Warp& warp, uint32_t lane, const std::array<uint32_t, 3>& thread) {
  row(warp, Special::tid_x)[lane] = thread[0];
  row(warp, Special::tid_y)[lane] = thread[1];
  row(warp, Special::tid_z)[lane] = thread[2];
  row(warp, Special::laneid)[lane] = lane;
  const uint32_t bit = uint32_t{1} << lane;
  row(warp, Special::lanemask_eq)[lane] = bit;
  row(warp, Special::lanemask_lt)[lane] = bit - 1;
  row(warp, Special::lanemask_le)[lane] = bit | (bit - 1);
  row(warp, Special::lanemask_ge)[lane] = ~(bit - 1);
  row(warp, Special::lanemask_gt)[lane] = ~(bit | (bit - 1));
}

}  // namespace

std::array<uint32_t, 3> place_in(const std::array<uint32_t, 3>& shape, uint32_t nth) {
  return {nth % shape[0], nth / shape[0] % shape[1], nth / shape[0] / shape[1]};
}

void fill_specials(Warp& warp, const KernelLaunch& launch, const std::array<uint32_t, 3>& block,
                   uint32_t first_thread) {
  set_triple(warp, Special::ntid_x, launch.block);
  set_triple(warp, Special::ctaid_x, block);
  set_triple(warp, Special::nctaid_x, launch.grid);
  set(warp, Special::warpid, first_thread / kLanes);
  set(warp, Special::nwarpid, (launch.block[0] * launch.block[1] * launch.block[2] + kLanes - 1) / kLanes);
  set(warp, Special::nsmid, launch.multiprocessors);
  set(warp, Special::gridid, launch.grid_id);
  set(warp, Special::dynamic_smem_size, launch.dynamic_shared_bytes);
  set(warp, Special::total_smem_size, launch.program->program->static_shared_bytes + launch.dynamic_shared_bytes);
  for (uint32_t lane = 0; lane < kLanes; ++lane) set_lane(warp, lane, place_in(launch.block, first_thread + lane));
}

}  // namespace jitc::emulator::driver
