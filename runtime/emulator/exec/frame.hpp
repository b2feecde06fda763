// A function being run by some lanes of a warp.
#pragma once

#include <memory>
#include <vector>

#include "runtime/emulator/exec/linked_program.hpp"

namespace jitc::emulator {

/// What an observer keeps with a frame.
struct FrameNotes {
  virtual ~FrameNotes() = default;
};

/// Lanes that call a function together share a frame: each has its own values in the rows. Lanes may be at different
/// steps of it, and leave it at different times.
struct Frame {
  const LinkedFunction* function;
  std::shared_ptr<Frame> caller;  ///< null for the kernel's own
  const CallSite* call = nullptr;
  uint32_t return_step = 0;
  uint32_t depth = 0;             ///< calls between the kernel and it
  uint32_t local_base_bytes = 0;  ///< where its part of each lane's local memory begins
  std::vector<Bits> rows;
  std::unique_ptr<FrameNotes> notes;

  Bits* row(Slot slot) { return rows.data() + static_cast<size_t>(slot.index) * kLanes; }
  const Bits* source(Slot slot) const {
    const Bits* constants = function->constant_rows.data();
    return slot.index >= 0 ? rows.data() + static_cast<size_t>(slot.index) * kLanes
                           : constants + slot.constant_index() * kLanes;
  }
};

/// Lanes of one warp at the same step of the same frame: what runs together. Threads that diverge are several groups.
struct Group {
  std::shared_ptr<Frame> frame;
  uint32_t step = 0;
  uint32_t lanes = 0;
};

}  // namespace jitc::emulator
