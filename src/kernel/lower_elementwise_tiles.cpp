// Kernels of elements with arguments whose neighbours lie along another axis than those of the results. A tile of these
// two axes is copied as it lies in memory, and read from the copy as the results lie: `i` counts along the innermost
// axis, `c` along the one across.
//
//   host             a thread has a tile, of up to 64 by 64 elements:
//                    for i in range(64):
//                        for c in range(64): copy[i, c] = x[c0 + c, i0 + i]
//                    for c in range(64):
//                        for i in range(64): out[c0 + c, i0 + i] = f(copy[i, c], a[c0 + c, i0 + i], …)
//   device           the 32 x 8 threads of a block have one of 32 by 32, in shared memory:
//                    for i in range(y, 32, 8): copy[i, x] = a[c0 + x, i0 + i]
//                    barrier
//                    for c in range(y, 32, 8): out[c0 + c, i0 + x] = f(copy[x, c], …)
#include "src/kernel/elementwise_lowering.hpp"

namespace jitc::kernel {

void ElementwiseLowering::tiles() {
  const uint32_t inner = form_.rank - 1U;
  declare_tile();
  const ExprId side = l_.number(tile_.side), cross_extent = extent(form_.tile_axis);
  // In tiles along that axis.
  const auto extent_of = [&](uint32_t axis) {
    if (axis != form_.tile_axis) return extent(axis);
    return b_.convert(
        DType::i8, b_.binary(BinaryOp::kFloorDiv, b_.convert(DType::u8, add(cross_extent, l_.number(tile_.side - 1))),
                             b_.convert(DType::u8, side)));
  };
  ExprId lines = extent_of(0);
  for (uint32_t axis = 1; axis < inner; ++axis) lines = mul(lines, extent_of(axis));
  const ExprId line = pin(line_of_blocks());
  tile_.first = pin(mul(b_.thread(ThreadValue::kBlockIdx), side));
  b_.if_then(b_.binary(BinaryOp::kAnd, less(line, lines), less(tile_.first, extent(inner))), [&] {
    Indices indices = l_.split_number(b_.convert(DType::u8, line), 0, inner, DType::i8, extent_of);
    ExprId& cross = indices[form_.tile_axis];
    cross = pin(mul(cross, side));
    find_row(indices, DType::i8);
    const ExprId inner_count = pin(b_.binary(BinaryOp::kMin, sub(extent(inner), tile_.first), side));
    const ExprId cross_count = pin(b_.binary(BinaryOp::kMin, sub(cross_extent, cross), side));
    if (form_.shared_tiles) return shared_tile(inner_count, cross_count);
    const ExprId is_whole = b_.binary(BinaryOp::kAnd, b_.compare(CompareOp::kEq, inner_count, side),
                                      b_.compare(CompareOp::kEq, cross_count, side));
    b_.if_then_else(
        is_whole, [&] { own_tile(side, side); }, [&] { own_tile(inner_count, cross_count); });
  });
}

void ElementwiseLowering::declare_tile() {
  size_t bytes_across = 0;
  for_across([&](const Operand& operand) { bytes_across += size_bytes(operand.dtype); });
  tile_.side = form_.shared_tiles ? kSharedTileSide : tile_side(bytes_across);
  tile_.pitch = form_.shared_tiles ? kSharedTilePitch : tile_.side;
  if (form_.shared_tiles) b_.program().max_threads_per_block = kSharedTileSide * kSharedTileRows;
  for_across([&](Operand& operand) {
    MemoryObject copy{.name = "tile",
                      .space = form_.shared_tiles ? MemorySpace::kShared : MemorySpace::kLocal,
                      .dtype = part_type(operand.dtype)};
    copy.count_elems = static_cast<uint64_t>(tile_.side * tile_.pitch) * (is_complex(operand.dtype) ? 2 : 1);
    copy.align_bytes = form_.shared_tiles ? 16 : kStreamAlign;
    operand.tile_copy = b_.add_memory(std::move(copy));
  });
}

void ElementwiseLowering::own_tile(ExprId inner_count, ExprId cross_count) {
  for_across([&](const Operand& operand) {
    count_loop("i", inner_count, [&](ExprId i) {
      lane_loop("c", cross_count,
                [&](ExprId c) { l_.store(in_copy(operand, i, c), l_.load(across(operand, i, c), operand.dtype)); });
    });
  });
  count_loop("c", cross_count, [&](ExprId c) {
    lane_loop("i", inner_count,
              [&](ExprId i) { element([&](const Operand& operand) { return in_tile(operand, i, c); }); });
  });
}

/// All threads copy, so that a thread's loads are on their way together: of what lies beyond the end of an axis, the
/// last element.
void ElementwiseLowering::shared_tile(ExprId inner_count, ExprId cross_count) {
  const ExprId x = pin(b_.thread(ThreadValue::kThreadIdx)), y = pin(b_.thread(ThreadValue::kThreadIdx, 1));
  constexpr int64_t kPasses = kSharedTileSide / kSharedTileRows;
  const auto row = [&](int64_t pass) { return add(y, l_.number(pass * kSharedTileRows)); };
  const auto within = [&](ExprId index, ExprId count) {
    return b_.binary(BinaryOp::kMin, index, sub(count, l_.number(1)));
  };
  const ExprId c = pin(within(x, cross_count));
  for_across([&](const Operand& operand) {
    std::vector<Value> loaded;
    for (int64_t pass = 0; pass < kPasses; ++pass) {
      loaded.push_back(l_.pin(l_.load(across(operand, within(row(pass), inner_count), c), operand.dtype)));
    }
    for (int64_t pass = 0; pass < kPasses; ++pass) {
      l_.store(in_copy(operand, row(pass), x), loaded[static_cast<size_t>(pass)]);
    }
  });
  b_.barrier();
  b_.if_then(less(x, inner_count), [&] {
    count_loop("pass", l_.number(kPasses), [&](ExprId pass) {
      const ExprId at = pin(add(y, mul(pass, l_.number(kSharedTileRows))));
      b_.if_then(less(at, cross_count),
                 [&] { element([&](const Operand& operand) { return in_tile(operand, x, at); }); });
    });
  });
}

MemRef ElementwiseLowering::across(const Operand& operand, ExprId i, ExprId c) {
  const ExprId step = stride(operand, form_.rank - 1U);
  return {operand.data,
          {{b_.local(operand.offset), l_.number(1)}, {tile_.first, step}, {i, step}, {c, elem_bytes(operand)}}};
}

MemRef ElementwiseLowering::in_tile(const Operand& operand, ExprId i, ExprId c) {
  if (operand.walk == Walk::across) return in_copy(operand, i, c);
  MemRef ref = in_row(operand, tile_.first, i);
  ref.terms.push_back({c, row_step(operand, form_.tile_axis)});
  return ref;
}

MemRef ElementwiseLowering::in_copy(const Operand& operand, ExprId i, ExprId c) {
  const int64_t bytes = static_cast<int64_t>(size_bytes(operand.dtype));
  return {b_.memory_base(operand.tile_copy), {{i, l_.number(tile_.pitch * bytes)}, {c, l_.number(bytes)}}};
}

}  // namespace jitc::kernel
