#include <catch2/catch.hpp>

#include "src/kernel/kernel.hpp"
#include "tests/unit/kernel/programs.hpp"

namespace jitc::kernel {
namespace {

TEST_CASE("Parameters that nothing uses are dropped and the others keep their meaning") {
  Builder b("k");
  b.scalar_param("unused", DType::f4);
  const uint32_t x = array_params(b, "x", DType::f4, 2);
  const uint32_t n = b.scalar_param("n", DType::i8);
  const MemRef ref{b.param(x), {{b.param(n), b.param(x + 4)}}};  // x.strides[1]
  b.store(ref, value(b, 1.0F));

  const KernelProgram program = drop_unused_params(b.take());
  REQUIRE(verify(program).empty());
  REQUIRE(program.params.size() == 3);
  CHECK(program.params[0].name == "x");
  CHECK(program.params[1].name == "x.strides[1]");
  CHECK(program.params[2].name == "n");
  CHECK(program.arguments.size() == 3);
  CHECK(print(program).find("store f4 x[n * x.strides[1]] = 1.0f4\n") != std::string::npos);
}

TEST_CASE("A parameter that only an unreachable expression uses is dropped") {
  Builder b("k");
  const uint32_t n = b.scalar_param("n", DType::i8);
  b.binary(BinaryOp::kAdd, b.param(n), b.param(n));
  b.assign(b.add_local("i", scalar(DType::i8)), value(b, int64_t{1}));

  const KernelProgram program = drop_unused_params(b.take());
  CHECK(program.params.empty());
  CHECK(program.exprs.size() == 1);
  CHECK(verify(program).empty());
}

TEST_CASE("Operands of every kind of expression survive the renumbering") {
  Builder b("k");
  value(b, int64_t{99});  // dropped: every later id changes
  const uint32_t x = array_params(b, "x", DType::f8, 1);
  const ExprId load = b.load(b.element(b.address(b.element(b.param(x), b.param(x + 1))), value(b, int64_t{2})));
  const ExprId fused = b.fma(load, b.unary(UnaryOp::kNeg, load), b.math(MathFn::kPow, {load, value(b, 2.0)}));
  const ExprId picked = b.select(b.compare(CompareOp::kLt, fused, load), fused, b.convert(DType::f8, b.param(x + 1)));
  b.store(b.element(b.param(x), value(b, int64_t{0})), b.binary(BinaryOp::kMul, picked, load));

  const KernelProgram whole = b.take();
  const std::string before = print(whole);
  const KernelProgram program = drop_unused_params(whole);
  CHECK(verify(program).empty());
  CHECK(program.params.size() == 2);  // x.strides[0] is gone
  CHECK(print(program).substr(print(program).find('\n')) == before.substr(before.find('\n')));
}

TEST_CASE("The node count is expressions and statements") {
  Builder b("k");
  b.assign(b.add_local("i", scalar(DType::i8)), b.binary(BinaryOp::kAdd, value(b, int64_t{1}), value(b, int64_t{2})));
  CHECK(node_count(b.take()) == 4);
}

}  // namespace
}  // namespace jitc::kernel
