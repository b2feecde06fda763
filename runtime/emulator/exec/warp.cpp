#include "runtime/emulator/exec/warp.hpp"

#include <algorithm>

namespace jitc::emulator {

std::shared_ptr<Frame> make_frame(Warp& warp, uint32_t function) {
  auto frame = std::make_shared<Frame>();
  frame->function = &warp.program->functions[function];
  const DecodedFunction& decoded = *frame->function->decoded;
  frame->rows.resize(size_t{decoded.count_slots} * kLanes);
  for (const SpecialUse& use : decoded.specials) {
    const auto& values = warp.specials[static_cast<size_t>(use.id)];
    std::copy(values.begin(), values.end(), frame->row(use.slot));
  }
  return frame;
}

Group enter_kernel(Warp& warp, uint32_t lanes) { return {make_frame(warp, 0), 0, lanes}; }

}  // namespace jitc::emulator
