// In how many ways a function that the host calls with whole arrays becomes a kernel: one kernel serves all calls of
// one form, and is made when the first of them comes.
#pragma once

#include <compare>
#include <cstdint>
#include <variant>
#include <vector>

namespace jitc::kernel {

/// Where the elements of one argument or result lie along the innermost axis of a call.
enum class Walk : uint8_t {
  scalar,   ///< an argument that is no array
  next,     ///< one behind the other
  same,     ///< one element for all
  strided,  ///< at a distance that the call gives
  index,    ///< no array: a number of i8 that grows by a step along each axis
  across,   ///< neighbours are those along another axis: ElementwiseForm::tile_axis
};

inline constexpr uint8_t kNoTiles = 255;
inline constexpr int64_t kStreamAlign = 64;
/// Elements of a thread of a form of rank 1 that streams.
inline constexpr int64_t kStreamElems = 1024;
/// Elements along each side of a tile whose arguments that are walked across have elements of this many bytes together:
/// it stays in the first cache beside the lines of the others.
constexpr int64_t tile_side(size_t bytes_across) { return bytes_across <= 4 ? 64 : bytes_across <= 16 ? 32 : 16; }
/// The same of a tile that the threads of a block share, of which they do so many rows at once.
inline constexpr int64_t kSharedTileSide = 32, kSharedTileRows = 8;
/// From one row of it to the next: what neighbouring threads read lies in different banks.
inline constexpr int64_t kSharedTilePitch = kSharedTileSide + 1;

/// A ufunc over axes that were joined until no two could be one: see lower_elementwise.cpp.
struct ElementwiseForm {
  std::vector<Walk> params;
  std::vector<Walk> results;
  uint8_t rank = 1;
  /// Above 1: arrays that are walked at all are contiguous, and each thread loads and stores this many neighbouring
  /// elements at once, from addresses that are multiples of as many.
  uint8_t elems_per_thread = 1;
  bool narrow = false;  ///< no element is 2^31 bytes or more away from the first, or 2^31 elements
  /// Of a host: the results go past the caches. They are walked `next`, begin at multiples of kStreamAlign bytes, and
  /// so do their rows; nothing that is read lies there.
  bool streams = false;
  /// An axis before the innermost, along which arguments that are walked `across` are neighbours. A tile of these two
  /// axes is taken by a thread, or by a block: see lower_elementwise_tiles.cpp.
  uint8_t tile_axis = kNoTiles;
  bool shared_tiles = false;  ///< of a device: a block of kSharedTileSide x kSharedTileRows threads takes a tile

  auto operator<=>(const ElementwiseForm&) const = default;
};

/// A generalised ufunc over loop axes that were joined until no two could be one: see lower_gufunc.cpp.
struct GufuncForm {
  std::vector<bool> is_scalar;  ///< by input: it is no array
  uint8_t loop_rank = 1;
  bool contiguous = false;  ///< the core of every array is in C order without gaps
  bool narrow = false;      ///< there are less than 2^31 calls of the function

  auto operator<=>(const GufuncForm&) const = default;
};

/// Threads of a block of a kernel in which several share a job, and what blocks of the other folds have at most.
inline constexpr uint32_t kReduceLanes = 256;

/// The first `outer_rank` axes of an array stay, the `inner_rank` others are folded: see lower_reduce.cpp. A job is the
/// fold of one block of elements for one place of the outer axes.
struct ReduceForm {
  uint8_t outer_rank = 0;
  uint8_t inner_rank = 1;
  uint16_t lanes = 1;        ///< threads that share a job: a power of two up to kReduceLanes
  bool one_run = false;      ///< a lane has at most one run of elements, else as many as the call says
  bool jobs_first = false;   ///< neighbouring threads have neighbouring jobs, else neighbouring lanes of one job
  bool has_initial = false;  ///< a value of the call stands before the first element

  auto operator<=>(const ReduceForm&) const = default;
};

/// The results of a fold after each element along the last axis: see lower_lines.cpp.
struct AccumulateForm {
  uint8_t outer_rank = 0;  ///< the axes before it

  auto operator<=>(const AccumulateForm&) const = default;
};

/// target[indices[i]] = f(target[indices[i]], values[i]) for one i after the other: see lower_lines.cpp.
struct AtForm {
  uint8_t rest_rank = 0;         ///< axes of the target behind the one that is indexed
  bool value_is_scalar = false;  ///< one for all

  auto operator<=>(const AtForm&) const = default;
};

/// A kernel over rows: see row_kernel.hpp and lower_rows.cpp. Arrays have `outer_rank` axes that stay and then
/// `inner_rank` axes that are walked, at least one of each; partial results and outputs of a row the first ones alone.
struct RowsForm {
  /// Who does a row, or one block of its elements, and where the walks below go: along the innermost axis of the inner
  /// ones, or of the outer ones where results are neighbours.
  enum class Shape : uint8_t {
    unrolled,  ///< a thread, straight on; neighbouring threads have neighbouring results
    side,      ///< a thread does `count` neighbouring results at once
    along,     ///< a thread; neighbouring elements are its lanes
    warp,      ///< the 32 lanes of a warp; up to 512 elements
    block,     ///< the 8 warps of a block
    tile,      ///< as side, but the 8 warps of a block share 32 neighbouring results
    packed,    ///< as side, for many places of the next outer axis, along which what differs by result stands still
  };
  /// Rows of more than one block of elements take several kernels.
  enum class Phase : uint8_t {
    whole,   ///< from operands to outputs, one block of elements for each row
    first,   ///< from operands to partial results, one of each block
    middle,  ///< from partial results to those of blocks of them
    last,    ///< from partial results, one block of them for each row, to outputs
  };
  Shape shape = Shape::along;
  Phase phase = Phase::whole;
  uint8_t outer_rank = 1;
  uint8_t inner_rank = 1;
  /// unrolled: elements of a row; side, packed: results of a thread; along: leaves of a row at most, 1 or 8; warp,
  /// block: elements of a lane at most, up to 16.
  uint16_t count = 1;
  std::vector<Walk> reads;   ///< operands, then partial results that are read
  std::vector<Walk> writes;  ///< partial results, or outputs

  auto operator<=>(const RowsForm&) const = default;
};

/// Which of its two axes, of a m and k, of b k and n, the elements of a factor's operand are neighbours along.
enum class Neighbours : uint8_t { none, first, second };

/// How a contraction is cut. A host's block is one thread, which takes tiles of up to block_m rows and block_n columns;
/// of a device's block each thread has thread_m x thread_n sums. block_k divides kContractBlock.
struct ContractTile {
  uint16_t block_m = 0, block_n = 0, block_k = 0;
  uint8_t thread_m = 0, thread_n = 0;

  auto operator<=>(const ContractTile&) const = default;
};

/// A product of which batch axes, m, n and k were joined: see lower_contract.cpp. It has an entry point of its own.
struct ContractForm {
  enum class Machine : uint8_t { host, device };
  Machine machine = Machine::host;
  uint8_t batch_rank = 0;
  std::vector<Neighbours> a, b;         ///< by operand
  std::vector<Walk> epilogue, outputs;  ///< by operand, by output: along n
  ContractTile tile;

  auto operator<=>(const ContractForm&) const = default;
};

/// Kernels have one form and nothing here.
using CallForm = std::variant<std::monostate, ElementwiseForm, GufuncForm, ReduceForm, AccumulateForm, AtForm, RowsForm,
                              ContractForm>;

}  // namespace jitc::kernel
