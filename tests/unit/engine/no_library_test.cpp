// Products of array functions where the environment says that there is no BLAS library.
#include <catch2/catch.hpp>

#include "tests/support/error_text.hpp"
#include "tests/unit/engine/array_calls.hpp"

using namespace jitc;

TEST_CASE("without a BLAS library, blas='require' is an error and 'auto' our own kernel") {
  const Program p = compile_text(
      "@jit('f4[:,:](f4[:,:], f4[:,:])', blas='require')\ndef f(a, b):\n    return a @ b\n"
      "@jit('f4[:,:](f4[:,:], f4[:,:])', blas='auto')\ndef g(a, b):\n    return a @ b + 1\n");
  const Array a = array_of<float>({1, 2, 3, 4}, {2, 2});
  CHECK_ERROR(p["f"](a, a), ErrorCode::argument,
              "array function 'f', line 3: blas=\"require\", but cpu has no BLAS library (looked for libopenblas.so.0, "
              "then a fast libblas.so.3; JITC_BLAS names another); blas=\"auto\" uses one where there is one");
  CHECK(p["g"](a, a).to_vector<float>() == std::vector<float>{8, 11, 16, 23});
}
