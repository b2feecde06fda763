// One broken program per rule about declared memory, atomics, barriers, warp operations and print.
#include <catch2/catch.hpp>

#include "src/kernel/kernel.hpp"
#include "tests/unit/kernel/programs.hpp"

namespace jitc::kernel {
namespace {

/// The only broken rule of the program.
std::string broken_rule(Builder& b) {
  const std::vector<std::string> errors = verify(b.take());
  REQUIRE(errors.size() == 1);
  return errors[0];
}

MemoryObject array_of(DType dtype, uint64_t count, MemorySpace space = MemorySpace::kShared) {
  return {.name = "m",
          .space = space,
          .dtype = dtype,
          .count_elems = count,
          .align_bytes = static_cast<uint32_t>(size_bytes(dtype))};
}

/// The first element of an array of its own.
MemRef first_of(Builder& b, DType dtype, MemorySpace space = MemorySpace::kShared) {
  return {b.memory_base(b.add_memory(array_of(dtype, 1, space))), {}};
}

TEST_CASE("A program of blocks, warps and lines breaks no rule") {
  Builder b("k");
  MemoryObject dynamic = array_of(DType::f4, 0);
  dynamic.dynamic = true;
  b.add_memory(dynamic);
  MemoryObject table = array_of(DType::i2, 2, MemorySpace::kConst);
  table.init.resize(4);
  b.add_memory(table);
  const LocalId old = b.add_local("old", scalar(DType::f4)), count = b.add_local("count", scalar(DType::i4)),
                votes = b.add_local("votes", scalar(DType::u4)), any = b.add_local("any", scalar(DType::b1));
  const ExprId yes = value(b, true), all = value(b, UINT32_MAX), f = value(b, 1.0F);
  b.atomic(AtomicOp::kCas, first_of(b, DType::f4), f, old, f);
  b.atomic(AtomicOp::kInc, first_of(b, DType::i8), value(b, int64_t{3}), {});
  b.barrier();
  b.barrier(BarrierOp::kBlockCount, yes, count, b.add_fail_site({FailKind::barrier}));
  b.barrier(BarrierOp::kBlockOr, yes);
  b.barrier(BarrierOp::kGrid);
  b.fence(FenceScope::kSystem);
  b.warp(WarpOp::kSync, all);
  b.warp(WarpOp::kShflDown, all, f, value(b, 1), old);
  b.warp(WarpOp::kAny, all, yes, {}, any);
  b.warp(WarpOp::kBallot, all, yes, {}, votes);
  b.warp(WarpOp::kMatchAll, all, f, {}, votes);
  b.warp(WarpOp::kActive, {}, {}, {}, votes);
  b.print({{"x =", {}}, {"", f}});
  CHECK(verify(b.take()).empty());
}

TEST_CASE("Declared arrays have a place, a size and values") {
  Builder b("k");
  MemoryObject object = array_of(DType::f8, 4);
  SECTION("an alignment below the element's") {
    object.align_bytes = 4;
    b.add_memory(object);
    CHECK(broken_rule(b) == "memory 0: an alignment of 4");
  }
  SECTION("an alignment that is no power of two") {
    object.align_bytes = 24;
    b.add_memory(object);
    CHECK(broken_rule(b) == "memory 0: an alignment of 24");
  }
  SECTION("global memory") {
    object.space = MemorySpace::kGlobal;
    b.add_memory(object);
    CHECK(broken_rule(b) == "memory 0: a kernel declares no global memory");
  }
  SECTION("a dynamic array with a size") {
    object.dynamic = true;
    b.add_memory(object);
    CHECK(broken_rule(b) == "memory 0: only shared memory is dynamic");
  }
  SECTION("dynamic local memory") {
    object = array_of(DType::f8, 0, MemorySpace::kLocal);
    object.dynamic = true;
    b.add_memory(object);
    CHECK(broken_rule(b) == "memory 0: only shared memory is dynamic");
  }
  SECTION("constants without values") {
    b.add_memory(array_of(DType::f8, 4, MemorySpace::kConst));
    CHECK(broken_rule(b) == "memory 0: 0 bytes of values, not 32");
  }
  SECTION("values of shared memory") {
    object.init.resize(32);
    b.add_memory(object);
    CHECK(broken_rule(b) == "memory 0: 32 bytes of values, not 0");
  }
  SECTION("one that does not exist") {
    b.program().exprs.add({{}, pointer(DType::f8, MemorySpace::kShared), MemoryBase{0}});
    CHECK(broken_rule(b) == "expr 0: memory object 0 does not exist");
  }
  SECTION("one that is taken for another") {
    b.add_memory(object);
    b.program().exprs.add({{}, pointer(DType::f8, MemorySpace::kLocal), MemoryBase{0}});
    CHECK(broken_rule(b) == "expr 0: the memory is ptr<shared f8>, the node ptr<local f8>");
  }
}

TEST_CASE("Atomic operations are of words that threads share") {
  Builder b("k");
  const ExprId f = value(b, 1.0F), i = value(b, 1);
  const LocalId wide = b.add_local("wide", scalar(DType::i8));
  SECTION("of local memory") {
    b.atomic(AtomicOp::kAdd, first_of(b, DType::i4, MemorySpace::kLocal), i, {});
    CHECK(broken_rule(b) == "stmt 0: an atomic operation on local memory");
  }
  SECTION("of narrow elements") {
    b.atomic(AtomicOp::kAdd, first_of(b, DType::i2), value(b, int16_t{1}), {});
    CHECK(broken_rule(b) == "stmt 0: atomic add of ptr<shared i2>");
  }
  SECTION("bits of floats") {
    b.atomic(AtomicOp::kXor, first_of(b, DType::f4), f, {});
    CHECK(broken_rule(b) == "stmt 0: atomic xor of ptr<shared f4>");
  }
  SECTION("a value that converts") {
    b.atomic(AtomicOp::kAdd, first_of(b, DType::i4), f, {});
    CHECK(broken_rule(b) == "stmt 0: the value is f4, not i4");
  }
  SECTION("cas without an expected value") {
    b.atomic(AtomicOp::kCas, first_of(b, DType::i4), i, {});
    CHECK(broken_rule(b) == "stmt 0: an expected value belongs to cas alone");
  }
  SECTION("an expected value elsewhere") {
    b.atomic(AtomicOp::kExch, first_of(b, DType::i4), i, {}, i);
    CHECK(broken_rule(b) == "stmt 0: an expected value belongs to cas alone");
  }
  SECTION("an expected value that converts") {
    b.atomic(AtomicOp::kCas, first_of(b, DType::i4), i, {}, f);
    CHECK(broken_rule(b) == "stmt 0: the expected value is f4, not i4");
  }
  SECTION("a result that converts") {
    b.atomic(AtomicOp::kAdd, first_of(b, DType::i4), i, wide);
    CHECK(broken_rule(b) == "stmt 0: the result is i8, not i4");
  }
  SECTION("a result that does not exist") {
    b.atomic(AtomicOp::kAdd, first_of(b, DType::i4), i, LocalId(9));
    CHECK(broken_rule(b) == "stmt 0: local 9 does not exist");
  }
}

TEST_CASE("Only the reductions of a barrier have a predicate and a result") {
  Builder b("k");
  const LocalId wide = b.add_local("wide", scalar(DType::i8)), count = b.add_local("count", scalar(DType::i4));
  SECTION("a plain barrier with a predicate") {
    b.barrier(BarrierOp::kBlock, value(b, true));
    CHECK(broken_rule(b) == "stmt 0: a predicate belongs to a reduction");
  }
  SECTION("a reduction without one") {
    b.barrier(BarrierOp::kBlockAnd, {}, count);
    CHECK(broken_rule(b) == "stmt 0: a predicate belongs to a reduction");
  }
  SECTION("a predicate that is a number") {
    b.barrier(BarrierOp::kBlockAnd, value(b, 1), count);
    CHECK(broken_rule(b) == "stmt 0: the predicate is i4, not b1");
  }
  SECTION("a grid barrier with a result") {
    b.barrier(BarrierOp::kGrid, {}, count);
    CHECK(broken_rule(b) == "stmt 0: only a reduction has a result");
  }
  SECTION("a wide result") {
    b.barrier(BarrierOp::kBlockCount, value(b, true), wide);
    CHECK(broken_rule(b) == "stmt 0: the result is i8, not i4");
  }
  SECTION("a fail site that does not exist") {
    b.barrier(BarrierOp::kBlock, {}, {}, 4);
    CHECK(broken_rule(b) == "stmt 0: fail site 4 does not exist");
  }
}

TEST_CASE("Warp operations have the operands that they need") {
  Builder b("k");
  const ExprId all = value(b, UINT32_MAX), yes = value(b, true), i = value(b, 1);
  const LocalId number = b.add_local("number", scalar(DType::i4)), votes = b.add_local("votes", scalar(DType::u4));
  SECTION("a vote without a mask") {
    b.warp(WarpOp::kBallot, {}, yes, {}, votes);
    CHECK(broken_rule(b) == "stmt 0: warp_ballot: the mask");
  }
  SECTION("the active lanes of a mask") {
    b.warp(WarpOp::kActive, all, {}, {}, votes);
    CHECK(broken_rule(b) == "stmt 0: active_mask: the mask");
  }
  SECTION("a signed mask") {
    b.warp(WarpOp::kSync, i);
    CHECK(broken_rule(b) == "stmt 0: the mask is i4, not u4");
  }
  SECTION("a shuffle without a lane") {
    b.warp(WarpOp::kShflIdx, all, i, {}, number);
    CHECK(broken_rule(b) == "stmt 0: shfl: the lane");
  }
  SECTION("an unsigned lane") {
    b.warp(WarpOp::kShflIdx, all, i, all, number);
    CHECK(broken_rule(b) == "stmt 0: the lane is u4, not i4");
  }
  SECTION("a lane of a match") {
    b.warp(WarpOp::kMatchAny, all, i, i, votes);
    CHECK(broken_rule(b) == "stmt 0: match_any: the lane");
  }
  SECTION("a synchronisation with a value") {
    b.warp(WarpOp::kSync, all, i);
    CHECK(broken_rule(b) == "stmt 0: warp_sync: the value");
  }
  SECTION("a vote on a number") {
    b.warp(WarpOp::kBallot, all, i, {}, votes);
    CHECK(broken_rule(b) == "stmt 0: the value is i4, not b1");
  }
  SECTION("a shuffle of a narrow value") {
    b.warp(WarpOp::kShflXor, all, value(b, int8_t{1}), i);
    CHECK(broken_rule(b) == "stmt 0: shfl_xor of i1");
  }
  SECTION("a match of bools") {
    b.warp(WarpOp::kMatchAll, all, yes, {}, votes);
    CHECK(broken_rule(b) == "stmt 0: match_all of b1");
  }
  SECTION("a result of the wrong type") {
    b.warp(WarpOp::kMatchAll, all, i, {}, number);
    CHECK(broken_rule(b) == "stmt 0: the result is i4, not u4");
  }
  SECTION("a shuffled value that converts") {
    b.warp(WarpOp::kShflUp, all, value(b, 1.5), i, number);
    CHECK(broken_rule(b) == "stmt 0: the result is i4, not f8");
  }
  SECTION("a vote that is counted") {
    b.warp(WarpOp::kAll, all, yes, {}, votes);
    CHECK(broken_rule(b) == "stmt 0: the result is u4, not b1");
  }
  SECTION("a result of a synchronisation") {
    b.warp(WarpOp::kSync, all, {}, {}, votes);
    CHECK(broken_rule(b) == "stmt 0: warp_sync has no result");
  }
}

TEST_CASE("Lines hold scalars, and shared bytes have no axes") {
  Builder b("k");
  SECTION("a printed pointer") {
    b.print({{"", b.memory_base(b.add_memory(array_of(DType::f8, 1)))}});
    CHECK(broken_rule(b) == "stmt 0: pointers are not printed");
  }
  SECTION("an axis of the dynamic shared bytes") {
    b.thread(ThreadValue::kDynamicSharedBytes, 1);
    CHECK(broken_rule(b) == "expr 0: dynamic_shared_bytes has no axis 1");
  }
}

}  // namespace
}  // namespace jitc::kernel
