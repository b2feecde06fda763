// Calls of array functions with what breaks careless ones: NaN, narrow and long sums, aliases, strides of nothing,
// addresses off by one, very many arguments. Names behind the titles are those of the faults seen elsewhere.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "src/engine/engine.hpp"
#include "tests/support/error_text.hpp"
#include "tests/unit/engine/array_calls.hpp"

using namespace jitc;

TEST_CASE("a NaN anywhere is the extreme of an array, unless it is asked to be skipped") {
  const Program p = compile_text(
      "@jit('(f4, f4, f4, f4)(f4[:])')\ndef k(x):\n    return max(x), min(x), np.nanmax(x), np.nanmin(x)\n");
  for (const size_t at : {0, 31, 32, 255, 256, 777, 999}) {
    std::vector<float> x(1000);
    for (size_t k = 0; k < x.size(); ++k) x[k] = static_cast<float>(k);
    x[at] = std::numeric_limits<float>::quiet_NaN();
    CAPTURE(at);
    const auto [max, min, nanmax, nanmin] = p["k"].call<4>(array_of(x, {1000}));
    CHECK(std::isnan(max.to_vector<float>()[0]));
    CHECK(std::isnan(min.to_vector<float>()[0]));
    CHECK(nanmax.to_vector<float>()[0] == (at == 999 ? 998.0F : 999.0F));
    CHECK(nanmin.to_vector<float>()[0] == (at == 0 ? 1.0F : 0.0F));
  }
}

TEST_CASE("sums of narrow ints are wide") {
  const Program p = compile_text(
      "@jit('(i8, u8, i8)(i1[:], u1[:], b1[:])')\ndef k(a, b, c):\n    return np.sum(a), np.sum(b), np.sum(c)\n");
  const std::vector<int8_t> a(1000, 100);
  const std::vector<uint8_t> b(1000, 255);
  const Array c = device().empty({1000}, b1);
  const std::vector<uint8_t> ones(1000, 1);
  c.copy_from_host(ones.data(), ones.size());
  const auto [x, y, z] = p["k"].call<3>(array_of(a, {1000}), array_of(b, {1000}), c);
  CHECK(x.to_vector<int64_t>()[0] == 100000);
  CHECK(y.to_vector<uint64_t>()[0] == 255000);
  CHECK(z.to_vector<int64_t>()[0] == 1000);
}

TEST_CASE("a long f4 sum is accurate, and has the same bits each time") {
  const Program p = compile_text("@jit('f4(f4[:])')\ndef k(x):\n    return sum(x / 255.0)\n");
  const std::vector<float> ones(100000, 1.0F);
  const Array x = array_of(ones, {100000});
  const float first = p["k"](x).to_vector<float>()[0];
  CHECK(std::fabs(static_cast<double>(first) / (100000 * static_cast<double>(1.0F / 255.0F)) - 1) <= 1e-6);
  for (int again = 0; again < 3; ++again) {
    const float sum = p["k"](x).to_vector<float>()[0];
    CHECK(std::memcmp(&sum, &first, sizeof sum) == 0);
  }
}

TEST_CASE("one value seen as many broadcasts with arrays of fewer axes") {
  const Program p = compile_text("@jit('f4[:,:,:](f4[:,:,:], f4[:,:])')\ndef k(a, b):\n    return a * 10 + b\n");
  const Array one = array_of<float>({1}, {1, 1, 1});
  const Array a(one.buffer(), f4, {2, 1, 3}, {0, 0, 0}, 0);
  std::vector<float> b(12), expected;
  for (size_t k = 0; k < b.size(); ++k) b[k] = static_cast<float>(k);
  for (int copy = 0; copy < 2; ++copy) {
    for (const float v : b) expected.push_back(10 + v);
  }
  const Array out = p["k"](a, array_of(b, {4, 3}));
  CHECK(out.shape() == std::vector<int64_t>{2, 4, 3});
  CHECK(out.to_vector<float>() == expected);
}

TEST_CASE("x += x.T reads what was there before") {
  const Program p = compile_text(
      "@jit('void(i4[:,:], i4[:,:])')\ndef two(x, y):\n    x[:, :] = x + y\n"
      "@jit('void(i4[:,:])')\ndef one(x):\n    x += x.T\n");
  std::vector<int32_t> values(10000), expected(10000);
  for (size_t k = 0; k < values.size(); ++k) values[k] = static_cast<int32_t>(k);
  for (size_t k = 0; k < values.size(); ++k) expected[k] = values[k] + values[k % 100 * 100 + k / 100];
  const Array x = array_of(values, {100, 100});
  p["two"].call_list({x, x.transpose()});
  CHECK(x.to_vector<int32_t>() == expected);
  const Array same = array_of(values, {100, 100});
  p["one"].call_list({same});
  CHECK(same.to_vector<int32_t>() == expected);
}

TEST_CASE("views that begin at any element, of any length") {
  const Program p = compile_text(
      "@jit('f4[:](f4[:], f4[:])')\ndef k(a, b):\n    return a + b\n@jit('u1[:](u1[:])')\ndef bytes(a):\n    return a "
      "+ 1\n");
  std::vector<float> values(64);
  for (size_t k = 0; k < values.size(); ++k) values[k] = static_cast<float>(k);
  const Array x = array_of(values, {64});
  for (int64_t a = 0; a < 4; ++a) {
    for (int64_t b = 0; b < 4; ++b) {
      for (const int64_t n : {0, 1, 3, 4, 5, 33}) {
        CAPTURE(a, b, n);
        std::vector<float> expected;
        for (int64_t k = 0; k < n; ++k) expected.push_back(static_cast<float>(a + b + 2 * k));
        CHECK(p["k"](x.slice(0, a, a + n), x.slice(0, b, b + n)).to_vector<float>() == expected);
      }
    }
  }
  std::vector<uint8_t> small(64);
  for (size_t k = 0; k < small.size(); ++k) small[k] = static_cast<uint8_t>(k);
  const Array y = array_of(small, {64});
  for (int64_t begin = 0; begin < 16; ++begin) {
    CAPTURE(begin);
    std::vector<uint8_t> expected(small.begin() + begin, small.begin() + begin + 33);
    for (uint8_t& v : expected) ++v;
    CHECK(p["bytes"](y.slice(0, begin, begin + 33)).to_vector<uint8_t>() == expected);
  }
}

TEST_CASE("a function of 120 arrays that lie anyhow is called as any other") {
  std::string types, params, sum;
  for (int k = 0; k < 120; ++k) {
    const std::string name = "a" + std::to_string(k), comma = k == 0 ? "" : ", ";
    types += comma + "f4[:,:,:]";
    params += comma + name;
    sum += (k == 0 ? "" : " + ") + name;
  }
  const Program p = compile_text("@jit('f4[:,:,:](" + types + ")')\ndef k(" + params + "):\n    return " + sum + "\n");
  std::vector<Argument> args;
  for (int k = 0; k < 120; ++k) {
    const std::vector<float> values(64, static_cast<float>(k));
    const Array whole = array_of(values, {4, 4, 4});
    args.emplace_back(k % 2 == 0 ? whole.transpose({2, 0, 1}).slice(2, 0, 4, 2) : whole.slice(2, 0, 4, 2));
  }
  const std::vector<Array> out = p["k"].call_list(args);
  REQUIRE(out.size() == 1);
  CHECK(out[0].to_vector<float>() == std::vector<float>(32, 7140.0F));
}

TEST_CASE("scalars of other values compile nothing") {
  const Program p = compile_text("@jit('f4[:](f4[:], f4)')\ndef k(x, s):\n    return (x * s).sum() + x\n");
  const Array x = array_of<float>({1, 1, 1, 1}, {4});
  CHECK(engine::call(p["k"], {x, 3.0F}).launch.compiled);
  for (int k = 0; k < 20; ++k) {
    const engine::CallReport report = engine::call(p["k"], {x, static_cast<float>(k)});
    CHECK_FALSE(report.launch.compiled);
    CHECK(report.results[0].to_vector<float>() == std::vector<float>(4, static_cast<float>(4 * k + 1)));
  }
}

TEST_CASE("results go to the arrays that the caller gives, wherever these lie") {
  const Program p =
      compile_text("@jit('(f4[:], f4[:], f4)(f4[:])')\ndef k(x):\n    y = x * 2\n    return y, y[::-1] + x, sum(y)\n");
  const std::vector<float> values = {1, 2, 4, 8};
  const std::vector<float> twice = {2, 4, 8, 16}, turned = {17, 10, 8, 10};
  const auto check = [&](const Array& x, const Array& first, const Array& second) {
    const Array total = device().empty({}, f4);
    p["k"].call_list({x}, {.out = {first, second, total}});
    CHECK(first.to_vector<float>() == twice);
    CHECK(second.to_vector<float>() == turned);
    CHECK(total.to_vector<float>()[0] == 30);
  };
  const Array room = array_of<float>(std::vector<float>(16, -1), {16});
  check(array_of(values, {4}), room.slice(0, 1, 5), room.slice(0, 5, 9));
  CHECK(room.index(0, 0).to_vector<float>()[0] == -1);
  CHECK(room.index(0, 9).to_vector<float>()[0] == -1);
  check(array_of(values, {4}), room.slice(0, 0, 8, 2), room.slice(0, 11, 7, -1));
  // Over what is read.
  const Array x = array_of(values, {4});
  check(x, x, room.slice(0, 0, 4));
  const Array again = array_of(values, {4});
  check(again, room.slice(0, 0, 4), again);
}

TEST_CASE("a result that a loop computes again does not change what it was before") {
  const Program p = compile_text(
      "@jit('(f4[:], f4[:])(f4[:], i8)')\ndef k(x, n):\n    before = x\n    for _ in range(n):\n        before = x\n"
      "        x = x * 2\n    return before, x\n");
  const Array before = device().empty({2}, f4), x = device().empty({2}, f4);
  p["k"].call_list({array_of<float>({1, 3}, {2}), int64_t{3}}, {.out = {before, x}});
  CHECK(before.to_vector<float>() == std::vector<float>{4, 12});
  CHECK(x.to_vector<float>() == std::vector<float>{8, 24});
}

TEST_CASE("a conversion to an array's own type makes another array") {
  const Program p = compile_text(
      "import numpy as np\n\n@jit('(f4[:], i4[:])')\ndef k(x, n):\n    y = x.astype(np.float32)\n    y[0] = 9\n"
      "    z = np.nan_to_num(n)\n    z[0] = 9\n    w = np.astype(x, np.float32, copy=False)\n    w[1] = 8\n"
      "    return y, z\n");
  const Array x = array_of<float>({1, 2}, {2}), n = array_of<int32_t>({1, 2}, {2});
  const auto [y, z] = p["k"].call<2>(x, n);
  CHECK(x.to_vector<float>() == std::vector<float>{1, 8});
  CHECK(n.to_vector<int32_t>() == std::vector<int32_t>{1, 2});
  CHECK(y.to_vector<float>()[0] == 9);
  CHECK(z.to_vector<int32_t>() == std::vector<int32_t>{9, 2});
}

TEST_CASE("a broadcast that cannot be is an error though no one takes it") {
  const Program p = compile_text(
      "import numpy as np\n\n@jit('(f8[:])')\ndef k(x):\n    y = np.broadcast_to(x, (4, 5))\n    return x + 1\n");
  const auto error = tests::error_of([&] { p["k"](array_of<double>({1, 2}, {2})); });
  CHECK(error.code == ErrorCode::argument);
  CHECK(error.text == "array function 'k', line 5: 'x' has shape (2,), which does not broadcast to (4, 5)");
}

TEST_CASE("a name without a value in a reduction with options is a fault of the text") {
  try {
    compile_text("import numpy as np\n\n@jit('(f8[:,:])')\ndef k(x):\n    return np.min(y, axis=0, keepdims=True)\n");
    FAIL("it compiles");
  } catch (const CompileError& error) {
    CHECK(std::string(error.what()).find("'y' is not defined") != std::string::npos);
  }
}

TEST_CASE("a variable that gets no value on the way is an error where it is read") {
  const Program p = compile_text(
      "@jit('(f8[:], f8)')\ndef k(x, s):\n    while s > 0:\n        y = x + 1\n        s = s - 1\n    return y * 2\n");
  CHECK(p["k"](array_of<double>({1, 2}, {2}), 1.0).to_vector<double>() == std::vector<double>{4, 6});
  CHECK_ERROR(p["k"](array_of<double>({1, 2}, {2}), 0.0), ErrorCode::kernel,
              "array function 'k', line 6: 'y' is read before it has a value");
}

TEST_CASE("a fold of nothing is an error also where a map comes behind it") {
  const Program p = compile_text(
      "@jit('f4[:](f4[:,:])')\ndef f(x):\n    return np.max(x, axis=1) * 2\n"
      "@jit('i8[:](f4[:,:])')\ndef g(x):\n    return np.argmax(x, axis=1) + 1\n"
      "@jit('f4[:,:](f4[:,:])')\ndef h(x):\n    return x - x.max(axis=1, keepdims=True)\n");
  const Array none = device().empty({3, 0}, f4);
  for (const char* name : {"f", "g", "h"}) {
    INFO(name);
    const auto error = tests::error_of([&] { p[name](none); });
    CHECK(error.code == ErrorCode::argument);
    CHECK(error.text.find("of an array of shape (3, 0), which has no elements along the axes to fold") !=
          std::string::npos);
  }
  CHECK(p["h"](device().empty({0, 3}, f4)).shape() == std::vector<int64_t>{0, 3});
}

TEST_CASE("shapes that do not fit are shown by the names in the text") {
  const Program p = compile_text(
      "@jit('void(f4[:,:], f4[:])')\ndef store(x, y):\n    x[1:3] = y\n"
      "@jit('void(f4[:,:], f4[:])')\ndef folded(x, y):\n    x[0] = np.sum(x, axis=1) + y\n"
      "@jit('(f4[:], f4[:,:])')\ndef product(v, m):\n    return v @ m\n"
      "@jit('(f4[:], f4[:,:])')\ndef dot(v, m):\n    return np.dot(v, m) * 2\n"
      "@jit('(f4[:], f4[:,:])')\ndef halves(v, m):\n    return v.astype(np.float16) @ m.astype(np.float16)\n"
      "@jit('(f4[:], f4[:,:])')\ndef einsum(v, m):\n    return np.einsum('k,kn->n', v, m)\n"
      "@jit('(f4[:])')\ndef negative(v):\n    return np.zeros(v.shape[0] - 5)\n");
  const Array x = array_of<float>({1, 2, 3, 4, 5, 6}, {3, 2}), three = array_of<float>({1, 2, 3}, {3});
  CHECK_ERROR(
      p["store"].call_list({x, three}), ErrorCode::argument,
      "array function 'store', line 3: 'y' has shape (3,), which does not broadcast to 'x[1:3]', which has (2, 2)");
  CHECK_ERROR(p["folded"].call_list({x, three}), ErrorCode::argument,
              "array function 'folded', line 6: 'np.sum(x, axis=1) + y' has shape (3,), which does not broadcast to "
              "'x[0]', which has (2,)");
  CHECK_ERROR(p["product"](three, array_of<float>({1, 2, 3, 4}, {2, 2})), ErrorCode::argument,
              "array function 'product', line 9: the shapes of 'v @ m' do not fit each other: 'v' has shape (3,), 'm' "
              "has shape (2, 2)");
  for (const char* name : {"product", "dot", "halves"}) {
    CAPTURE(name);
    const Array one = array_of<float>({1, 2}, {1, 2});
    const auto error = tests::error_of([&] { p[name].call_list({three, one}); });
    CHECK(error.text.find("do not fit each other: ") != std::string::npos);
  }
  CHECK(p["einsum"](three, array_of<float>({1, 2}, {1, 2})).to_vector<float>() == std::vector<float>{6, 12});
  CHECK_ERROR(p["negative"](three), ErrorCode::argument,
              "array function 'negative', line 21: the shape (-2,) has a negative extent");
}

TEST_CASE("results have the extents that their signature names") {
  const Program p = compile_text(
      "@jit('f4[n](f4[n])')\ndef f(x):\n    return x[1:] * 2\n"
      "@jit('(f4[n,k], f4[k])(f4[n])')\ndef g(x):\n    return x[:, None] + x[1:], x[2:]\n");
  CHECK_ERROR(p["f"](array_of<float>({1, 2, 3}, {3})), ErrorCode::argument,
              "array function 'f': n is 3 in x, but the result out has shape (2,)");
  CHECK_ERROR(p["g"].call_list({array_of<float>({1, 2, 3}, {3})}), ErrorCode::argument,
              "array function 'g': k is 2 in out0, but the result out1 has shape (1,)");
}

TEST_CASE("views of views of what is computed do not grow without end") {
  for (const char* step : {"x = x[1:] * x[:-1]", "x = x[1:] - x[:-1]", "x = x + x[::-1]"}) {
    INFO(step);
    std::string text = "@jit('f4[:](f4[:])')\ndef f(x):\n";
    for (int k = 0; k < 40; ++k) text += "    " + std::string(step) + "\n";
    const Program p = compile_text(text + "    return x\n");
    CHECK(p["f"](array_of<float>(std::vector<float>(100, 1), {100})).size() >= 60);
  }
}

TEST_CASE("a store to a broadcast view takes each element as it was") {
  const Program p = compile_text(
      "import numpy as np\n\n@jit('(f8[:,:], f8)')\ndef k(x, s):\n    y = np.broadcast_to(x, (40, 50))\n    z = y\n    "
      "for i in range(2):\n        z += s\n");
  const Array x = array_of<double>({1}, {1, 1});
  p["k"].call<0>(x, 2.5);
  CHECK(x.to_vector<double>() == std::vector<double>{6});
}

TEST_CASE("a view of a map to a shape that does not fit is an error behind a loop, too") {
  const Program p = compile_text(
      "import numpy as np\n\n@jit('f8[:,:](f8[:,:])')\ndef k(x):\n    for i in range(2):\n        x *= 2\n"
      "    return np.broadcast_to(np.maximum(x, x), (5, 8))\n");
  CHECK_THROWS_WITH(p["k"](array_of<double>({1, 2}, {2, 1})),
                    Catch::Contains("has shape (2, 1), which does not broadcast to (5, 8)"));
}

TEST_CASE("a product of vectors does not broadcast") {
  const Program p = compile_text("import numpy as np\n\n@jit('f8(f8[:], f8[:])')\ndef k(x, y):\n    return x @ y\n");
  CHECK_THROWS_WITH(
      p["k"](array_of<double>({1}, {1}), array_of<double>({1, 2}, {2})),
      Catch::Contains("the shapes of 'x @ y' do not fit each other: 'x' has shape (1,), 'y' has shape (2,)"));
}

TEST_CASE("a reshape that copies has the elements from before a store") {
  const Program p = compile_text(
      "import numpy as np\n\n@jit('f8[:](f8[:,:])')\ndef k(x):\n    flat = x.T.reshape(4)\n    x *= 10\n    return "
      "flat + 0\n");
  CHECK(p["k"](array_of<double>({1, 2, 3, 4}, {2, 2})).to_vector<double>() == std::vector<double>{1, 3, 2, 4});
}
