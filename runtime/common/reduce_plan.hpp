// The plan of a reduction: which axes stay, which are folded, and how threads are spread over them. Pure arithmetic.
// The tree does not follow from any of this: docs/design/reduction-tree.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "jitc/program.hpp"
#include "runtime/common/operand.hpp"

namespace jitc::runtime {

/// By axis of an array of `rank`: is it folded? Negative axes count from the end. An array of rank 0 has no axes, and
/// 0 and -1 name none of them. Throws Error(argument), which begins with `title`, for an axis that there is not, or
/// one named twice.
std::vector<bool> folded_axes(std::string_view title, std::span<const int> axes, int rank);
/// What is left of the shape; folded axes have extent 1 where they are kept.
std::vector<int64_t> shape_without(std::span<const int64_t> shape, const std::vector<bool>& folded, bool keepdims);

/// A place of the outer axes is one result. The folded axes are walked in C order, whatever their strides.
struct ReducePlan {
  std::vector<int64_t> outer, inner;          ///< extents; at least one inner axis
  uintptr_t source = 0, result = 0;           ///< addresses of the first elements
  std::vector<int64_t> source_strides_bytes;  ///< outer axes, then inner ones
  std::vector<int64_t> result_strides_bytes;  ///< outer axes, then from one block of elements to the next

  int64_t count_outer() const;
  int64_t count_inner() const;
  /// Blocks of elements for each result.
  int64_t blocks() const;
};

/// `result` has the array's shape without the folded axes, or with an extent of 1 in their places. There are elements.
ReducePlan plan_reduction(const Operand& array, const std::vector<bool>& folded, const Operand& result);

/// The first of several passes stores one element of `elem_bytes` for each block of each result to `partials`,
/// C-contiguous with the blocks outermost; the others reduce these to where `plan` stores.
struct ReducePasses {
  ReducePlan first, rest;
};
ReducePasses split_reduction(const ReducePlan& plan, uintptr_t partials, size_t elem_bytes);

/// How many threads share the elements of a block, and where they are.
struct ReduceSpread {
  uint16_t lanes = 1;
  int64_t runs = 1;         ///< of a lane at most
  bool jobs_first = false;  ///< neighbouring threads have neighbouring results
  Dim3 grid, block;
};
/// Nothing where one launch does not cover it. A host gets one lane, and blocks for about `workers` threads.
std::optional<ReduceSpread> spread_reduction(const ReducePlan& plan, bool is_host, unsigned workers);

/// Grid and block of one thread for each of `count` lines.
std::optional<ReduceSpread> spread_lines(int64_t count, bool is_host, unsigned workers);

}  // namespace jitc::runtime
