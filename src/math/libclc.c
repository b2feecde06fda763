/* Functions whose implementation is libclc's; names are OpenCL's, mangled. Errors as measured: docs/math-accuracy.md.
   Faults repaired here: several f8 functions lose the sign of a zero. */
#include "device.h"

#if JITC_REAL == 4
#define UNARY(name, libclc_name) \
  f4 libclc_name##f(f4);         \
  f4 jitc_##name##_f4(f4 x) { return libclc_name##f(x); }
#define UNARY_WITH_ZERO(name, libclc_name) \
  f4 libclc_name##f(f4);                   \
  f4 jitc_##name##_f4(f4 x) { return x == 0 ? x : libclc_name##f(x); }
#define BINARY(name, libclc_name) \
  f4 libclc_name##ff(f4, f4);     \
  f4 jitc_##name##_f4(f4 x, f4 y) { return libclc_name##ff(x, y); }
#else
#define UNARY(name, libclc_name) \
  f8 libclc_name##d(f8);         \
  f8 jitc_##name##_f8(f8 x) { return libclc_name##d(x); }
#define UNARY_WITH_ZERO(name, libclc_name) \
  f8 libclc_name##d(f8);                   \
  f8 jitc_##name##_f8(f8 x) { return x == 0 ? x : libclc_name##d(x); }
#define BINARY(name, libclc_name) \
  f8 libclc_name##dd(f8, f8);     \
  f8 jitc_##name##_f8(f8 x, f8 y) { return libclc_name##dd(x, y); }
#endif

BINARY(pow, _Z3pow)
BINARY(hypot, _Z5hypot)
