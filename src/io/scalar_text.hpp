// Numbers as text: one scalar of a given type, both ways.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "jitc/program.hpp"

namespace jitc::io {

/// A scalar, or the reason why the text is none of that type ("300 does not fit u1 (0 to 255)").
struct ScalarResult {
  std::optional<Scalar> value;
  std::string problem;
};

/// Decimal, 0x, 0o and 0b integers, decimal floats, `inf`, `nan`, `true`, `false`, complex numbers such as `1-2.5j`;
/// underscores between digits. Floats round to nearest; a value out of range, or a fraction for an integer type, is a
/// problem.
ScalarResult parse_scalar(std::string_view text, DType dtype);

/// Whether `text` looks like a number or a truth value at all, whatever its type.
bool looks_like_scalar(std::string_view text);

/// The shortest text that parse_scalar() reads back to the same value: "2.5", "-0", "nan", "true".
std::string format_scalar(Scalar value);

/// The value of f4, f2 or bf16 as the float that prints with the fewest digits among those that round to it.
float short_float(Scalar value);
/// The value as a double; exact for all but large i8 and u8.
double to_double(Scalar value);
/// The value of an integer or b1; u8 above the range of i8 wraps.
int64_t to_int64(Scalar value);

}  // namespace jitc::io
