// The types that each function of the math library takes and gives.
#pragma once

#include <array>
#include <iterator>

#include "src/kernel/ir.hpp"

namespace jitc::kernel {

namespace detail {
struct TypedMath {
  const char* name;
  DType result;
  int arity;
  std::array<DType, 3> params;
};
template <class... Params>
constexpr TypedMath typed_math(const char* name, DType result, Params... params) {
  return {name, result, sizeof...(params), {params...}};
}
using enum DType;
inline constexpr TypedMath kTypedMath[] = {
#define JITC_TYPED_MATH(id, ...) typed_math(__VA_ARGS__),
#include "src/math/typed.def"
#undef JITC_TYPED_MATH
};
constexpr size_t kFirstTyped = static_cast<size_t>(MathFn::kF4Bits);
constexpr const TypedMath& typed(MathFn fn) { return kTypedMath[static_cast<size_t>(fn) - kFirstTyped]; }
}  // namespace detail

/// True of the functions of typed.def, whose types are their own.
constexpr bool is_typed(MathFn fn) { return static_cast<size_t>(fn) >= detail::kFirstTyped; }

/// Type that argument `index` of a call of `fn` must have, when the first argument is a `first`.
constexpr DType argument_type(MathFn fn, size_t index, DType first) {
  if (is_typed(fn)) return detail::typed(fn).params[index];
  if (index == 0) return first;
  if (fn == MathFn::kLdexp || fn == MathFn::kRoundN) return DType::i4;
  return fn == MathFn::kPowi ? DType::i8 : first;
}

/// Type of the result of such a call.
constexpr DType result_type(MathFn fn, DType first) {
  if (is_typed(fn)) return detail::typed(fn).result;
  const bool is_int = fn == MathFn::kFrexpExp || fn == MathFn::kIlogb || fn == MathFn::kRemquo;
  return is_int ? DType::i4 : first;
}

}  // namespace jitc::kernel
