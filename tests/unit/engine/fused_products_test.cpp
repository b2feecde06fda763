// Products with what is computed before and after them in one kernel: the bits of the same steps as functions of their
// own.
#include <catch2/catch.hpp>
#include <cmath>
#include <complex>
#include <vector>

#include "tests/support/error_text.hpp"
#include "tests/unit/engine/array_calls.hpp"

using namespace jitc;

namespace {

struct Extents {
  int64_t m, k, n;
};
constexpr Extents kExtents[] = {{1, 1, 1}, {5, 3, 7}, {33, 17, 40}, {70, 300, 130}, {2, 0, 3}, {0, 4, 2}};

Array matrix(int64_t rows, int64_t columns) {
  return array_of(counted(static_cast<size_t>(rows * columns)), {rows, columns});
}

/// Fractions, so that roundings show.
Array uneven(const Array& x) {
  static const Program p = compile_text("@jit('f4[:,:](f4[:,:])')\ndef f(x):\n    return x / np.float32(7)\n");
  return p["f"](x);
}

}  // namespace

TEST_CASE("a layer with bias and rectifier") {
  const Program p = compile_text(R"dsl(
@jit("f4[m,n](f4[m,k], f4[k,n], f4[n])")
def layer(x, w, b):
    h = x @ w + b
    return np.where(h > 0, h, h * np.float32(0.1))

@jit("f4[m,n](f4[m,k], f4[k,n])")
def product(x, w):
    return x @ w

@jit("f4[m,n](f4[m,n], f4[n])")
def after(h, b):
    h = h + b
    return np.where(h > 0, h, h * np.float32(0.1))
)dsl");
  for (const Extents& e : kExtents) {
    INFO(e.m << " " << e.k << " " << e.n);
    const Array x = uneven(matrix(e.m, e.k)), w = uneven(matrix(e.k, e.n)),
                b = array_of(counted(static_cast<size_t>(e.n)), {e.n});
    CHECK(p["layer"](x, w, b).to_vector<float>() == p["after"](p["product"](x, w), b).to_vector<float>());
  }
}

TEST_CASE("factors computed where they are read, transposed and broadcast") {
  const Program p = compile_text(R"dsl(
@jit("f4[k,k](f4[m,k], f4[k])")
def fused(x, mean):
    c = x - mean
    return c.T @ (c * 2)

@jit("f4[m,k](f4[m,k], f4[k])")
def centred(x, mean):
    return x - mean

@jit("f4[m,k](f4[m,k])")
def twice(c):
    return c * 2

@jit("f4[k,k](f4[m,k], f4[m,k])")
def product(c, d):
    return c.T @ d
)dsl");
  for (const Extents& e : kExtents) {
    INFO(e.m << " " << e.k);
    const Array x = uneven(matrix(e.m, e.k)), mean = array_of(counted(static_cast<size_t>(e.k)), {e.k});
    const Array c = p["centred"](x, mean);
    CHECK(p["fused"](x, mean).to_vector<float>() == p["product"](c, p["twice"](c)).to_vector<float>());
  }
}

TEST_CASE("results of a product's kernel: the product, maps of it, another type") {
  const Program p = compile_text(R"dsl(
@jit("(f4[m,n], f8[m,n], b1[m,n])(f4[m,k], f4[k,n], f8)")
def fused(a, b, s):
    c = a @ b
    return c, c * s, c > 0

@jit("f4[m,n](f4[m,k], f4[k,n])")
def product(a, b):
    return a @ b
)dsl");
  const Array a = uneven(matrix(9, 20)), b = uneven(matrix(20, 11));
  const std::vector<float> c = p["product"](a, b).to_vector<float>();
  const auto [same, scaled, positive] = p["fused"].call<3>(a, b, 0.3);
  CHECK(same.to_vector<float>() == c);
  std::vector<double> expected;
  std::vector<uint8_t> signs, found(c.size());
  for (const float v : c) expected.push_back(static_cast<double>(v) * 0.3), signs.push_back(v > 0 ? 1 : 0);
  CHECK(scaled.to_vector<double>() == expected);
  positive.copy_to_host(found.data(), found.size());
  CHECK(found == signs);
}

TEST_CASE("what turns out larger than the product is computed behind it") {
  const Program p = compile_text("@jit('f4[:,:](f4[:,:], f4[:,:], f4[:,:])')\ndef f(a, b, c):\n    return a @ b + c\n");
  const Array row = p["f"](matrix(1, 3), matrix(3, 2), array_of<float>({1, 2, 3, 4, 5, 6}, {3, 2}));
  // -8 -7 -6 times 3 x 2 of the same: 64 + 42 + 24, 56 + 35 + 18.
  CHECK(row.to_vector<float>() == std::vector<float>{131, 111, 133, 113, 135, 115});
  CHECK(row.shape() == std::vector<int64_t>{3, 2});
  const Program two = compile_text(
      "@jit('(f4[:,:], f4[:,:])(f4[:,:], f4[:,:], f4[:,:], f4[:,:])')\n"
      "def f(a, b, c, d):\n    p = a @ b\n    return p + c, p * d\n");
  const auto [tall, flat] = two["f"].call<2>(matrix(1, 3), matrix(3, 2), matrix(3, 2), matrix(1, 1));
  CHECK(tall.shape() == std::vector<int64_t>{3, 2});
  CHECK(tall.to_vector<float>() == std::vector<float>{122, 102, 124, 104, 126, 106});
  CHECK(flat.to_vector<float>() == std::vector<float>{-1040, -872});
  CHECK_ERROR(p["f"](matrix(2, 3), matrix(3, 2), matrix(3, 2)), ErrorCode::argument,
              "array function 'f', line 3: the shapes do not broadcast: 'a @ b' is (2, 2), 'c' is (3, 2); axis -2 is 2 "
              "in 'a @ b' but 3 in 'c'");
}

TEST_CASE("products of complex numbers and of integers, and what becomes of them") {
  const Program p = compile_text(R"dsl(
@jit("(f4[m,n], c8[m,n])(c8[m,k], c8[k,n])")
def complex_parts(a, b):
    c = (a * 2) @ b.conj()
    return c.real + c.imag, c - 1j

@jit("c8[m,n](c8[m,k], c8[k,n])")
def complex_product(a, b):
    return a @ b

@jit("(b1[m,n], f8[m,n])(i4[m,k], i4[k,n])")
def whole(a, b):
    c = (a - 1) @ b
    return c % 3 == 0, np.sqrt(abs(c) + 0.5)

@jit("i4[m,n](i4[m,k], i4[k,n])")
def whole_product(a, b):
    return a @ b
)dsl");
  const int64_t m = 7, k = 40, n = 5;
  std::vector<std::complex<float>> a, b, twice, conjugate;
  std::vector<int32_t> i, j, less;
  for (int64_t e = 0; e < m * k; ++e) {
    a.emplace_back(static_cast<float>(e % 13 - 6) / 7, static_cast<float>(e % 5 - 2) / 3);
    twice.push_back(a.back() * 2.0F);
    i.push_back(static_cast<int32_t>(e % 11 - 5));
    less.push_back(i.back() - 1);
  }
  for (int64_t e = 0; e < k * n; ++e) {
    b.emplace_back(static_cast<float>(e % 17 - 8) / 9, static_cast<float>(e % 7 - 3) / 5);
    conjugate.push_back(std::conj(b.back()));
    j.push_back(static_cast<int32_t>(e % 9 - 4));
  }
  const auto sums =
      p["complex_product"](array_of(twice, {m, k}), array_of(conjugate, {k, n})).to_vector<std::complex<float>>();
  const auto [added, moved] = p["complex_parts"].call<2>(array_of(a, {m, k}), array_of(b, {k, n}));
  std::vector<float> expected;
  std::vector<std::complex<float>> shifted;
  for (const std::complex<float> s : sums) {
    expected.push_back(s.real() + s.imag());
    shifted.emplace_back(s.real(), s.imag() - 1.0F);
  }
  CHECK(added.to_vector<float>() == expected);
  CHECK(moved.to_vector<std::complex<float>>() == shifted);

  const auto whole = p["whole_product"](array_of(less, {m, k}), array_of(j, {k, n})).to_vector<int32_t>();
  const auto [thirds, roots] = p["whole"].call<2>(array_of(i, {m, k}), array_of(j, {k, n}));
  std::vector<uint8_t> divides, found(whole.size());
  std::vector<double> square_roots;
  for (const int32_t s : whole) {
    divides.push_back(s % 3 == 0 ? 1 : 0);
    square_roots.push_back(std::sqrt(std::abs(s) + 0.5));
  }
  thirds.copy_to_host(found.data(), found.size());
  CHECK(found == divides);
  CHECK(roots.to_vector<double>() == square_roots);
}

TEST_CASE("ranges beside products, and in their factors") {
  const Program p = compile_text(R"dsl(
@jit("f4[:,:,:](f4[:,:], f4[:,:,:])")
def batches(a, b):
    return np.matmul(a, b) - np.arange(b.shape[2], dtype=np.float32)

@jit("f4[:,:](f4[:,:], f4[:,:])")
def plain(a, b):
    return np.matmul(a + np.arange(a.shape[1], dtype=np.float32), b) - np.arange(b.shape[1], dtype=np.float32)

@jit("f4[:,:](f4[:,:,:], f4[:,:,:])")
def joined(a, b):
    return np.tensordot(a + np.arange(a.shape[2], dtype=np.float32), b, axes=((1, 2), (0, 1)))
)dsl");
  // Rows of -8 -7 with columns of -8 -6 and -7 -5, and so on.
  CHECK(p["batches"](matrix(1, 2), array_of(counted(8), {2, 2, 2})).to_vector<float>() ==
        std::vector<float>{106, 90, 46, 30});
  CHECK(p["plain"](matrix(1, 2), matrix(2, 2)).to_vector<float>() == std::vector<float>{100, 85});
  CHECK(p["joined"](array_of(counted(4), {1, 2, 2}), array_of(counted(4), {2, 2, 1})).to_vector<float>() ==
        std::vector<float>{64 + 42 + 36 + 20});
}
