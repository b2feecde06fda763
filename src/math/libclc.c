/* Functions whose implementation is libclc's; names are OpenCL's, mangled. Errors as measured: docs/math-accuracy.md.
 */
#include "device.h"

#if JITC_REAL == 4
#define BINARY(name, libclc_name) \
  f4 libclc_name##ff(f4, f4);     \
  f4 jitc_##name##_f4(f4 x, f4 y) { return libclc_name##ff(x, y); }
#else
#define BINARY(name, libclc_name) \
  f8 libclc_name##dd(f8, f8);     \
  f8 jitc_##name##_f8(f8 x, f8 y) { return libclc_name##dd(x, y); }
#endif

BINARY(hypot, _Z5hypot)
