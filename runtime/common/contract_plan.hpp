// The plan of a contraction, out[batch, m, n] = sum over k of a[batch, m, k] * b[batch, k, n]: its axes joined, which
// array must be copied first where that cannot be, and how the product is cut into tiles. Pure arithmetic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "jitc/program.hpp"

namespace jitc::runtime {

/// Which of the groups of axes an array has.
enum class ContractRole : uint8_t {
  a,       ///< batch, m, k
  b,       ///< batch, k, n
  output,  ///< batch, m, n: the outputs, and what the epilogue reads
};

/// An array, or an index with its steps for strides. Scalars are left out.
struct ContractOperand {
  ContractRole role = ContractRole::a;
  /// Of the batch axes, then of its two groups, in the groups' order; 0 where it does not depend on the axis.
  std::vector<int64_t> strides_bytes = {};
  size_t elem_bytes = 0;
};

/// The extents of the axes of each group. Products are summed in C order of the axes of k.
struct ContractAxes {
  std::vector<int64_t> batch, m, n, k;
};

/// Axes of m, n and k joined to one each; those of the batch to as few as may be.
struct ContractPlan {
  std::vector<int64_t> batch;  ///< extents, outermost first; may be empty
  int64_t m = 1, n = 1, k = 1;
  /// By operand: of the batch axes and its two other ones, and from its element (0, 0, …) to the first of the walk.
  std::vector<std::vector<int64_t>> strides_bytes;
  std::vector<int64_t> first_bytes;
  /// Operands whose axes do not join: as arrays in C order of (batch…, the first group…, the second group…) they do.
  /// Where there are any, the plan holds only once they have been copied; an output is then copied back.
  std::vector<size_t> to_copy;

  int64_t count_batch() const;
  bool is_empty() const { return m == 0 || n == 0 || count_batch() == 0; }
};

ContractPlan plan_contraction(const ContractAxes& axes, const std::vector<ContractOperand>& operands);

/// How the product is cut: the fields of kernel::ContractTile.
struct ContractTiles {
  uint16_t block_m = 0, block_n = 0, block_k = 0;
  uint8_t thread_m = 0, thread_n = 0;
  int64_t tile_m = 0, tile_n = 0;  ///< of this call; on a device block_m and block_n
  Dim3 grid, block;
};

/// The type of the sum.
struct ContractElement {
  size_t part_bytes = 4;  ///< of a number, or of a complex number's part
  bool is_complex = false;
};

/// What works on it.
struct ContractMachine {
  bool is_host = true;
  unsigned workers = 1;      ///< of a host
  size_t vector_bytes = 32;  ///< of a host: of its widest registers
};

/// Nothing where one launch does not cover it. There are elements of the output, and `plan` needs no copies.
std::optional<ContractTiles> cut_contraction(const ContractPlan& plan, ContractElement element,
                                             const ContractMachine& machine);

}  // namespace jitc::runtime
