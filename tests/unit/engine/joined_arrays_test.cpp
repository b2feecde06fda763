// Arrays side by side, rolled and padded ones, which maps read where they are.
#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

#include "tests/unit/engine/array_calls.hpp"

using namespace jitc;

namespace {

using Ints = std::vector<int64_t>;

Program function(const std::string& body) { return compile_text("import numpy as np\n\n" + body); }

Array numbered(std::vector<int64_t> shape, int64_t first = 0) {
  int64_t count = 1;
  for (const int64_t extent : shape) count *= extent;
  Ints out(static_cast<size_t>(count));
  std::iota(out.begin(), out.end(), first);
  return array_of<int64_t>(out, std::move(shape));
}

Ints result(const std::string& signature, const std::string& body, const std::vector<Array>& args) {
  const Program p = function("@jit('" + signature + "')\ndef f(a, b):\n" + body);
  INFO(body);
  return p["f"](args[0], args[1]).copy().to_vector<int64_t>();
}

}  // namespace

TEST_CASE("a rolled array keeps what was there before a store") {
  const Array a = numbered({4});
  CHECK(result("i8[:](i8[:], i8[:])", "    r = np.roll(a, 1)\n    a[0] = 50\n    return r * 10 + b\n",
               {a, numbered({4})}) == Ints{30, 1, 12, 23});
  CHECK(result("i8[:](i8[:], i8[:])", "    r = np.roll(a, 1) * 10\n    s = r + b\n    a[...] = 0\n    return s + r\n",
               {numbered({4}), numbered({4})}) == Ints{60, 1, 22, 43});
}

TEST_CASE("an array is stored over what it is rolled from") {
  const Array a = numbered({5});
  function("@jit('(i8[:],)')\ndef f(a):\n    a[...] = np.roll(a, 2)\n")["f"].call<0>(a);
  CHECK(a.to_vector<int64_t>() == Ints{3, 4, 0, 1, 2});
  function("@jit('(i8[:],)')\ndef f(a):\n    a[1:] += np.roll(a, -1)[1:]\n")["f"].call<0>(a);
  CHECK(a.to_vector<int64_t>() == Ints{3, 4, 1, 3, 5});
}

TEST_CASE("what is rolled is an array of its own") {
  CHECK(result("i8[:](i8[:], i8[:])", "    r = np.roll(a - b, 1)\n    r[r > 1] = 3\n    return r\n",
               {numbered({4}, 5), numbered({4}, 5)}) == Ints{0, 0, 0, 0});
  CHECK(result("i8[:](i8[:], i8[:])", "    r = np.roll(a + b, 1)\n    r[r > 1] = 3\n    return r\n",
               {numbered({4}), numbered({4})}) == Ints{3, 0, 3, 3});
}

TEST_CASE("views of arrays side by side") {
  const std::vector<Array> args{numbered({2, 3}), numbered({2, 2}, 100)};
  const auto views = [&](const std::string& view, int rank) {
    const std::string axes = rank == 1 ? "[:]" : rank == 2 ? "[:,:]" : "[:,:,:]";
    return result("i8" + axes + "(i8[:,:], i8[:,:])",
                  "    j = np.concatenate([a, b], axis=1)\n    return " + view + " + 0\n", args);
  };
  CHECK(views("j", 2) == Ints{0, 1, 2, 100, 101, 3, 4, 5, 102, 103});
  CHECK(views("j[::-1, ::-2]", 2) == Ints{103, 5, 3, 101, 2, 0});
  CHECK(views("j[1:, 1:4:2]", 2) == Ints{4, 102});
  CHECK(views("j[:, 3]", 1) == Ints{100, 102});
  CHECK(views("j[1]", 1) == Ints{3, 4, 5, 102, 103});
  CHECK(views("j[:, 4:2]", 2) == Ints{});
  CHECK(views("j.T[2:4]", 2) == Ints{2, 5, 100, 102});
  CHECK(views("j[0, None, :, None]", 3) == Ints{0, 1, 2, 100, 101});
  CHECK(views("np.broadcast_to(j[:1], (2, 5))", 2) == Ints{0, 1, 2, 100, 101, 0, 1, 2, 100, 101});
  CHECK(views("np.squeeze(j[1:, 2:], 0)", 1) == Ints{5, 102, 103});
  CHECK(views("j.reshape(10)[4:6]", 1) == Ints{101, 3});
  CHECK(views("np.concatenate([j[:, -1:], j], axis=1)[:, :2]", 2) == Ints{101, 0, 103, 3});
  CHECK(views("np.roll(j, (1, -1), axis=(0, 1))", 2) == Ints{4, 5, 102, 103, 3, 1, 2, 100, 101, 0});
}

TEST_CASE("one value beside arrays, and a sum of what is read in parts") {
  const std::vector<Array> args{numbered({2, 3}), numbered({2, 2}, 100)};
  CHECK(result("i8[:,:](i8[:,:], i8[:,:])",
               "    side = np.full((2, 1), 7)\n    p = np.concatenate([side, a, side], axis=1)\n"
               "    return p[:, :-2] + p[:, 2:]\n",
               args) == Ints{8, 2, 8, 11, 8, 11});
  CHECK(result("i8[:](i8[:,:], i8[:,:])", "    return (np.concatenate([a, b], axis=1) * 2).sum(axis=0)\n", args) ==
        Ints{6, 10, 14, 404, 408});
  CHECK(result("i8[:,:](i8[:,:], i8[:,:])",
               "    return np.concatenate([a, a], axis=0) @ np.concatenate([b, b[:1]]) + 0\n",
               args) == Ints{302, 305, 1208, 1220, 302, 305, 1208, 1220});
}

TEST_CASE("more parts than are worth a launch each") {
  std::string parts = "a";
  for (int k = 0; k < 79; ++k) parts += k % 2 == 0 ? ", b" : ", a";
  const Ints out = result("i8[:](i8[:], i8[:])", "    return np.concatenate([" + parts + "]) * 2\n",
                          {numbered({2}), numbered({3}, 10)});
  REQUIRE(out.size() == 200);
  CHECK(Ints(out.end() - 5, out.end()) == Ints{0, 2, 20, 22, 24});
}

TEST_CASE("a slice of what broadcasts along its axis is as long as the slice") {
  const std::vector<Array> args{numbered({4}, 2), numbered({4})};
  CHECK(result("i8[:,:](i8[:], i8[:])",
               "    x = np.broadcast_to((a * a)[:, None], (4, 3))\n    return np.roll(x, 1, axis=1)\n",
               args) == Ints{4, 4, 4, 9, 9, 9, 16, 16, 16, 25, 25, 25});
  CHECK(result("i8[:](i8[:], i8[:])",
               "    x = np.broadcast_to((a * a)[:, None], (4, 3))\n    k = b[1]\n    return x[:, k:].sum(axis=1)\n",
               args) == Ints{8, 18, 32, 50});
}

TEST_CASE("one value that a kernel computes beside arrays") {
  const std::vector<Array> args{numbered({3}, 1), numbered({3})};
  CHECK(result("i8[:](i8[:], i8[:])", "    return np.stack((a.sum(), a.max(), a.min())) * 2\n", args) ==
        Ints{12, 6, 2});
  CHECK(result("i8[:](i8[:], i8[:])", "    return np.roll(np.full(4, a.sum()), 1) * 2\n", args) ==
        Ints{12, 12, 12, 12});
  CHECK(result("i8[:](i8[:], i8[:])", "    return np.concatenate((np.full(2, a @ a), b)) * 2\n", args) ==
        Ints{28, 28, 0, 2, 4});
}

TEST_CASE("the body of a loop over a tuple has values of its own in each turn") {
  CHECK(result("i8[:](i8[:], i8[:])", "    for i in (1, 2):\n        a = a + np.roll(a, i)\n    return np.tile(a, 1)\n",
               {numbered({6}), numbered({6})}) == Ints{12, 10, 8, 6, 10, 14});
}
