#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "src/kernel/kernel.hpp"
#include "tests/unit/kernel/programs.hpp"

namespace jitc::kernel {
namespace {

/// y[i] = a * x[i] + y[i], guarded, over contiguous f4 arrays.
KernelProgram axpy() {
  Builder b("axpy");
  const uint32_t a = b.scalar_param("a", DType::f4);
  const uint32_t x = array_params(b, "x", DType::f4, 1, Layout::c);
  const uint32_t y = array_params(b, "y", DType::f4, 1, Layout::c);
  const LocalId i = b.add_local("i", scalar(DType::i8));
  b.assign(i, b.thread(ThreadValue::kGlobalIdx));
  b.if_then(b.compare(CompareOp::kLt, b.local(i), b.param(x + 1)), [&] {
    const ExprId xi = b.load(b.element(b.param(x), b.local(i)));
    const ExprId yi = b.load(b.element(b.param(y), b.local(i)));
    b.store(b.element(b.param(y), b.local(i)), b.fma(b.param(a), xi, yi));
  });
  b.program().signature = "void(f4, f4[::1], f4[::1])";
  return drop_unused_params(b.take());
}

/// The text of one expression, as the value that a kernel without parameters assigns.
std::string text_of(Builder& b, ExprId expr, Type type) {
  b.assign(b.add_local("out", type), expr);
  const std::string text = print(b.take());
  const size_t at = text.rfind("out = ") + 6;
  return text.substr(at, text.size() - at - 1);
}

std::string const_text(DType dtype, uint64_t bits) {
  Builder b("k");
  return text_of(b, b.constant_bits(dtype, bits), scalar(dtype));
}

template <class T>
std::string value_text(T number) {
  Builder b("k");
  return text_of(b, value(b, number), scalar(dtype_of<T>()));
}

TEST_CASE("A kernel prints as Python-like text with its types") {
  REQUIRE(verify(axpy()).empty());
  CHECK(print(axpy()) ==
        "kernel axpy(a: f4, x: ptr<global f4>, x.shape[0]: i8, y: ptr<global f4>)  # void(f4, f4[::1], f4[::1])\n"
        "  local i: i8\n"
        "  i = global_idx.x\n"
        "  if i < x.shape[0]:\n"
        "    store f4 y[i * 4] = fma(a, load f4 x[i * 4], load f4 y[i * 4])\n");
}

TEST_CASE("A loop of independent rounds says how many there are") {
  Builder b("k");
  const LocalId i = b.add_local("i", scalar(DType::i8));
  b.loop(
      b.add_label("lane"), [&] { return b.compare(CompareOp::kLt, b.local(i), value(b, int64_t{8})); }, [] {},
      [&] { b.assign(i, b.binary(BinaryOp::kAdd, b.local(i), value(b, int64_t{1}))); }, 8);
  const std::string text = print(b.take());
  INFO(text);
  CHECK(text.find("  loop lane lanes 8\n") != std::string::npos);
}

TEST_CASE("Literals show their type unless Python's literal has it") {
  CHECK(value_text(int64_t{-3}) == "-3");
  CHECK(value_text(2.5) == "2.5");
  CHECK(value_text(1.0) == "1.0");
  CHECK(value_text(1e300) == "1e+300");
  CHECK(value_text(0.1F) == "0.1f4");
  CHECK(value_text(int8_t{-1}) == "-1i1");
  CHECK(value_text(uint8_t{255}) == "255u1");
  CHECK(value_text(std::numeric_limits<uint64_t>::max()) == "18446744073709551615u8");
  CHECK(value_text(true) == "True");
  CHECK(value_text(-std::numeric_limits<double>::infinity()) == "-inf");
  CHECK(value_text(-0.0) == "-0.0");
}

TEST_CASE("Only unusual NaNs show their bits") {
  CHECK(const_text(DType::f4, 0x7fc00000) == "f4(nan)");
  CHECK(const_text(DType::f8, 0x7ff8000000000001) == "nan(0x7ff8000000000001)");
}

TEST_CASE("Parentheses appear only where Python needs them") {
  Builder b("k");
  const ExprId x = b.local(b.add_local("x", scalar(DType::i8)));
  const ExprId y = b.local(b.add_local("y", scalar(DType::i8)));
  const Type i8 = scalar(DType::i8);
  SECTION("a product of a sum") {
    CHECK(text_of(b, b.binary(BinaryOp::kMul, b.binary(BinaryOp::kAdd, x, y), y), i8) == "(x + y) * y");
  }
  SECTION("a sum of a product") {
    CHECK(text_of(b, b.binary(BinaryOp::kAdd, b.binary(BinaryOp::kMul, x, y), y), i8) == "x * y + y");
  }
  SECTION("subtraction groups to the left") {
    CHECK(text_of(b, b.binary(BinaryOp::kSub, b.binary(BinaryOp::kSub, x, y), y), i8) == "x - y - y");
  }
  SECTION("subtraction from the right") {
    CHECK(text_of(b, b.binary(BinaryOp::kSub, x, b.binary(BinaryOp::kSub, y, x)), i8) == "x - (y - x)");
  }
  SECTION("powers group to the right") {
    CHECK(text_of(b, b.binary(BinaryOp::kIntPow, x, b.binary(BinaryOp::kIntPow, y, x)), i8) == "x ** y ** x");
  }
  SECTION("the base of a power") {
    CHECK(text_of(b, b.binary(BinaryOp::kIntPow, b.unary(UnaryOp::kNeg, x), y), i8) == "(-x) ** y");
  }
  SECTION("a negative literal as a base") {
    CHECK(text_of(b, b.binary(BinaryOp::kIntPow, value(b, int64_t{-2}), y), i8) == "(-2) ** y");
  }
  SECTION("minus of a literal is not the negative literal") {
    CHECK(text_of(b, b.unary(UnaryOp::kNeg, value(b, int64_t{2})), i8) == "-(2)");
  }
  SECTION("a comparison of comparisons") {
    const ExprId less = b.compare(CompareOp::kLt, x, y);
    const ExprId more = b.compare(CompareOp::kGt, x, y);
    CHECK(text_of(b, b.compare(CompareOp::kEq, less, more), scalar(DType::b1)) == "(x < y) == (x > y)");
  }
  SECTION("a conditional inside a call") {
    const ExprId pick = b.select(b.compare(CompareOp::kNe, x, y), x, value(b, int64_t{0}));
    CHECK(text_of(b, b.convert(DType::f4, pick), scalar(DType::f4)) == "f4(x if x != y else 0)");
  }
}

TEST_CASE("An expression that a statement uses twice is written once") {
  Builder b("k");
  const LocalId x = b.add_local("x", scalar(DType::i8));
  ExprId product = b.local(x);
  for (int i = 0; i < 3; ++i) product = b.binary(BinaryOp::kMul, product, product);
  b.assign(x, product);
  CHECK(print(b.take()) ==
        "kernel k()  # \n"
        "  local x: i8\n"
        "  let %0 = x * x\n"
        "  let %1 = %0 * %0\n"
        "  x = %1 * %1\n");
}

TEST_CASE("Loops print head, test, body and step") {
  Builder b("k");
  const LocalId i = b.add_local("i", scalar(DType::i8));
  const LabelId loop = b.add_label("for");
  const LabelId scope = b.add_label("for");
  b.scope(scope, [&] {
    b.loop(
        loop,
        [&] {
          b.assign(i, value(b, int64_t{7}));
          return b.compare(CompareOp::kLt, b.local(i), value(b, int64_t{3}));
        },
        [&] {
          b.if_then_else(
              b.compare(CompareOp::kEq, b.local(i), value(b, int64_t{1})), [&] { b.continue_loop(loop); },
              [&] { b.exit(scope); });
        },
        [&] { b.assign(i, b.binary(BinaryOp::kAdd, b.local(i), value(b, int64_t{1}))); });
  });
  b.return_thread();
  const KernelProgram program = b.take();
  REQUIRE(verify(program).empty());
  CHECK(print(program) ==
        "kernel k()  # \n"
        "  local i: i8\n"
        "  scope for.1:\n"
        "    loop for\n"
        "      head:\n"
        "        i = 7\n"
        "      while i < 3:\n"
        "        if i == 1:\n"
        "          continue for\n"
        "        else:\n"
        "          exit for.1\n"
        "      step:\n"
        "        i = i + 1\n"
        "  return\n");
}

TEST_CASE("A failure prints its kind, subject, line and values") {
  Builder b("k");
  const uint32_t x = array_params(b, "x", DType::u2, 2);
  const uint32_t index = b.add_fail_site({FailKind::index, "x", 4, 7, 1});
  const uint32_t raise = b.add_fail_site({FailKind::raise, "too large", 5, 1});
  b.program().max_threads_per_block = 256;
  b.fail(index, {value(b, int64_t{9}), b.param(x + 2)});
  b.fail(raise);
  const std::string text = print(b.take());
  CHECK(text.find("  max_threads_per_block = 256\n") != std::string::npos);
  CHECK(text.find("  fail index x line 4 axis 1: 9, x.shape[1]\n") != std::string::npos);
  CHECK(text.find("  fail raise too large line 5\n") != std::string::npos);
}

TEST_CASE("Equal names of parameters and locals are told apart") {
  Builder b("k");
  const uint32_t x = b.scalar_param("x", DType::f8);
  const LocalId first = b.add_local("x", scalar(DType::f8));
  b.assign(first, b.param(x));
  CHECK(print(b.take()).find("  x.1 = x\n") != std::string::npos);
}

}  // namespace
}  // namespace jitc::kernel
