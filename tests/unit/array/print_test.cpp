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

namespace {

/// The lines below "not fused", without their numbers.
std::string reasons(const std::string& signature, const std::string& params, const std::string& body) {
  const CheckedText text = check_array_function(signature, params, body);
  const std::string all = array::print_program(text.module->file, text.plan());
  std::string out;
  size_t at = all.find("  not fused\n");
  while (at != std::string::npos && (at = all.find(": ", at)) != std::string::npos) {
    const size_t end = all.find('\n', at);
    out += all.substr(at + 2, end - at - 2) + "\n";
    at = end;
  }
  return out;
}

}  // namespace

TEST_CASE("a program says why something was not fused, and what would help") {
  CHECK(reasons("f4[:](f4[:])", "x", "return np.exp(x) / np.sum(x)") == "");
  CHECK(reasons("(f4[:], f4[:,:])(f4[:], f4[:,:])", "a, b", "e = np.exp(a)\nreturn e + 1, e * b") ==
        "it costs about 20 operations, and would be computed again for each row\n");
  CHECK(reasons("f4[:](f4[:])", "x", "y = np.exp(x)\nx[:] = 0\nreturn y + x") ==
        "a store stands between the two; x = x / y makes a new array where x /= y and x[...] = store into one\n");
  CHECK(reasons("f4[n,n](f4[n,n])", "x", "return x / x.sum(axis=1)") ==
        "it is of the rows of f4[n,n] along 1, and f4[n,n] is not taken row by row\n");
  CHECK(reasons("f4[:,:](f4[:,:], f4[:,:])", "x, y", "return y / x.sum(axis=1, keepdims=True)") ==
        "it is of the rows of f4[x.0,x.1] along 1, and f4[x.0|y.0,y.1] is not taken row by row; if these extents are "
        "equal "
        "in every call, give them one name in the signature, as in f4[n,m]\n");
  CHECK(reasons("f4[:](f4[:,:], f4[:,:])", "a, b", "return (a @ b).sum(axis=0)") ==
        "a fold of a product walks its rows again\n");
  CHECK(reasons("f4[:,:](f4[:,:], f4[:,:])", "a, b", "return np.exp(a) @ b") ==
        "a product computes the elements of its factors several times, and this one costs more than 8 operations\n");
  CHECK(reasons("f4[:](f4[:])", "x", "y = x * 2\nif x.size > 3:\n    y = y.sum() + x\nreturn y") ==
        "it is of the rows of f4[%6.0] along 0, and f4[x.0] is not taken row by row\n");
  CHECK(reasons("f4[:](f4[:], f4[:])", "x, y", "z = np.exp(x)\nif y.size > 3:\n    y = y + z\nreturn y") ==
        "it crosses the border of an if or of a loop\n");
}
