// What may stand behind an opcode.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "runtime/emulator/ptx/load_error.hpp"

namespace jitc::emulator {

/// %r1, !%p1, %tid.x, table, table+8, $L__BB0_2, vprintf, _. Which of them it is, the declarations say.
struct NameOperand {
  std::string_view name;
  std::string_view component;  ///< x of %tid.x
  int64_t offset_bytes = 0;    ///< 8 of table+8
  bool is_negated = false;     ///< !%p1
};

/// %p1|%p2; either may be `_`.
struct PairOperand {
  std::string_view first;
  std::string_view second;
};

struct IntegerOperand {
  uint64_t bits;
};

struct RealOperand {
  uint64_t bits;
  bool is_single;  ///< the bits of an f32 (0f3F800000), else of an f64
};

/// [%rd1+8], [table+4], [16]
struct AddressOperand {
  std::string_view base;  ///< empty for a number
  std::string_view component;
  int64_t offset_bytes = 0;
};

using ElementOperand = std::variant<NameOperand, IntegerOperand, RealOperand>;

/// {%r1, %r2}
struct VectorOperand {
  std::vector<ElementOperand> elements;
};

/// The parenthesised results or arguments of a call.
struct ListOperand {
  std::vector<ElementOperand> elements;
};

struct Operand {
  Position at;
  std::variant<NameOperand, PairOperand, IntegerOperand, RealOperand, AddressOperand, VectorOperand, ListOperand> kind;
};

}  // namespace jitc::emulator
