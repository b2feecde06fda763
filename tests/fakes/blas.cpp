// A BLAS library of the functions that jitc calls, as plain loops: row-major products alone, each counted.
#include <complex>

namespace {

int count = 0;

template <class T>
void multiply(int order, int a_form, int b_form, int m, int n, int k, T alpha, const void* a, int lda, const void* b,
              int ldb, T beta, void* c, int ldc) {
  ++count;
  if (order != 101) return;
  const auto* x = static_cast<const T*>(a);
  const auto* y = static_cast<const T*>(b);
  auto* out = static_cast<T*>(c);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      T sum = 0;
      for (int p = 0; p < k; ++p) {
        sum += (a_form == 111 ? x[i * lda + p] : x[p * lda + i]) * (b_form == 111 ? y[p * ldb + j] : y[j * ldb + p]);
      }
      T& place = out[i * ldc + j];
      place = beta == T(0) ? alpha * sum : alpha * sum + beta * place;
    }
  }
}

}  // namespace

extern "C" {
int fake_blas_count() { return count; }
void cblas_sgemm(int order, int a_form, int b_form, int m, int n, int k, float alpha, const void* a, int lda,
                 const void* b, int ldb, float beta, void* c, int ldc) {
  multiply<float>(order, a_form, b_form, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
void cblas_dgemm(int order, int a_form, int b_form, int m, int n, int k, double alpha, const void* a, int lda,
                 const void* b, int ldb, double beta, void* c, int ldc) {
  multiply<double>(order, a_form, b_form, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
void cblas_cgemm(int order, int a_form, int b_form, int m, int n, int k, const void* alpha, const void* a, int lda,
                 const void* b, int ldb, const void* beta, void* c, int ldc) {
  using T = std::complex<float>;
  multiply<T>(order, a_form, b_form, m, n, k, *static_cast<const T*>(alpha), a, lda, b, ldb,
              *static_cast<const T*>(beta), c, ldc);
}
#ifndef JITC_FAKE_BLAS_CUT
void cblas_zgemm(int order, int a_form, int b_form, int m, int n, int k, const void* alpha, const void* a, int lda,
                 const void* b, int ldb, const void* beta, void* c, int ldc) {
  using T = std::complex<double>;
  multiply<T>(order, a_form, b_form, m, n, k, *static_cast<const T*>(alpha), a, lda, b, ldb,
              *static_cast<const T*>(beta), c, ldc);
}
#endif
}
