#include "src/array/print.hpp"

#include "tests/unit/array/plans.hpp"

using namespace jitc;

TEST_CASE("an array program shows nodes, shapes, texts and kernels") {
  const CheckedText text = check_array_function("f4[n](f4[n,m])", "x", "return np.sqrt(x.sum(axis=1))");
  CHECK(array::print_program(text.module->file, text.plan()) ==
        "array function f: f4[n](f4[n,m])\n"
        "  x = param 0                                  f4[n,m]             \n"
        "  %1 = fold add of x over 1                    f4[n]                 x.sum(axis=1)\n"
        "  %2 = map (%1)                                f4[n]                 np.sqrt(x.sum(axis=1))\n"
        "  return %2\n"
        "  kernel 0: rows of f4[n,m] along 1\n"
        "    reads x; computes %2\n"
        "    walk 0: 1 fold\n"
        "      fused: np.sqrt(x.sum(axis=1))\n");
}

TEST_CASE("a plan shows the steps of a call") {
  const CheckedText text = check_array_function("f4[:](f4[:])", "x", "for i in range(3):\n    x = x * 2\nreturn x");
  const std::string plan = array::print_plan(text.module->file, text.plan());
  CHECK(plan.find("loop for\n") != std::string::npos);
  CHECK(plan.find("launch kernel 0; allocates") != std::string::npos);
}
