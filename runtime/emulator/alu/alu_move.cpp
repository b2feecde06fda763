#include "runtime/emulator/alu/alu_move.hpp"

#include "runtime/emulator/alu/lanes.hpp"

namespace jitc::emulator {
namespace {

Bits copy(Bits a) { return a; }
Bits opposite(Bits a) { return (a & 1) ^ 1; }
Bits extract(Bits a, Bits shift) { return a >> shift; }
Bits offset(Bits a, Bits by) { return a + by; }
Bits inverse_offset(Bits a, Bits by) { return a - by; }
Bits align_up(Bits a, Bits mask) { return (a + mask) & ~mask; }
Bits in_window(Bits a, Bits base, Bits size) { return a - base < size; }
Bits below(Bits a, Bits limit) { return a < limit; }

Bits pack_2x16(Bits a, Bits b) { return (a & 0xffff) | (b & 0xffff) << 16; }
Bits pack_2x32(Bits a, Bits b) { return (a & 0xffffffff) | b << 32; }
Bits pack_4x16(Bits a, Bits b, Bits c, Bits d) { return pack_2x16(a, b) | pack_2x16(c, d) << 32; }

}  // namespace

Alu copy_alu() { return {&plain<&copy>, {}}; }
Alu not_alu() { return {&plain<&opposite>, {}}; }
Alu extract_alu() { return {&plain<&extract>, {}}; }
Alu offset_alu() { return {&plain<&offset>, {}}; }
Alu inverse_offset_alu() { return {&plain<&inverse_offset>, {}}; }
Alu align_up_alu() { return {&plain<&align_up>, {}}; }
Alu in_window_alu() { return {&plain<&in_window>, {}}; }
Alu below_alu() { return {&plain<&below>, {}}; }

Alu pack_alu(uint32_t count, uint32_t width_bits) {
  if (count == 4) return {&plain<&pack_4x16>, {}};
  return {width_bits == 16 ? &plain<&pack_2x16> : &plain<&pack_2x32>, {}};
}

}  // namespace jitc::emulator
