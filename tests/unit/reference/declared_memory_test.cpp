// The arrays that kernels declare: who has which copy, and which accesses are found to be wrong.
#include "tests/unit/reference/out_program.hpp"

namespace jitc::reference {
namespace {

using namespace jitc::kernel;

MemoryObject array_of(MemorySpace space, DType dtype, uint64_t count) {
  return {.name = "m", .space = space, .dtype = dtype, .count_elems = count, .align_bytes = 8};
}

/// m[index] of the array that is declared first.
MemRef element(OutProgram& p, int64_t index) { return p.b.element(p.b.memory_base(0), p.value_of(index)); }

TEST_CASE("Shared memory is one for the block, and each block has its own") {
  OutProgram p;
  p.b.add_memory(array_of(MemorySpace::kShared, DType::i8, 1));
  const ExprId block = p.b.thread(ThreadValue::kBlockIdx);
  p.b.if_then(p.equals(p.thread(), 0), [&] { p.b.store(element(p, 0), p.add(block, p.value_of(5))); });
  p.b.barrier();
  p.write(p.b.thread(ThreadValue::kGlobalIdx), p.b.load(element(p, 0)));
  p.run({2, 1, 1}, {4, 1, 1});
  CHECK(p.memory == std::vector<int64_t>{5, 5, 5, 5, 6, 6, 6, 6});
}

TEST_CASE("Local memory is each thread's own") {
  OutProgram p;
  p.b.add_memory(array_of(MemorySpace::kLocal, DType::i8, 2));
  p.b.store(element(p, 1), p.thread());
  p.b.barrier();
  p.write(p.thread(), p.b.load(element(p, 1)));
  p.run({1, 1, 1}, {8, 1, 1});
  CHECK(p.memory == std::vector<int64_t>{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("Constants have their values and are not written") {
  OutProgram p;
  MemoryObject table = array_of(MemorySpace::kConst, DType::i8, 2);
  table.init.resize(16);
  table.init[0] = std::byte{7};
  table.init[8] = std::byte{9};
  p.b.add_memory(table);
  p.write(0, p.b.load(element(p, 1)));
  p.run();
  CHECK(p.memory[0] == 9);
}

TEST_CASE("Memory that nothing was written to has an odd pattern") {
  OutProgram p;
  p.b.add_memory(array_of(MemorySpace::kShared, DType::i8, 1));
  p.write(0, p.b.load(element(p, 0)));
  p.run();
  CHECK(p.memory[0] == static_cast<int64_t>(0xA5A5A5A5A5A5A5A5));
}

TEST_CASE("Dynamic shared arrays all begin at the one place that the launch gives") {
  OutProgram p;
  MemoryObject dynamic = array_of(MemorySpace::kShared, DType::i8, 0);
  dynamic.dynamic = true;
  p.b.add_memory(dynamic);
  dynamic.dtype = DType::i4;
  p.b.add_memory(dynamic);
  p.b.store(element(p, 1), p.value_of((int64_t{3} << 32) + 4));
  const auto half = [&](int64_t index) {
    return p.b.convert(DType::i8, p.b.load(p.b.element(p.b.memory_base(1), p.value_of(index))));
  };
  p.write(0, half(2));
  p.write(1, half(3));
  p.write(2, p.b.thread(ThreadValue::kDynamicSharedBytes));
  SECTION("within the bytes") {
    p.launch.dynamic_shared_bytes = 16;
    p.run();
    CHECK(p.memory == std::vector<int64_t>{4, 3, 16, 0, 0, 0, 0, 0});
  }
  SECTION("beyond them") {
    p.launch.dynamic_shared_bytes = 12;
    CHECK_THROWS_WITH(p.run(), "access outside the arrays of the launch");
  }
}

TEST_CASE("An access past the end of one array is not one of the next") {
  OutProgram p;
  const MemorySpace space = GENERATE(MemorySpace::kShared, MemorySpace::kLocal);
  p.b.add_memory(array_of(space, DType::i8, 4));
  p.b.add_memory(array_of(space, DType::i8, 4));
  const int64_t index = GENERATE(-1, 4);
  p.write(0, p.b.load(element(p, index)));
  CHECK_THROWS_WITH(p.run(), "access outside the arrays of the launch");
}

TEST_CASE("A pointer through which constants are written is found") {
  Builder b("k");
  MemoryObject table = array_of(MemorySpace::kConst, DType::i8, 1);
  table.init.resize(8);
  b.add_memory(table);
  b.store(b.element(b.memory_base(0), b.constant(DType::i8, 0)), b.constant(DType::i8, 1));
  const KernelProgram program = b.take();  // which the verifier would not accept
  CHECK_THROWS_WITH(reference::run(program, {}), "a write to constant memory");
}

}  // namespace
}  // namespace jitc::reference
