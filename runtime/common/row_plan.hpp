// The plan of a kernel over rows: the fewest axes, who does what of them, and the launches one after the other. Pure
// arithmetic. The trees of the folds do not follow from any of this: docs/design/row-folds.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "jitc/program.hpp"

namespace jitc::runtime {

/// Elements of a block, which is what one launch folds to one value; and the longest row of a kernel that has several
/// stages or stores elements.
inline constexpr int64_t kRowBlockElems = 4096;
constexpr bool rows_fit(int64_t count_inner) { return count_inner <= kRowBlockElems; }

/// An array of a call, or an index: then the address is its value at the first element, and strides are its steps.
struct RowArrayView {
  uintptr_t address = 0;
  size_t elem_bytes = 0;               ///< 0 for an index
  std::vector<int64_t> strides_bytes;  ///< outer axes, then inner ones; of a value of a row outer ones alone
};

struct RowCall {
  std::vector<int64_t> outer, inner;   ///< extents
  std::vector<RowArrayView> operands;  ///< all but the scalars
  std::vector<RowArrayView> outputs;   ///< at least one
  bool is_host = false;
  unsigned workers = 1;  ///< of the host
};

/// As kernel::RowsForm has them.
enum class RowShape : uint8_t { unrolled, side, along, warp, block, tile, packed };
/// Neighbouring lanes have neighbouring results, not neighbouring elements of one.
constexpr bool lanes_are_results(RowShape shape) {
  return shape == RowShape::unrolled || shape == RowShape::side || shape == RowShape::tile || shape == RowShape::packed;
}
enum class RowPhase : uint8_t { whole, first, middle, last };

/// How partial results lie in an array of their own: a step along each axis, in elements.
struct RowPartials {
  int64_t count_elems = 0;
  std::vector<int64_t> strides_elems;  ///< outer axes, then from block to block
};

/// One launch. A middle or last one walks the partial results of the one before it instead of elements.
struct RowPass {
  RowPhase phase = RowPhase::whole;
  RowShape shape = RowShape::along;
  uint16_t count = 1;          ///< RowsForm::count
  std::vector<int64_t> inner;  ///< extents of what it walks
  RowPartials written;         ///< first, middle
  Dim3 grid, block;
};

struct RowPlan {
  std::vector<int64_t> outer, inner;            ///< joined extents, at least one of each
  std::vector<RowArrayView> operands, outputs;  ///< along these axes
  std::vector<RowPass> passes;                  ///< none: there are no rows
};

/// Nothing where one launch does not cover the rows. Rows of more than a block are for kernels that can be cut.
std::optional<RowPlan> plan_rows(const RowCall& call);

}  // namespace jitc::runtime
