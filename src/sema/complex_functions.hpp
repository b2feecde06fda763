// The math library's functions of complex numbers, and which built-ins become them.
#pragma once

#include "src/sema/builtins.hpp"
#include "src/sema/typed.hpp"

namespace jitc::sema {

enum class ComplexFunction : uint8_t {
  kSqrt,
  kExp,
  kLog,
  kSin,
  kCos,
  kTan,
  kSinh,
  kCosh,
  kTanh,
  kAsin,
  kAcos,
  kAtan,
  kAsinh,
  kAcosh,
  kAtanh,
  kDiv,
  kPow,
};

/// The functions of the real and of the imaginary part.
struct PartFunctions {
  MathFn real, imag;
};
PartFunctions part_functions(ComplexFunction function);

/// What a built-in is on a complex number: a function, times a factor.
struct ComplexBuiltin {
  Rule rule;   ///< of the built-in,
  int detail;  ///< and which one it is
  ComplexFunction function;
  double scale = 1;
};
/// Null where the built-in has no complex form.
const ComplexBuiltin* find_complex_builtin(const Builtin& builtin);

}  // namespace jitc::sema
