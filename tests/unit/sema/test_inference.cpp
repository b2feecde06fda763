#include <catch2/catch.hpp>

#include "tests/unit/sema/typed_text.hpp"

using jitc::tests::Typed;

namespace {

/// A kernel over x: f4[:], n: i4[:], u: u1[:] with this body.
Typed kernel(const std::string& body) {
  std::string text = "@cuda.jit(\"void(f4[:], i4[:], u1[:])\")\ndef k(x, n, u):\n    i = cuda.grid(1)\n";
  return Typed(text + body);
}

}  // namespace

TEST_CASE("a weak start adapts to what is accumulated") {
  const Typed t = kernel("    d = 0.0\n    for v in x:\n        d += v\n    x[i] = d\n");
  INFO(t.messages());
  CHECK(t.types_of("d") == "f4");
}

TEST_CASE("a counter stays a weak int and does not widen floats") {
  const Typed t = kernel("    c = 0\n    for v in x:\n        c += 1\n    y = x[i] * c\n    x[i] = y\n");
  CHECK(t.types_of("c") == "int?");
  CHECK(t.types_of("y") == "f4");
}

TEST_CASE("narrow ints widen behind loop variables and shapes, not behind constants") {
  const Typed t = kernel("    a = u[i] * x.shape[0]\n    b = u[i] * 2\n    c = n[i] + i\n    n[i] = a + b + c\n");
  CHECK(t.types_of("a") == "i8");
  CHECK(t.types_of("b") == "u1");
  CHECK(t.types_of("c") == "i8");
}

TEST_CASE("an intermediate type met on the way does not stick") {
  // In the first pass c is the weak 0.5, so u * c is f8; once c is known as f4 it is f4.
  const Typed t = kernel(
      "    c = 0.5\n    y = f4(0)\n    for j in range(3):\n        y = u[i] * c\n        c = x[j]\n    x[i] = y\n");
  CHECK(t.types_of("c") == "f4");
  CHECK(t.types_of("y") == "f4");
}

TEST_CASE("an int constant that the other assignments cannot hold widens the range") {
  const Typed t = kernel("    m = 300\n    if x[i] > 0:\n        m = u[i]\n    n[i] = m\n");
  CHECK(t.types_of("m") == "i8");
}

TEST_CASE("a branch decided by a constant is not typed") {
  const Typed t = Typed(
      "FAST = True\n@cuda.jit(\"void(f4[:])\")\ndef k(x):\n    if FAST:\n        y = x[0]\n    else:\n        y = "
      "nothing_like_it(1)\n"
      "    x[1] = y\n");
  INFO(t.messages());
  CHECK_FALSE(t.sink.has_errors());
}

TEST_CASE("device functions are typed per call, constants included") {
  const Typed t = Typed(
      "def f(a, b):\n    return a * b\n@cuda.jit(\"void(f4[:], f8[:])\")\ndef k(x, y):\n    p = f(x[0], 2)\n    q = "
      "f(y[0], 2)\n"
      "    r = f(x[0], 0.5)\n    x[0] = p + r\n    y[0] = q\n");
  CHECK(t.types_of("p") == "f4");
  CHECK(t.types_of("q") == "f8");
  CHECK(t.types_of("r") == "f4");
}

TEST_CASE("comparisons of bools count as ints") {
  const Typed t =
      kernel("    a = (x[i] > 0) + (x[i] > 1)\n    b = (x[i] > 0) & (x[i] > 1)\n    n[i] = a\n    u[i] = b\n");
  CHECK(t.types_of("a") == "int?");
  CHECK(t.types_of("b") == "b1");
}

TEST_CASE("each fault is reported once, at its place") {
  const Typed t = kernel("    y = flr(x[i])\n    z = y + 1\n    x[i] = z * y\n");
  REQUIRE(t.sink.all().size() == 1);
  CHECK(t.sink.all()[0].id == jitc::source::DiagId::kUnknownName);
}

TEST_CASE("a fault in a device function is reported once for all its calls") {
  const Typed t = Typed(
      "def f(a):\n    return a + nope\n@cuda.jit(\"void(f4[:])\")\ndef k(x):\n    x[0] = f(x[0])\n    x[1] = "
      "f(x[1])\n");
  CHECK(t.sink.all().size() == 1);
}

TEST_CASE("typing the same text twice gives the same types in the same order") {
  const std::string body = "    s = 0.0\n    for a, b in zip(x, n):\n        s += a * b\n    x[i] = s\n";
  const Typed a = kernel(body), b = kernel(body);
  CHECK(jitc::sema::print_types(a.file, a.module) == jitc::sema::print_types(b.file, b.module));
}
