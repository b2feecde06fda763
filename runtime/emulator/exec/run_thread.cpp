#include "runtime/emulator/exec/run_thread.hpp"

namespace jitc::emulator {
namespace {

void set(Warp& warp, Special id, Bits value) { warp.specials[static_cast<size_t>(id)].fill(value); }

void fill_specials(Warp& warp) {
  for (Special one :
       {Special::ntid_x, Special::ntid_y, Special::ntid_z, Special::nctaid_x, Special::nctaid_y, Special::nctaid_z,
        Special::nwarpid, Special::nsmid, Special::lanemask_eq, Special::lanemask_le}) {
    set(warp, one, 1);
  }
  set(warp, Special::lanemask_ge, 0xffffffff);
  set(warp, Special::lanemask_gt, 0xfffffffe);
}

}  // namespace

Stop run_thread(Warp& warp, uint64_t budget_steps) {
  fill_specials(warp);
  Group group = enter_kernel(warp, 1);
  return run_group(warp, group, budget_steps);
}

}  // namespace jitc::emulator
