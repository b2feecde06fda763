// Loops over functions of a vector of the widths of AVX2 and AVX-512, which libmvec and SLEEF share: the vectors come
// and go in registers. Each width is a source file of its own, compiled for its instructions.
#pragma once

#include <cstddef>
#include <cstring>

namespace jitc::bench {

using VectorSymbol = void (*)();

template <class T, size_t kBytes>
void vector_loop(VectorSymbol symbol, int arity, const T* x, const T* y, T* out, size_t count) {
  typedef T Vector __attribute__((vector_size(kBytes)));
  constexpr size_t kLanes = kBytes / sizeof(T);
  const auto unary = reinterpret_cast<Vector (*)(Vector)>(symbol);
  const auto binary = reinterpret_cast<Vector (*)(Vector, Vector)>(symbol);
  for (size_t i = 0; i + kLanes <= count; i += kLanes) {
    Vector a, b = {};
    std::memcpy(&a, x + i, kBytes);
    if (arity == 2) std::memcpy(&b, y + i, kBytes);
    const Vector result = arity == 1 ? unary(a) : binary(a, b);
    std::memcpy(out + i, &result, kBytes);
  }
}

#define JITC_DECLARE_VECTOR_LOOPS(name)                                                 \
  void name(VectorSymbol, int arity, const float*, const float*, float*, size_t count); \
  void name(VectorSymbol, int arity, const double*, const double*, double*, size_t count)
JITC_DECLARE_VECTOR_LOOPS(vector_loop_avx2);
JITC_DECLARE_VECTOR_LOOPS(vector_loop_avx512);
#undef JITC_DECLARE_VECTOR_LOOPS

}  // namespace jitc::bench
