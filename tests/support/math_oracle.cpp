#include "tests/support/math_oracle.hpp"

#include <cmath>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>

#include "src/kernel/ops.hpp"
#include "tests/support/half_values.hpp"
#include "tests/support/scalar_bits.hpp"
#include "tests/support/scalar_ops.hpp"

namespace jitc::reference {

namespace {

using kernel::MathFn;

// The library's functions under their names in the object file; each is called with its own signature below.
#define JITC_MATH(id, name, arity)                   \
  extern "C" void f4_##id() asm("jitc_" name "_f4"); \
  extern "C" void f8_##id() asm("jitc_" name "_f8");
#include "src/math/math.def"
#undef JITC_MATH

using AnyFunction = void (*)();
constexpr AnyFunction kF4[] = {
#define JITC_MATH(id, name, arity) f4_##id,
#include "src/math/math.def"
#undef JITC_MATH
};
constexpr AnyFunction kF8[] = {
#define JITC_MATH(id, name, arity) f8_##id,
#include "src/math/math.def"
#undef JITC_MATH
};

template <DType>
struct Host;
#define JITC_HOST(dtype, type) \
  template <>                  \
  struct Host<DType::dtype> {  \
    using Type = type;         \
  };
JITC_HOST(i4, int32_t)
JITC_HOST(i8, int64_t)
JITC_HOST(u2, uint16_t)
JITC_HOST(u4, uint32_t)
JITC_HOST(u8, uint64_t)
JITC_HOST(f4, float)
JITC_HOST(f8, double)
#undef JITC_HOST

template <DType dtype>
typename Host<dtype>::Type host_value(Bits bits) {
  using Type = typename Host<dtype>::Type;
  if constexpr (std::is_floating_point_v<Type>) {
    return float_of<Type>(bits);
  } else {
    return static_cast<Type>(bits);
  }
}

template <DType dtype>
Bits bits_of_host(typename Host<dtype>::Type value) {
  if constexpr (std::is_floating_point_v<typename Host<dtype>::Type>) {
    return bits_of_float(value);
  } else {
    return bits_of_int(dtype, static_cast<int64_t>(value));
  }
}

template <DType result, DType... params, size_t... Index>
Bits call_with_types(AnyFunction entry, const std::vector<Bits>& args, std::index_sequence<Index...>) {
  using Function = typename Host<result>::Type (*)(typename Host<params>::Type...);
  return bits_of_host<result>(reinterpret_cast<Function>(entry)(host_value<params>(args[Index])...));
}

template <DType result, DType... params>
Bits typed_call(AnyFunction entry, const std::vector<Bits>& args) {
  return call_with_types<result, params...>(entry, args, std::make_index_sequence<sizeof...(params)>());
}

using enum DType;
#define JITC_TYPED_MATH(id, name, ...) extern "C" void typed_##id() asm("jitc_" name);
#include "src/math/typed.def"
#undef JITC_TYPED_MATH
constexpr struct {
  AnyFunction entry;
  Bits (*call)(AnyFunction, const std::vector<Bits>&);
} kTyped[] = {
#define JITC_TYPED_MATH(id, name, ...) {typed_##id, typed_call<__VA_ARGS__>},
#include "src/math/typed.def"
#undef JITC_TYPED_MATH
};

/// CPython's float_divmod: the remainder has the divisor's sign, and the quotient is rounded to a whole number.
template <class Float>
struct DivMod {
  Float quotient, remainder;
};
template <class Float>
DivMod<Float> python_divmod(Float a, Float b) {
  Float mod = std::fmod(a, b);
  if (b == 0) return {a / b, mod};
  Float div = (a - mod) / b;
  if (mod != 0) {
    if ((b < 0) != (mod < 0)) {
      mod += b;
      div -= 1;
    }
  } else {
    mod = std::copysign(Float{0}, b);
  }
  Float floored = std::copysign(Float{0}, a / b);
  if (div != 0) {
    floored = std::floor(div);
    if (div - floored > Float{0.5}) floored += 1;
  }
  return {floored, mod};
}

template <class Float>
int exponent_of(Float x) {
  int exponent = 0;
  if (std::isfinite(x)) std::frexp(x, &exponent);
  return exponent;
}

template <class Float>
Float mantissa_of(Float x) {
  int exponent = 0;
  return std::frexp(x, &exponent);
}

template <class Float>
Bits library_call_of_four(AnyFunction entry, const std::vector<Bits>& args) {
  const auto arg = [&](size_t i) { return float_of<Float>(args[i]); };
  return bits_of_float(reinterpret_cast<Float (*)(Float, Float, Float, Float)>(entry)(arg(0), arg(1), arg(2), arg(3)));
}

/// NumPy's division of complex numbers, by Smith's method.
template <class Float>
struct Quotient {
  Float real, imag;
};
template <class Float>
Quotient<Float> smith(Float a, Float b, Float c, Float d) {
  const bool by_real = std::fabs(c) >= std::fabs(d);
  if (by_real && c == 0) return {a / std::fabs(c), b / std::fabs(c)};
  const Float large = by_real ? c : d, small = by_real ? d : c;
  const Float ratio = small / large, scale = 1 / (large + small * ratio);
  if (by_real) return {(a + b * ratio) * scale, (b - a * ratio) * scale};
  return {(a * ratio + b) * scale, (b * ratio - a) * scale};
}

template <class Float>
Bits library_call(MathFn fn, AnyFunction entry, const std::vector<Bits>& args) {
  const Float a = float_of<Float>(args[0]);
  if (fn == MathFn::kIlogb) return bits_of_int(DType::i4, reinterpret_cast<int32_t (*)(Float)>(entry)(a));
  if (args.size() == 1) return bits_of_float(reinterpret_cast<Float (*)(Float)>(entry)(a));
  if (fn == MathFn::kRemquo) {
    return bits_of_int(DType::i4, reinterpret_cast<int32_t (*)(Float, Float)>(entry)(a, float_of<Float>(args[1])));
  }
  if (args.size() == 3) {
    const auto function = reinterpret_cast<Float (*)(Float, Float, Float)>(entry);
    return bits_of_float(function(a, float_of<Float>(args[1]), float_of<Float>(args[2])));
  }
  if (fn == MathFn::kRoundN) {
    const auto digits = static_cast<int32_t>(int_of(DType::i4, args[1]));
    return bits_of_float(reinterpret_cast<Float (*)(Float, int32_t)>(entry)(a, digits));
  }
  if (fn == MathFn::kPowi) {
    const auto exponent = static_cast<int64_t>(args[1]);
    return bits_of_float(reinterpret_cast<Float (*)(Float, int64_t)>(entry)(a, exponent));
  }
  return bits_of_float(reinterpret_cast<Float (*)(Float, Float)>(entry)(a, float_of<Float>(args[1])));
}

template <class Float>
Bits call(MathFn fn, AnyFunction entry, const std::vector<Bits>& args) {
  const Float a = float_of<Float>(args[0]);
  const Float b = args.size() > 1 ? float_of<Float>(args[1]) : Float{0};
  const auto quotient = [&] { return smith(a, b, float_of<Float>(args[2]), float_of<Float>(args[3])); };
  switch (fn) {
    case MathFn::kCdivRe: return bits_of_float(quotient().real);
    case MathFn::kCdivIm: return bits_of_float(quotient().imag);
    case MathFn::kCpowRe:
    case MathFn::kCpowIm: return library_call_of_four<Float>(entry, args);
    case MathFn::kFmod: return bits_of_float(std::fmod(a, b));
    case MathFn::kRemainder: return bits_of_float(std::remainder(a, b));
    case MathFn::kFloorDiv: return bits_of_float(python_divmod(a, b).quotient);
    case MathFn::kPyMod: return bits_of_float(python_divmod(a, b).remainder);
    case MathFn::kNextafter: return bits_of_float(std::nextafter(a, b));
    case MathFn::kLdexp: return bits_of_float(std::ldexp(a, static_cast<int>(int_of(DType::i4, args[1]))));
    case MathFn::kFrexpMant: return bits_of_float(mantissa_of(a));
    case MathFn::kFrexpExp: return bits_of_int(DType::i4, exponent_of(a));
    default: return library_call<Float>(fn, entry, args);
  }
}

/// The neighbour of a on the way to b, by counting.
Bits half_neighbour(DType half, Bits a, Bits b) {
  const double from = half_value(half, a), to = half_value(half, b);
  if (std::isnan(from) || std::isnan(to)) return half_bits(half, std::numeric_limits<double>::quiet_NaN());
  if (from == to) return b;
  if (from == 0) return half_bits(half, std::copysign(half_value(half, 1), to));
  return std::fabs(to) > std::fabs(from) && std::signbit(to) == std::signbit(from) ? a + 1 : a - 1;
}

/// In f4, rounded once.
Bits half_call(MathFn fn, DType half, std::vector<Bits> args) {
  if (fn == MathFn::kNextafter) return half_neighbour(half, args[0], args[1]);
  for (size_t i = 0; i < args.size(); ++i) {
    if (kernel::argument_type(fn, i, half) == half) args[i] = convert(half, DType::f4, args[i]);
  }
  const Bits result = call<float>(fn, kF4[static_cast<size_t>(fn)], args);
  return kernel::result_type(fn, half) == half ? convert(DType::f4, half, result) : result;
}

}  // namespace

Bits math_call(MathFn fn, DType first, const std::vector<Bits>& args) {
  const auto row = static_cast<size_t>(fn);
  if (kernel::is_typed(fn)) {
    const auto& typed = kTyped[row - std::size(kF4)];
    return typed.call(typed.entry, args);
  }
  if (is_half(first)) return half_call(fn, first, args);
  return first == DType::f4 ? call<float>(fn, kF4[row], args) : call<double>(fn, kF8[row], args);
}

}  // namespace jitc::reference
