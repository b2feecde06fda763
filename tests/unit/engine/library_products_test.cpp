// Products of array functions by a BLAS library, here a fake one that the environment names.
#include <dlfcn.h>

#include <catch2/catch.hpp>
#include <complex>
#include <vector>

#include "tests/support/error_text.hpp"
#include "tests/unit/engine/array_calls.hpp"

using namespace jitc;

namespace {

int products_of_library() {
  void* library = dlopen(JITC_FAKE_BLAS, RTLD_NOW);
  REQUIRE(library != nullptr);
  return reinterpret_cast<int (*)()>(dlsym(library, "fake_blas_count"))();
}

/// How many products the library did meanwhile.
template <class Run>
int count_products(const Run& run) {
  const int before = products_of_library();
  run();
  return products_of_library() - before;
}

Array whole_numbers(std::vector<int64_t> shape) {
  size_t size = 1;
  for (const int64_t extent : shape) size *= static_cast<size_t>(extent);
  return array_of(counted(size), std::move(shape));
}

/// The same function with and without a library: sums of small whole numbers have no order.
void check_same(const std::string& signature, const std::string& params, const std::string& body,
                const std::vector<Argument>& args, int products) {
  const auto text = [&](const std::string& use) {
    return "@jit('" + signature + "', blas='" + use + "')\ndef f(" + params + "):\n    " + body + "\n";
  };
  INFO(body);
  const Program library = compile_text(text("require")), ours = compile_text(text("never"));
  std::vector<Array> by_library, by_us;
  CHECK(count_products([&] { by_library = library["f"].call_list(args); }) == products);
  CHECK(count_products([&] { by_us = ours["f"].call_list(args); }) == 0);
  REQUIRE(by_library.size() == by_us.size());
  for (size_t k = 0; k < by_us.size(); ++k) CHECK(by_library[k].to_vector<float>() == by_us[k].to_vector<float>());
}

}  // namespace

TEST_CASE("a library does plain, transposed, strided and batched products") {
  const Array a = whole_numbers({5, 7}), b = whole_numbers({7, 6});
  check_same("f4[:,:](f4[:,:], f4[:,:])", "a, b", "return a @ b", {a, b}, 1);
  check_same("f4[:,:](f4[:,:], f4[:,:])", "a, b", "return (b.T @ a.T).T", {a, b}, 1);
  check_same("f4[:,:](f4[:,:], f4[:,:])", "a, b", "return a[::-1, ::2] @ b[::2]", {a, b}, 1);
  check_same("f4[:,:,:](f4[:,:,:], f4[:,:,:])", "a, b", "return a @ b",
             {whole_numbers({3, 2, 4}), whole_numbers({1, 4, 5})}, 3);
  check_same("f4[:,:,:,:](f4[:,:,:,:], f4[:,:,:,:])", "a, b", "return np.einsum('xyij,xyjk->yikx', a, b)",
             {whole_numbers({2, 3, 2, 4}), whole_numbers({2, 3, 4, 5})}, 6);
}

TEST_CASE("what is before and after a library's product is computed by kernels of its own") {
  const Array a = whole_numbers({5, 7}), b = whole_numbers({7, 6}), c = whole_numbers({6});
  check_same("f4[n,m](f4[n,k], f4[k,m], f4[m])", "a, b, c", "return np.maximum((a + 1) @ (b * 2) + c, 0)", {a, b, c},
             1);
}

TEST_CASE("without elements there is nothing to give to a library") {
  check_same("f4[:,:](f4[:,:], f4[:,:])", "a, b", "return a @ b", {whole_numbers({3, 0}), whole_numbers({0, 2})}, 0);
  check_same("f4[:,:](f4[:,:], f4[:,:])", "a, b", "return a @ b", {whole_numbers({0, 3}), whole_numbers({3, 2})}, 0);
}

TEST_CASE("blas='auto' uses the library, and our kernel for what it does not know") {
  const Program p = compile_text(
      "@jit('f8[:,:](f8[:,:], f8[:,:])', blas='auto')\ndef f(a, b):\n    return a @ b\n"
      "@jit('i4[:,:](i4[:,:], i4[:,:])', blas='auto')\ndef g(a, b):\n    return a @ b\n");
  const Array a = array_of<double>({1, 2, 3, 4}, {2, 2});
  CHECK(count_products([&] { CHECK(p["f"](a, a).to_vector<double>() == std::vector<double>{7, 10, 15, 22}); }) == 1);
  const Array i = array_of<int32_t>({1, 2, 3, 4}, {2, 2});
  CHECK(count_products([&] { CHECK(p["g"](i, i).to_vector<int32_t>() == std::vector<int32_t>{7, 10, 15, 22}); }) == 0);
}

TEST_CASE("a library's products keep the order of a stream") {
  const Program p = compile_text(
      "@jit('f4[:,:](f4[:,:], f4[:,:])', blas='require')\ndef f(a, b):\n    return ((a + 1) @ b - a) @ b\n");
  const Stream stream(device());
  const Array a = whole_numbers({4, 4});
  const std::vector<float> expected = p["f"](a, a).to_vector<float>();
  CHECK(p["f"].call_on(stream, a, a).to_vector<float>(stream) == expected);
}

TEST_CASE("blas='require' says what a library cannot do") {
  const Program p = compile_text("@jit('i4[:,:](i4[:,:], i4[:,:])', blas='require')\ndef f(a, b):\n    return a @ b\n");
  const Array i = array_of<int32_t>({1, 2, 3, 4}, {2, 2});
  CHECK_ERROR(
      p["f"](i, i), ErrorCode::argument,
      "array function 'f', line 3: blas=\"require\", but a BLAS library multiplies f4, f8, c8 and c16, and this "
      "product is of i4");
}
