// The plan of a call that does the same for each element of a shape: the fewest axes, and how threads are spread over
// them. Pure arithmetic on shapes, strides and addresses, so that it can be tried on arrays of any size.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "jitc/program.hpp"
#include "runtime/common/operand.hpp"

namespace jitc::runtime {

struct ElementwisePlan {
  /// Outermost first, at least one axis: extents of 1 are left out, and no axis continues the next one in all operands.
  std::vector<int64_t> extents;
  std::vector<uintptr_t> addresses;    ///< by operand: of the first element of the walk
  std::vector<size_t> elem_bytes;      ///< likewise
  std::vector<int64_t> strides_bytes;  ///< by operand, then by axis
  int64_t count_elems = 0;
  /// Every byte of an operand is less than 2^31 bytes from its first element, and there are less than 2^31 elements,
  /// even with those of a last block that has too many threads.
  bool is_narrow = false;

  size_t rank() const { return extents.size(); }
  int64_t stride(size_t operand, size_t axis) const { return strides_bytes[operand * rank() + axis]; }
  int64_t inner_stride(size_t operand) const { return stride(operand, rank() - 1); }
};

/// Operands broadcast to `shape`, which has elements. The first one's strides say which axis is the innermost: a
/// result, as neighbours are best stored together.
/// `keeps_axes`: the axes stay those of the shape, at least one, which is that of all operands. Calls whose strides
/// agree then have plans that differ in numbers alone.
ElementwisePlan plan_elementwise(std::span<const int64_t> shape, std::span<const Operand> operands,
                                 bool keeps_axes = false);

/// For a walk along one axis in groups of `count` elements: how many elements the operands lie behind an address that
/// is a multiple of a group, those that stand still not counted. Nothing where they differ, where one has gaps, or
/// where all stand still.
std::optional<int64_t> group_shift(const ElementwisePlan& plan, int64_t count);

/// Grid and block for one thread for each of `count` elements, or each of the elements of the plan: along x the
/// innermost axis, along the block's y and the grid's y and z all others together. Blocks have up to `max_threads`
/// threads, a power of two. Nothing where one launch does not cover it.
struct ThreadSpread {
  Dim3 grid, block;
};
std::optional<ThreadSpread> spread_line(int64_t count, uint32_t max_threads);
std::optional<ThreadSpread> spread_rows(const ElementwisePlan& plan, uint32_t max_threads);

/// One block, of one thread, for each tile of `side` elements along the innermost axis, which is x, and along `axis`,
/// which y and z count with all the others.
std::optional<ThreadSpread> spread_tiles(const ElementwisePlan& plan, size_t axis, int64_t side);

}  // namespace jitc::runtime
