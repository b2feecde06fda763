/* Functions whose implementation is libclc's. Names are OpenCL's, mangled. */
#include "device.h"

#if JITC_REAL == 4
#define UNARY(name, libclc_name) \
  f4 libclc_name##f(f4);         \
  f4 jitc_##name##_f4(f4 x) { return libclc_name##f(x); }
#define BINARY(name, libclc_name) \
  f4 libclc_name##ff(f4, f4);     \
  f4 jitc_##name##_f4(f4 x, f4 y) { return libclc_name##ff(x, y); }
#else
#define UNARY(name, libclc_name) \
  f8 libclc_name##d(f8);         \
  f8 jitc_##name##_f8(f8 x) { return libclc_name##d(x); }
#define BINARY(name, libclc_name) \
  f8 libclc_name##dd(f8, f8);     \
  f8 jitc_##name##_f8(f8 x, f8 y) { return libclc_name##dd(x, y); }
#endif

UNARY(sin, _Z3sin)
UNARY(cos, _Z3cos)
UNARY(tan, _Z3tan)
UNARY(asin, _Z4asin)
UNARY(acos, _Z4acos)
UNARY(atan, _Z4atan)
BINARY(atan2, _Z5atan2)
UNARY(sinh, _Z4sinh)
UNARY(cosh, _Z4cosh)
UNARY(tanh, _Z4tanh)
UNARY(asinh, _Z5asinh)
UNARY(acosh, _Z5acosh)
UNARY(atanh, _Z5atanh)
UNARY(exp, _Z3exp)
UNARY(exp2, _Z4exp2)
UNARY(expm1, _Z5expm1)
UNARY(log, _Z3log)
UNARY(log2, _Z4log2)
UNARY(log10, _Z5log10)
UNARY(log1p, _Z5log1p)
BINARY(pow, _Z3pow)
UNARY(cbrt, _Z4cbrt)
BINARY(hypot, _Z5hypot)
UNARY(erf, _Z3erf)
UNARY(erfc, _Z4erfc)
UNARY(gamma, _Z6tgamma)
UNARY(lgamma, _Z6lgamma)
