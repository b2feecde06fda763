// The text of declared memory, atomics, barriers, fences, warp operations and print.
#include <catch2/catch.hpp>

#include "src/kernel/kernel.hpp"
#include "tests/unit/kernel/programs.hpp"

namespace jitc::kernel {
namespace {

/// The program's text without its first line.
std::string text_of(Builder& b) {
  const KernelProgram program = b.take();
  REQUIRE(verify(program) == std::vector<std::string>{});
  const std::string text = print(program);
  return text.substr(text.find('\n') + 1);
}

TEST_CASE("Declared arrays print their space, size, alignment and first values") {
  Builder b("k");
  b.add_memory({.name = "tile", .dtype = DType::f4, .count_elems = 272, .align_bytes = 16});
  b.add_memory({.name = "tile", .dtype = DType::i8, .align_bytes = 8, .dynamic = true});
  b.add_memory({.name = "row", .space = MemorySpace::kLocal, .dtype = DType::u1, .count_elems = 5, .align_bytes = 1});
  MemoryObject table{.name = "table", .space = MemorySpace::kConst, .dtype = DType::i2, .align_bytes = 2};
  table.count_elems = 3;
  table.init = {std::byte{1}, std::byte{0}, std::byte{0xff}, std::byte{0xff}, std::byte{0}, std::byte{1}};
  b.add_memory(table);
  table.count_elems = 20;
  table.init.assign(40, std::byte{0});
  b.add_memory(table);
  CHECK(text_of(b) ==
        "  shared tile: f4[272] align 16\n"
        "  shared tile.1: i8[dynamic] align 8\n"
        "  local row: u1[5] align 1\n"
        "  const table: i2[3] align 2 = {1i2, -1i2, 256i2}\n"
        "  const table.1: i2[20] align 2 = {0i2, 0i2, 0i2, 0i2, 0i2, 0i2, 0i2, 0i2, 0i2, 0i2, 0i2, 0i2, 0i2, 0i2, "
        "0i2, 0i2, …}\n");
}

TEST_CASE("Atomic operations print as assignments of the old element") {
  Builder b("k");
  const uint32_t tile = b.add_memory({.name = "tile", .dtype = DType::i4, .count_elems = 4, .align_bytes = 4});
  const LocalId old = b.add_local("old", scalar(DType::i4));
  const MemRef ref = b.element(b.memory_base(tile), b.thread(ThreadValue::kThreadIdx));
  b.atomic(AtomicOp::kAdd, ref, value(b, 2), old);
  b.atomic(AtomicOp::kNanMax, ref, b.local(old), {});
  b.atomic(AtomicOp::kCas, ref, value(b, 2), old, value(b, 1));
  CHECK(text_of(b) ==
        "  local old: i4\n"
        "  shared tile: i4[4] align 4\n"
        "  old = atomic_add i4 tile[thread_idx.x * 4], 2i4\n"
        "  atomic_nanmax i4 tile[thread_idx.x * 4], old\n"
        "  old = atomic_cas i4 tile[thread_idx.x * 4], 1i4, 2i4\n");
}

TEST_CASE("Barriers and fences print their sort, predicate and result") {
  Builder b("k");
  const LocalId count = b.add_local("count", scalar(DType::i4));
  const ExprId first = b.compare(CompareOp::kEq, b.thread(ThreadValue::kThreadIdx), value(b, int64_t{0}));
  b.barrier();
  b.barrier(BarrierOp::kBlockCount, first, count);
  b.barrier(BarrierOp::kBlockAnd, first, count);
  b.barrier(BarrierOp::kBlockOr, first);
  b.barrier(BarrierOp::kGrid);
  b.fence(FenceScope::kBlock);
  b.fence(FenceScope::kDevice);
  b.fence(FenceScope::kSystem);
  CHECK(text_of(b) ==
        "  local count: i4\n"
        "  barrier\n"
        "  count = barrier_count thread_idx.x == 0\n"
        "  count = barrier_and thread_idx.x == 0\n"
        "  barrier_or thread_idx.x == 0\n"
        "  grid_barrier\n"
        "  fence_block\n"
        "  fence_device\n"
        "  fence_system\n");
}

TEST_CASE("Warp operations print mask, value and lane") {
  Builder b("k");
  const LocalId x = b.add_local("x", scalar(DType::f8)), lanes = b.add_local("lanes", scalar(DType::u4)),
                all = b.add_local("all", scalar(DType::b1));
  b.warp(WarpOp::kActive, {}, {}, {}, lanes);
  b.warp(WarpOp::kSync, b.local(lanes));
  b.warp(WarpOp::kShflXor, value(b, 255U), b.local(x), value(b, 4), x);
  b.warp(WarpOp::kAll, b.local(lanes), b.compare(CompareOp::kLt, b.local(x), value(b, 0.5)), {}, all);
  b.warp(WarpOp::kMatchAny, b.local(lanes), b.local(x), {}, lanes);
  CHECK(text_of(b) ==
        "  local x: f8\n"
        "  local lanes: u4\n"
        "  local all: b1\n"
        "  lanes = active_mask\n"
        "  warp_sync lanes\n"
        "  x = shfl_xor 255u4, x, 4i4\n"
        "  all = warp_all lanes, x < 0.5\n"
        "  lanes = match_any lanes, x\n");
}

TEST_CASE("A printed line shows its texts quoted and its values") {
  Builder b("k");
  b.print({{"i = ", {}}, {"", b.thread(ThreadValue::kLaneId)}, {" \"%\"\n", {}}});
  b.print({});
  CHECK(text_of(b) ==
        "  print \"i = \", lane_id, \" \\\"%\\\"\\n\"\n"
        "  print\n");
}

TEST_CASE("An expression that an atomic operation uses twice is written once") {
  Builder b("k");
  const uint32_t tile = b.add_memory({.name = "tile", .dtype = DType::i8, .count_elems = 4, .align_bytes = 8});
  const ExprId i = b.binary(BinaryOp::kMod, b.thread(ThreadValue::kThreadIdx), value(b, int64_t{4}));
  b.atomic(AtomicOp::kExch, b.element(b.memory_base(tile), i), i, {});
  CHECK(text_of(b) ==
        "  shared tile: i8[4] align 8\n"
        "  let %0 = thread_idx.x % 4\n"
        "  atomic_exch i8 tile[%0 * 8], %0\n");
}

}  // namespace
}  // namespace jitc::kernel
