// Which bits of a frame's registers nothing has written yet, or depend on what nothing has written.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "runtime/emulator/check/byte_shadow.hpp"
#include "runtime/emulator/exec/frame.hpp"

namespace jitc::emulator {

/// Where an undefined value came into a register.
struct Origin {
  enum class Kind : uint8_t { never_written, memory, absent_lane, result };
  Kind kind = Kind::never_written;
  Area area = Area::global;
  const DecodedFunction* function = nullptr;  ///< with `step`: where it was read
  uint32_t step = 0;
  uint64_t address = 0;
  uint32_t size_bytes = 0;
};

/// A register of a warp. Mostly no lane of it is undefined, which one word tells.
class RegisterShadow {
 public:
  /// The lanes with an undefined bit.
  uint32_t lanes() const { return lanes_; }
  Undefined of(uint32_t lane) const;
  Origin origin(uint32_t lane) const;

  void define(uint32_t lanes) { lanes_ &= ~lanes; }
  void set(uint32_t lane, const Undefined& value, const Origin& origin);

 private:
  struct Details {
    std::array<Bits, kLanes> bits;
    std::array<Origin, kLanes> origins;
    uint32_t computed = 0;
  };

  uint32_t lanes_ = ~uint32_t{0};
  std::unique_ptr<Details> details_;  ///< null until a lane is set: nothing was written
};

struct FrameShadow : FrameNotes {
  explicit FrameShadow(const DecodedFunction& function);

  std::vector<RegisterShadow> registers;
};

}  // namespace jitc::emulator
