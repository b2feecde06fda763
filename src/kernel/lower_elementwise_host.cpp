// Kernels of elements whose threads go over memory as a host's caches want it.
//
//   streams          begin = 1024 * cuda.grid(1)
//                    for w in range(1024): out[begin + w] = f(a[begin + w], …)  # stores of vectors
//   tiles            a thread has 64 by 64 elements, and reads what lies across row by row, as it lies in memory:
//                    for i in range(64):
//                        for c in range(64): copy[i, c] = x[c0 + c, i0 + i]
//                    for c in range(64):
//                        for i in range(64): out[c0 + c, i0 + i] = f(copy[i, c], a[c0 + c, i0 + i], …)
#include "src/kernel/elementwise_lowering.hpp"

namespace jitc::kernel {

void ElementwiseLowering::streams() {
  const ExprId all = l_.number(kStreamElems);
  const ExprId begin = position(mul(b_.thread(ThreadValue::kGlobalIdx), all), "begin");
  const ExprId rest = pin(sub(extent(0), begin));
  const auto elements = [&](ExprId count) {
    lane_loop("w", count, [&](ExprId w) {
      element([&](const Operand& operand) {
        MemRef ref = at_index(operand, begin);
        const MemRef beside = at_index(operand, w);
        ref.terms.insert(ref.terms.end(), beside.terms.begin(), beside.terms.end());
        return ref;
      });
    });
  };
  b_.if_then(less(l_.number(0), rest), [&] {
    b_.if_then_else(
        less(rest, all), [&] { elements(rest); }, [&] { elements(all); });
  });
}

void ElementwiseLowering::tiles() {
  const uint32_t inner = form_.rank - 1U;
  size_t bytes_across = 0;
  for (auto& param : params_) {
    const auto* operand = std::get_if<Operand>(&param);
    if (operand != nullptr && operand->walk == Walk::across) bytes_across += size_bytes(operand->dtype);
  }
  const int64_t side = tile_side(bytes_across);
  for (auto& param : params_) {
    auto* operand = std::get_if<Operand>(&param);
    if (operand == nullptr || operand->walk != Walk::across) continue;
    MemoryObject copy{.name = "tile", .space = MemorySpace::kLocal, .dtype = part_type(operand->dtype)};
    copy.count_elems = static_cast<uint64_t>(side * side) * (is_complex(operand->dtype) ? 2 : 1);
    copy.align_bytes = kStreamAlign;
    operand->tile_copy = b_.add_memory(std::move(copy));
  }
  const ExprId all = l_.number(side), cross_extent = extent(form_.tile_axis);
  // In tiles along that axis.
  const auto extent_of = [&](uint32_t axis) {
    if (axis != form_.tile_axis) return extent(axis);
    return b_.convert(DType::i8,
                      b_.binary(BinaryOp::kFloorDiv, b_.convert(DType::u8, add(cross_extent, l_.number(side - 1))),
                                b_.convert(DType::u8, all)));
  };
  ExprId lines = extent_of(0);
  for (uint32_t axis = 1; axis < inner; ++axis) lines = mul(lines, extent_of(axis));
  const ExprId line = line_number();
  const ExprId first = pin(mul(b_.thread(ThreadValue::kGlobalIdx), all));
  b_.if_then(b_.binary(BinaryOp::kAnd, less(line, lines), less(first, extent(inner))), [&] {
    Indices indices = l_.split_number(b_.convert(DType::u8, line), 0, inner, DType::i8, extent_of);
    ExprId& cross = indices[form_.tile_axis];
    cross = pin(mul(cross, all));
    find_row(indices, DType::i8);
    tile_first_ = first;
    const ExprId inner_count = pin(b_.binary(BinaryOp::kMin, sub(extent(inner), first), all));
    const ExprId cross_count = pin(b_.binary(BinaryOp::kMin, sub(cross_extent, cross), all));
    const ExprId is_whole = b_.binary(BinaryOp::kAnd, b_.compare(CompareOp::kEq, inner_count, all),
                                      b_.compare(CompareOp::kEq, cross_count, all));
    b_.if_then_else(
        is_whole, [&] { tile(all, all, side); }, [&] { tile(inner_count, cross_count, side); });
  });
}

void ElementwiseLowering::tile(ExprId inner_count, ExprId cross_count, int64_t side) {
  for (auto& param : params_) {
    auto* operand = std::get_if<Operand>(&param);
    if (operand != nullptr && operand->walk == Walk::across) copy_across(*operand, inner_count, cross_count, side);
  }
  count_loop("c", cross_count, [&](ExprId c) {
    lane_loop("i", inner_count, [&](ExprId i) {
      element([&](const Operand& operand) {
        if (operand.walk == Walk::across) return in_copy(operand, i, c, side);
        MemRef ref = in_row(operand, tile_first_, i);
        ref.terms.push_back({c, row_step(operand, form_.tile_axis)});
        return ref;
      });
    });
  });
}

void ElementwiseLowering::copy_across(const Operand& operand, ExprId inner_count, ExprId cross_count, int64_t side) {
  const ExprId step = stride(operand, form_.rank - 1U);
  count_loop("i", inner_count, [&](ExprId i) {
    lane_loop("c", cross_count, [&](ExprId c) {
      const MemRef from{
          operand.data,
          {{b_.local(operand.offset), l_.number(1)}, {tile_first_, step}, {i, step}, {c, elem_bytes(operand)}}};
      l_.store(in_copy(operand, i, c, side), l_.load(from, operand.dtype));
    });
  });
}

MemRef ElementwiseLowering::in_copy(const Operand& operand, ExprId i, ExprId c, int64_t side) {
  const int64_t bytes = static_cast<int64_t>(size_bytes(operand.dtype));
  return {b_.memory_base(operand.tile_copy), {{i, l_.number(side * bytes)}, {c, l_.number(bytes)}}};
}

}  // namespace jitc::kernel
