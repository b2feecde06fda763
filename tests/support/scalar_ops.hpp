// The language's value of every scalar operation (docs: the language's table of operators), written for obviousness:
// what all back ends are compared with. Shares no code with the compiler but the IR's enumerations.
#pragma once

#include <cstdint>

#include "src/kernel/ir.hpp"

namespace jitc::reference {

/// The bits of a value in the low bits of a word, as kernel::Const has them; a pointer is its address.
using Bits = uint64_t;

Bits unary(kernel::UnaryOp op, DType operand_type, Bits operand);
Bits binary(kernel::BinaryOp op, DType type, Bits lhs, Bits rhs);
bool compare(kernel::CompareOp op, DType operand_type, Bits lhs, Bits rhs);
Bits convert(DType from, DType to, Bits value);
Bits fma(DType type, Bits lhs, Bits rhs, Bits addend);

}  // namespace jitc::reference
