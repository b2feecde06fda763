// Structured control flow: loops, scopes, early exits, locals.
#include <catch2/catch.hpp>

#include "tests/unit/codegen/cpu_program.hpp"
#include "tests/unit/codegen/kernels.hpp"

namespace {

using namespace jitc;
using namespace jitc::codegen::tests;
using namespace jitc::kernel;

ExprId add(Builder& k, ExprId a, ExprId b) { return k.binary(BinaryOp::kAdd, a, b); }
ExprId i8_constant(Builder& k, int64_t value) { return k.constant(DType::i8, value); }

/// A kernel of one array `out` of i8: `body` gets the thread's number as a local, and may store at out[i].
struct Frame {
  Builder k{"kernel"};
  uint32_t out = k.data_param(k.array_argument("out", DType::i8, 1));
  LocalId i = k.add_local("i", scalar(DType::i8));

  Frame() { k.assign(i, k.thread(ThreadValue::kGlobalIdx)); }
  LocalId local(const char* name) { return k.add_local(name, scalar(DType::i8)); }
  void store(ExprId value) { k.store(k.element(k.param(out), k.local(i)), value); }
  void increment(LocalId local) { k.assign(local, add(k, k.local(local), i8_constant(k, 1))); }

  std::vector<int64_t> run(uint32_t count_threads, int opt_level = 3) {
    std::vector<int64_t> result(count_threads, -1);
    CpuLaunch launch;
    launch.block[0] = count_threads;
    CpuProgram(k.take(), {.opt_level = opt_level}).run(launch, result.data());
    return result;
  }
};

TEST_CASE("continue runs the step, exit leaves the loop of its label") {
  Frame f;
  Builder& k = f.k;
  const LocalId n = f.local("n"), sum = f.local("sum");
  const LabelId outer = k.add_label("outer"), inner = k.add_label("inner");
  const LocalId m = f.local("m");
  k.assign(n, i8_constant(k, 0));
  k.loop(
      outer, [&] { return k.compare(CompareOp::kLt, k.local(n), i8_constant(k, 10)); },
      [&] {
        k.if_then(k.compare(CompareOp::kEq, k.local(n), i8_constant(k, 3)), [&] { k.continue_loop(outer); });
        k.if_then(k.compare(CompareOp::kEq, k.local(n), k.local(f.i)), [&] { k.exit(outer); });
        k.assign(m, i8_constant(k, 0));
        k.loop(
            inner, [&] { return k.constant(DType::b1, true); },
            [&] {
              k.if_then(k.compare(CompareOp::kEq, k.local(m), i8_constant(k, 2)), [&] { k.exit(inner); });
              k.if_then(k.compare(CompareOp::kEq, k.local(n), i8_constant(k, 5)), [&] { k.continue_loop(outer); });
              k.assign(sum, add(k, k.local(sum), k.local(n)));
            },
            [&] { f.increment(m); });
      },
      [&] { f.increment(n); });
  f.store(k.local(sum));

  std::vector<int64_t> expected;
  for (int64_t i = 0; i < 12; ++i) {
    int64_t total = 0;
    for (int64_t at = 0; at < 10; ++at) {
      if (at == 3) continue;
      if (at == i) break;
      if (at != 5) total += 2 * at;
    }
    expected.push_back(total);
  }
  const int opt_level = GENERATE(0, 3);
  CHECK(f.run(12, opt_level) == expected);
}

TEST_CASE("the head of a loop runs before every test of its condition") {
  Frame f;
  Builder& k = f.k;
  const LocalId tests = f.local("tests");
  k.loop(
      k.add_label("while"),
      [&] {
        f.increment(tests);
        return k.compare(CompareOp::kLe, k.local(tests), k.local(f.i));
      },
      [] {}, [] {});
  f.store(k.local(tests));
  CHECK(f.run(4) == std::vector<int64_t>{1, 2, 3, 4});
}

TEST_CASE("leaving a scope skips the rest of it, from inside of loops too") {
  Frame f;
  Builder& k = f.k;
  const LabelId found = k.add_label("found"), loop = k.add_label("loop");
  const LocalId n = f.local("n"), result = f.local("result");
  k.scope(found, [&] {
    k.loop(
        loop, [&] { return k.compare(CompareOp::kLt, k.local(n), i8_constant(k, 3)); },
        [&] {
          k.if_then(k.compare(CompareOp::kEq, k.local(n), k.local(f.i)), [&] {
            k.assign(result, i8_constant(k, 100));
            k.exit(found);
          });
        },
        [&] { f.increment(n); });
    k.assign(result, i8_constant(k, -100));  // the else of the loop
  });
  f.store(k.local(result));
  CHECK(f.run(5) == std::vector<int64_t>{100, 100, 100, -100, -100});
}

TEST_CASE("return ends the thread and no other") {
  Frame f;
  Builder& k = f.k;
  f.store(i8_constant(k, 1));
  k.if_then_else(
      k.compare(CompareOp::kEq, k.binary(BinaryOp::kMod, k.local(f.i), i8_constant(k, 2)), i8_constant(k, 0)),
      [&] { k.return_thread(); }, [&] { f.store(i8_constant(k, 2)); });
  f.store(add(k, k.load(k.element(k.param(f.out), k.local(f.i))), i8_constant(k, 10)));
  k.return_thread();
  f.store(i8_constant(k, 99));
  CHECK(f.run(5) == std::vector<int64_t>{1, 12, 1, 12, 1});
}

TEST_CASE("locals are zero at the start of every thread") {
  Frame f;
  Builder& k = f.k;
  const LocalId seen = f.local("seen");
  f.store(k.local(seen));
  k.assign(seen, i8_constant(k, 7));
  const int opt_level = GENERATE(0, 3);
  CHECK(f.run(5, opt_level) == std::vector<int64_t>(5, 0));
}

TEST_CASE("a value that a statement uses twice is that of its own time") {
  Frame f;
  Builder& k = f.k;
  const LocalId n = f.local("n");
  const ExprId n_value = k.local(n);  // one node in three statements
  f.increment(n);
  f.store(n_value);
  f.increment(n);
  k.if_then(k.compare(CompareOp::kEq, n_value, i8_constant(k, 2)), [&] {
    f.increment(n);
    f.store(k.binary(BinaryOp::kMul, n_value, n_value));
  });
  CHECK(f.run(2) == std::vector<int64_t>{9, 9});
}

TEST_CASE("pointers are selected, moved and dereferenced") {
  Builder k("kernel");
  const uint32_t a = k.data_param(k.array_argument("a", DType::i4, 1));
  const uint32_t b = k.data_param(k.array_argument("b", DType::i4, 1));
  const LocalId p = k.add_local("p", pointer(DType::i4, MemorySpace::kGlobal));
  const ExprId even =
      k.compare(CompareOp::kEq, k.binary(BinaryOp::kMod, k.thread(ThreadValue::kThreadIdx), i8_constant(k, 2)),
                i8_constant(k, 0));
  k.assign(p, k.select(even, k.param(a), k.param(b)));
  const MemRef row{k.local(p), {{k.thread(ThreadValue::kThreadIdx), i8_constant(k, -4)}}};
  k.assign(p, k.address(row));
  k.store(MemRef{k.local(p), {}}, k.convert(DType::i4, k.thread(ThreadValue::kThreadIdx)));
  std::vector<int32_t> first(4, -1), second(4, -1);
  CpuLaunch launch;
  launch.block[0] = 4;
  CpuProgram(k.take()).run(launch, first.data() + 3, second.data() + 3);
  CHECK(first == std::vector<int32_t>{-1, 2, -1, 0});
  CHECK(second == std::vector<int32_t>{3, -1, 1, -1});
}

TEST_CASE("expressions nested thousands deep compile, optimised or too large for that") {
  const int depth = GENERATE(1000, 30000);
  Frame f;
  Builder& k = f.k;
  ExprId value = k.local(f.i);
  for (int i = 0; i < depth; ++i) value = k.binary(i % 2 == 0 ? BinaryOp::kXor : BinaryOp::kAdd, value, k.local(f.i));
  f.store(value);
  std::vector<int64_t> expected;
  for (int64_t i = 0; i < 3; ++i) {
    int64_t x = i;
    for (int step = 0; step < depth; ++step) x = step % 2 == 0 ? x ^ i : x + i;
    expected.push_back(x);
  }
  CHECK(f.run(3) == expected);
}

}  // namespace
