// Products by a BLAS library: what is given to it, and what is not.
#include "runtime/cpu/blas.hpp"

#include <dlfcn.h>

#include <catch2/catch.hpp>
#include <complex>
#include <vector>

using namespace jitc;
using namespace jitc::runtime;
using namespace jitc::runtime::cpu;

namespace {

const Blas& fake() {
  static const std::shared_ptr<const Blas> loaded = Blas::load(JITC_FAKE_BLAS);
  REQUIRE(loaded != nullptr);
  return *loaded;
}

int calls() {
  fake();
  void* library = dlopen(JITC_FAKE_BLAS, RTLD_NOW | RTLD_NOLOAD);
  REQUIRE(library != nullptr);
  return reinterpret_cast<int (*)()>(dlsym(library, "fake_blas_count"))();
}

enum class Lie : uint8_t { rows, columns, gaps };

template <class T>
struct Matrix {
  Matrix(int64_t batch, int64_t rows, int64_t columns, Lie lie)
      : values(static_cast<size_t>(batch * rows * columns * 2)) {
    const int64_t size = sizeof(T);
    place.batch_bytes = rows * columns * size * 2;
    place.row_bytes = lie == Lie::columns ? size : columns * size * (lie == Lie::gaps ? 2 : 1);
    place.column_bytes = lie == Lie::columns ? rows * size : lie == Lie::gaps ? size * 2 : size;
    place.data = values.data();
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(static_cast<int>(i * 7 % 11) - 5);
  }
  T& at(int64_t batch, int64_t row, int64_t column) {
    auto* bytes = static_cast<std::byte*>(place.data);
    return *reinterpret_cast<T*>(bytes + batch * place.batch_bytes + row * place.row_bytes +
                                 column * place.column_bytes);
  }
  std::vector<T> values;
  MatrixPlace place;
};

/// Whether it was done; what was done must be right. Small numbers, so that no sum rounds.
template <class T>
bool multiplies(Lie a_lie, Lie b_lie, Lie out_lie, int64_t k = 5) {
  const int64_t batch = 2, m = 3, n = 4;
  Matrix<T> a(batch, m, k, a_lie), b(batch, k, n, b_lie), out(batch, m, n, out_lie);
  const int before = calls();
  if (!fake().product({dtype_of<T>(), batch, m, n, k, a.place, b.place, out.place})) {
    CHECK(calls() == before);
    return false;
  }
  CHECK(calls() == before + batch);
  for (int64_t i = 0; i < batch * m * n; ++i) {
    T sum = 0;
    const int64_t at = i / (m * n), row = i / n % m, column = i % n;
    for (int64_t p = 0; p < k; ++p) sum += a.at(at, row, p) * b.at(at, p, column);
    CHECK(out.at(at, row, column) == sum);
  }
  return true;
}

}  // namespace

TEST_CASE("matrices with neighbours along rows or columns are BLAS's") {
  for (const Lie a : {Lie::rows, Lie::columns}) {
    for (const Lie b : {Lie::rows, Lie::columns}) {
      for (const Lie out : {Lie::rows, Lie::columns}) {
        CHECK(multiplies<float>(a, b, out));
        CHECK(multiplies<double>(a, b, out));
        CHECK(multiplies<std::complex<float>>(a, b, out));
        CHECK(multiplies<std::complex<double>>(a, b, out));
      }
    }
  }
}

TEST_CASE("other types and strides are left to our own kernels, and so is a sum of nothing") {
  CHECK(!multiplies<float>(Lie::gaps, Lie::rows, Lie::rows));
  CHECK(!multiplies<float>(Lie::rows, Lie::gaps, Lie::rows));
  CHECK(!multiplies<float>(Lie::rows, Lie::rows, Lie::gaps));
  CHECK(!multiplies<int32_t>(Lie::rows, Lie::rows, Lie::rows));
  CHECK(!multiplies<float>(Lie::rows, Lie::rows, Lie::rows, 0));
}

TEST_CASE("extents beyond 32 bits, and strides that run backwards or stand still, are refused") {
  Matrix<float> a(1, 3, 5, Lie::rows), b(1, 5, 4, Lie::rows), out(1, 3, 4, Lie::rows);
  MatrixProduct product{f4, 1, 3, 4, 5, a.place, b.place, out.place};
  product.a.row_bytes = -20;
  CHECK(!fake().product(product));
  product.a.row_bytes = 0;
  CHECK(!fake().product(product));
  product.a = a.place;
  product.m = int64_t{1} << 31;
  CHECK(!fake().product(product));
}

TEST_CASE("a library that does not load or lacks a function is none") {
  std::string why;
  CHECK(Blas::load("/nowhere/libblas.so", &why) == nullptr);
  CHECK(why.starts_with("the BLAS library '/nowhere/libblas.so' does not load: "));
  CHECK(Blas::load(JITC_FAKE_BLAS_CUT, &why) == nullptr);
  CHECK(why == "the BLAS library '" JITC_FAKE_BLAS_CUT "' has no cblas_zgemm");
}

TEST_CASE("the process's library is the one that JITC_BLAS names") {
  REQUIRE(Blas::of_process() != nullptr);
  CHECK(Blas::of_process()->path() == JITC_FAKE_BLAS);
  Matrix<float> a(1, 3, 5, Lie::rows), b(1, 5, 4, Lie::rows), out(1, 3, 4, Lie::rows);
  CHECK(Blas::of_process()->product({f4, 1, 3, 4, 5, a.place, b.place, out.place}));
}
