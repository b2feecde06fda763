// Instructions by their spelling, run on numbers.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "runtime/emulator/alu/alu.hpp"

namespace jitc::emulator_test {

using emulator::Bits;

/// The form of "add.sat.s32", for the newest target. The spelling outlives it.
emulator::Form form_spelled(std::string_view spelling);

/// A function that computes one lane; the result is cut to the width of its destination.
class Computation {
 public:
  explicit Computation(std::string_view spelling);
  Bits operator()(std::initializer_list<Bits> operands) const { return evaluate(operands).value; }
  emulator::AluResult evaluate(std::initializer_list<Bits> operands, Bits carry = 0) const;
  const emulator::Alu& alu() const { return alu_; }

 private:
  emulator::Alu alu_;
  Bits mask_;
};

inline Bits compute(std::string_view spelling, std::initializer_list<Bits> operands) {
  return Computation(spelling)(operands);
}

/// Numbers where integer instructions go wrong: around 0, the extremes of each width, patterns, and `count` by chance.
std::vector<Bits> integer_samples(int count_random);

inline Bits low_bits(Bits bits, uint32_t width) { return width >= 64 ? bits : bits & ((Bits{1} << width) - 1); }

/// The sign-extended value of the low bits.
inline int64_t as_signed(Bits bits, uint32_t width) {
  return static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
}

}  // namespace jitc::emulator_test
