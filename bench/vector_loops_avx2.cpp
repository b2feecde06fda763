// Compiled for AVX2.
#include "bench/vector_loops.hpp"

namespace jitc::bench {

void vector_loop_avx2(VectorSymbol f, int arity, const float* x, const float* y, float* out, size_t count) {
  vector_loop<float, 32>(f, arity, x, y, out, count);
}
void vector_loop_avx2(VectorSymbol f, int arity, const double* x, const double* y, double* out, size_t count) {
  vector_loop<double, 32>(f, arity, x, y, out, count);
}

}  // namespace jitc::bench
