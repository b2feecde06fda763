// Compiled for AVX-512.
#include "bench/vector_loops.hpp"

namespace jitc::bench {

void vector_loop_avx512(VectorSymbol f, int arity, const float* x, const float* y, float* out, size_t count) {
  vector_loop<float, 64>(f, arity, x, y, out, count);
}
void vector_loop_avx512(VectorSymbol f, int arity, const double* x, const double* y, double* out, size_t count) {
  vector_loop<double, 64>(f, arity, x, y, out, count);
}

}  // namespace jitc::bench
