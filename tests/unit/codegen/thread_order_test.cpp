// A thread sees its own stores in order, however its row is vectorised and whichever arrays overlap.
#include <catch2/catch.hpp>

#include "src/codegen/thread_order.hpp"
#include "tests/unit/codegen/cpu_program.hpp"
#include "tests/unit/codegen/kernels.hpp"

namespace {

using namespace jitc;
using namespace jitc::codegen::tests;
using namespace jitc::kernel;

struct Frame {
  Builder k{"kernel"};
  uint32_t a = array("a"), b = array("b"), out = array("out");
  LocalId i = k.add_local("i", scalar(DType::i8)), t = k.add_local("t", scalar(DType::f4));

  Frame() { k.assign(i, k.thread(ThreadValue::kGlobalIdx)); }
  uint32_t array(const char* name) { return k.data_param(k.array_argument(name, DType::f4, 1)); }
  /// array[scale * i + offset]
  MemRef at(uint32_t array, int64_t scale, int64_t offset) {
    ExprId index = k.local(i);
    if (scale != 1) index = k.binary(BinaryOp::kMul, index, k.constant(DType::i8, scale));
    if (offset != 0) index = k.binary(BinaryOp::kAdd, index, k.constant(DType::i8, offset));
    return k.element(k.param(array), index);
  }
  ExprId plus_one(ExprId value) { return k.binary(BinaryOp::kAdd, value, k.constant(DType::f4, 1)); }
};

bool is_safe(const KernelProgram& program) { return codegen::is_order_safe_in_parallel_rows(program, program.body); }

TEST_CASE("the local arrays of neighbouring threads are not neighbours") {
  Frame f;
  Builder& k = f.k;
  const uint32_t own = k.add_memory({"own", MemorySpace::kLocal, DType::f4, 4, 4});
  const auto at = [&](int64_t index) { return k.element(k.memory_base(own), k.constant(DType::i8, index)); };
  k.store(at(0), k.load(f.at(f.a, 1, 0)));
  k.store(f.at(f.out, 1, 0), k.load(at(1)));
  const KernelProgram program = k.take();
  CHECK(!is_safe(program));
}

TEST_CASE("a strided load stays behind a store to the same place through another array") {
  Frame f;
  Builder& k = f.k;
  k.assign(f.t, k.load(f.at(f.a, 2, 0)));
  k.store(f.at(f.b, 2, 1), f.plus_one(k.local(f.t)));
  k.store(f.at(f.out, 1, 0), k.load(f.at(f.a, 2, 1)));
  const KernelProgram program = k.take();
  CHECK(!is_safe(program));

  std::vector<float> a(512), out(256), expected;
  for (size_t i = 0; i < 512; ++i) a[i] = static_cast<float>(i);
  for (size_t i = 0; i < 256; ++i) expected.push_back(a[2 * i] + 1);
  const CpuLaunch launch{{1, 1, 1}, {256, 1, 1}};
  CpuProgram(program).run(launch, a.data(), a.data(), out.data());
  CHECK(out == expected);
}

TEST_CASE("a strided store stays before a later store to the same place through another array") {
  Frame f;
  Builder& k = f.k;
  k.store(f.at(f.a, 2, 0), k.constant(DType::f4, 1));
  k.store(f.at(f.b, 2, 0), k.constant(DType::f4, 2));
  k.store(f.at(f.a, 2, 1), k.constant(DType::f4, 3));
  k.store(f.at(f.out, 1, 0), k.constant(DType::f4, 4));
  const KernelProgram program = k.take();
  CHECK(!is_safe(program));

  std::vector<float> a(512), out(256), expected;
  for (size_t i = 0; i < 512; ++i) expected.push_back(i % 2 == 0 ? 2 : 3);
  const CpuLaunch launch{{1, 1, 1}, {256, 1, 1}};
  CpuProgram(program).run(launch, a.data(), a.data(), out.data());
  CHECK(a == expected);
}

TEST_CASE("kernels on neighbours keep the hint, whatever their order") {
  CHECK(is_safe(axpy()));
  CHECK(is_safe(pairwise()));
  Frame f;
  Builder& k = f.k;
  k.assign(f.t, k.load(f.at(f.a, 1, 0)));
  k.store(f.at(f.b, 1, 0), f.plus_one(k.local(f.t)));
  k.store(f.at(f.out, 1, 0), k.load(f.at(f.a, 1, 0)));
  const KernelProgram program = k.take();
  CHECK(is_safe(program));

  std::vector<float> a(256, 5), out(256);
  const CpuLaunch launch{{1, 1, 1}, {256, 1, 1}};
  CpuProgram(program).run(launch, a.data(), a.data(), out.data());
  CHECK(out == std::vector<float>(256, 6));
}

TEST_CASE("strided loads before the only store keep the hint, a store in a loop with them loses it") {
  Frame f;
  Builder& k = f.k;
  k.store(f.at(f.out, 1, 0), k.binary(BinaryOp::kAdd, k.load(f.at(f.a, 2, 0)), k.load(f.at(f.a, 2, 1))));
  CHECK(is_safe(k.take()));

  Frame g;
  Builder& l = g.k;
  l.loop(
      l.add_label("for"), [&] { return l.compare(CompareOp::kLt, l.local(g.t), l.constant(DType::f4, 2)); },
      [&] {
        l.assign(g.t, g.plus_one(l.load(g.at(g.a, 2, 0))));
        l.store(g.at(g.out, 1, 0), l.local(g.t));
      },
      [] {});
  CHECK(!is_safe(l.take()));
}

}  // namespace
