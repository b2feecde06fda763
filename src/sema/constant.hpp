// Values known at compile time and their arithmetic, by the language's rules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "jitc/dtype.hpp"
#include "src/base/int128.hpp"
#include "src/syntax/ast.hpp"
#include "src/types/type.hpp"

namespace jitc::sema {

using base::Int128;
using base::UInt128;

/// A bool, an int or a float. The dtype it belongs to is said by the type beside it; an int of a weak constant may be
/// outside i8 as long as it fits Int128.
struct Constant {
  std::variant<bool, Int128, double> value;

  static Constant of_bool(bool v) { return {v}; }
  static Constant of_int(Int128 v) { return {v}; }
  static Constant of_float(double v) { return {v}; }

  bool is_bool() const { return std::holds_alternative<bool>(value); }
  bool is_int() const { return std::holds_alternative<Int128>(value); }
  bool is_float() const { return std::holds_alternative<double>(value); }
  /// bool counts as 0 or 1; not for floats.
  Int128 as_int() const;
  double as_double() const;
  bool truthy() const;
  bool operator==(const Constant& other) const;
};

/// An array known at compile time, in C order.
struct ConstantArray {
  DType dtype = DType::f8;
  std::vector<uint64_t> shape;
  std::vector<std::byte> bytes;  ///< of all elements, little-endian
};

/// Text as Python would print it: True, 12, 0.5.
std::string to_string(const Constant& constant);

/// The value after a cast to `dtype`: wraps, saturates and rounds as the language's casts do.
Constant cast(const Constant& constant, DType dtype);
/// The low bits of the value as stored in memory, zero-extended; `constant` must already be of `dtype`.
uint64_t bits_of(const Constant& constant, DType dtype);
/// True when an int (or bool) constant is a value of `dtype`.
bool fits(const Constant& constant, DType dtype);

/// Folds an operator in the arithmetic of `result` (weak ints: exact). Nothing when the result is not representable
/// (weak int outside Int128, a negative shift, 0 ** -1) or the operator has no constant form.
std::optional<Constant> fold_unary(syntax::UnaryOp op, const Constant& a, types::Scalar result);
std::optional<Constant> fold_binary(syntax::BinaryOp op, const Constant& a, const Constant& b, types::Scalar result);
/// Exact for ints of any sizes.
bool fold_compare(syntax::CompareOp op, const Constant& a, const Constant& b);

/// CPython's float floor division and remainder.
double python_floor_div(double a, double b);
double python_mod(double a, double b);

}  // namespace jitc::sema
