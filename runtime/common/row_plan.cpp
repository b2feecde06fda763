#include "runtime/common/row_plan.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "runtime/common/joint_axes.hpp"
#include "runtime/common/launch_limits.hpp"
#include "runtime/common/layout.hpp"

namespace jitc::runtime {

namespace {

constexpr int64_t kColumns = 32, kLeaf = 512, kWarps = 8;
/// Elements of a row that a thread takes straight on.
constexpr int64_t kMaxUnrolled = 16;
/// Threads of a block where each has a row; on the host they become vectors.
constexpr int64_t kThreads = 256;
/// Results that a thread of the host has at once. It goes from row to row of what it reads: each should be a stretch of
/// kilobytes, where the processor fetches ahead.
constexpr int64_t kMinWidth = 16, kMaxWidth = 2048;
/// Results that a thread of the host has at once where it packs what it reads for at least so many lines.
constexpr int64_t kPackedWidth = 32, kMinPackedLines = 16;
/// Blocks for each worker of a host, so that none waits long for the last one.
constexpr int64_t kBlocksPerWorker = 8;
/// Jobs of several results for each worker of a host.
constexpr int64_t kJobsPerWorker = 2;
/// Threads below which a GPU is better off with more of them for each result.
constexpr int64_t kFewThreads = 1 << 14, kManyThreads = 1 << 18;

int64_t ceil_div(int64_t value, int64_t unit) { return (value + unit - 1) / unit; }

// --- axes

void join_outer(const RowCall& call, RowPlan& plan) {
  std::vector<std::span<const int64_t>> views;
  const auto add = [&](const RowArrayView& array) {
    views.push_back(std::span(array.strides_bytes).first(call.outer.size()));
  };
  std::ranges::for_each(call.outputs, add);
  std::ranges::for_each(call.operands, add);
  const JointAxes joint = join_axes(call.outer, views);
  for (const JointAxis& axis : joint.axes) plan.outer.push_back(axis.extent);
  if (joint.axes.empty()) plan.outer = {1};
  for (size_t k = 0; k < views.size(); ++k) {
    const bool is_output = k < call.outputs.size();
    const RowArrayView& from = is_output ? call.outputs[k] : call.operands[k - call.outputs.size()];
    RowArrayView made{from.address + static_cast<uintptr_t>(joint.first_bytes[k]), from.elem_bytes, {}};
    for (const JointAxis& axis : joint.axes) made.strides_bytes.push_back(axis.strides_bytes[k]);
    if (joint.axes.empty()) made.strides_bytes = {0};
    (is_output ? plan.outputs : plan.operands).push_back(std::move(made));
  }
}

/// The arrays that have inner axes, as they were and as they become.
struct Walked {
  std::span<const int64_t> from;
  std::vector<int64_t>* to;
};

/// In the order of the axes: what continues an axis in all arrays joins it.
void join_inner(const RowCall& call, RowPlan& plan) {
  std::vector<Walked> arrays;
  const auto add = [&](const RowArrayView& from, RowArrayView& to) {
    if (from.strides_bytes.size() == call.outer.size()) return;
    arrays.push_back({std::span(from.strides_bytes).subspan(call.outer.size()), &to.strides_bytes});
  };
  for (size_t k = 0; k < call.operands.size(); ++k) add(call.operands[k], plan.operands[k]);
  for (size_t k = 0; k < call.outputs.size(); ++k) add(call.outputs[k], plan.outputs[k]);
  for (size_t axis = 0; axis < call.inner.size(); ++axis) {
    const int64_t extent = call.inner[axis];
    if (extent == 1) continue;
    const auto continues = [&](const Walked& array) { return array.to->back() == array.from[axis] * extent; };
    const bool joins = !plan.inner.empty() && std::ranges::all_of(arrays, continues);
    if (joins) {
      plan.inner.back() *= extent;
      for (const Walked& array : arrays) array.to->back() = array.from[axis];
    } else {
      plan.inner.push_back(extent);
      for (const Walked& array : arrays) array.to->push_back(array.from[axis]);
    }
  }
  if (!plan.inner.empty()) return;
  plan.inner = {1};
  for (const Walked& array : arrays) array.to->push_back(0);
}

// --- who does what

/// The arrays that a pass reads, with the strides of what it walks.
struct Pass {
  const RowPlan& plan;
  std::vector<int64_t> inner;
  const RowPartials* partials = nullptr;  ///< middle, last
  bool cuts = false;                      ///< into blocks
  bool is_host = false;
  unsigned workers = 1;

  int64_t count_inner() const { return count_elems(inner); }
  int64_t count_outer() const { return count_elems(plan.outer); }
  int64_t blocks() const { return cuts ? ceil_div(count_inner(), kRowBlockElems) : 1; }
};

/// Neighbouring results are read closer to each other than the elements of one.
bool reads_columns(const Pass& pass) {
  const size_t rank = pass.plan.outer.size();
  if (pass.plan.outer.back() == 1) return false;
  int64_t votes = 0;
  const auto vote = [&](int64_t across, int64_t along, size_t elem_bytes) {
    if (across == 0 || along == 0) return;  // stands still along one of them: no matter
    if (std::abs(across) == std::abs(along)) return;
    votes += (std::abs(across) < std::abs(along) ? 1 : -1) * static_cast<int64_t>(elem_bytes);
  };
  if (pass.partials != nullptr) {
    const std::vector<int64_t>& strides = pass.partials->strides_elems;
    vote(strides[rank - 1], strides[rank], 1);
  } else {
    for (const RowArrayView& array : pass.plan.operands) {
      if (array.strides_bytes.size() == rank) continue;
      vote(array.strides_bytes[rank - 1], array.strides_bytes.back(), array.elem_bytes);
    }
  }
  return votes > 0;
}

/// What differs along the lanes, the innermost outer axis, stands still along the lines, the next one: rows of it that
/// were gathered once serve all lines. One leaf of elements, folded alone.
bool packs(const Pass& pass) {
  const size_t rank = pass.plan.outer.size();
  const std::vector<int64_t>& outer = pass.plan.outer;
  if (!pass.is_host || pass.partials != nullptr || pass.count_inner() > kLeaf || rank < 2) return false;
  if (outer[rank - 1] < kMinWidth || outer[rank - 2] < kMinPackedLines) return false;
  if (pass.count_outer() / (outer[rank - 1] * outer[rank - 2]) > kMaxGrid[2]) return false;
  const auto has_elements = [&](const RowArrayView& array) { return array.strides_bytes.size() > rank; };
  if (std::ranges::any_of(pass.plan.outputs, has_elements)) return false;
  bool is_worth_it = false;
  for (const RowArrayView& array : pass.plan.operands) {
    if (!has_elements(array) || array.elem_bytes == 0 || array.strides_bytes[rank - 1] == 0) continue;
    if (array.strides_bytes[rank - 2] != 0) return false;
    is_worth_it = true;
  }
  return is_worth_it;
}

RowShape choose_shape(const Pass& pass) {
  const int64_t count = pass.count_inner();
  if (count == 0) return RowShape::side;
  if (count <= kMaxUnrolled) return RowShape::unrolled;
  const bool columns = reads_columns(pass);
  if (pass.is_host && columns && pass.plan.outer.back() >= kMinWidth) return RowShape::side;
  if (pass.is_host) return packs(pass) ? RowShape::packed : RowShape::along;
  const int64_t jobs = pass.count_outer() * pass.blocks();
  if (columns && count > kLeaf && jobs < kManyThreads && pass.plan.outer.back() >= kMinWidth) return RowShape::tile;
  if (columns && jobs >= kFewThreads) return RowShape::side;
  return count <= kLeaf ? RowShape::warp : RowShape::block;
}

/// Results that a thread has at once: a power of two, with jobs for all workers.
int64_t side_width(const Pass& pass) {
  if (!pass.is_host) return 1;
  const int64_t lanes = pass.plan.outer.back(), others = pass.count_outer() / lanes * pass.blocks();
  int64_t width = kMinWidth;
  while (width < kMaxWidth && width < lanes && ceil_div(lanes, width * 2) * others >= pass.workers * kJobsPerWorker) {
    width *= 2;
  }
  return width;
}

uint32_t power_within(int64_t wanted, int64_t limit) {
  return wanted >= limit ? static_cast<uint32_t>(limit)
                         : std::bit_ceil(static_cast<uint32_t>(std::max(wanted, int64_t{1})));
}

/// Along x the innermost outer axis, `width` results for each thread, and all other axes along y and z.
bool spread_results(const Pass& pass, int64_t width, RowPass& out) {
  const bool is_tile = out.shape == RowShape::tile;
  const int64_t lanes = ceil_div(pass.plan.outer.back(), width);
  const int64_t lines = pass.count_outer() / pass.plan.outer.back() * pass.blocks();
  const int64_t threads = is_tile ? kColumns : width > 1 ? 1 : kThreads;
  const uint32_t block_x = is_tile ? kColumns : power_within(lanes, threads);
  const uint32_t block_y = power_within(lines, threads / block_x);
  const std::optional<uint32_t> grid_x = blocks_for(lanes, block_x);
  const int64_t line_blocks = ceil_div(lines, block_y), grid_z = ceil_div(line_blocks, kMaxGrid[1]);
  if (!grid_x || grid_z > kMaxGrid[2]) return false;
  out.block = {block_x, is_tile ? static_cast<uint32_t>(kWarps) : block_y};
  out.grid = {*grid_x, static_cast<uint32_t>(ceil_div(line_blocks, grid_z)), static_cast<uint32_t>(grid_z)};
  return true;
}

/// A thread a block: along x the lanes, along y as many parts of the lines as give all workers something to do.
bool spread_packed(const Pass& pass, RowPass& out) {
  const size_t rank = pass.plan.outer.size();
  const int64_t lines = pass.plan.outer[rank - 2], lanes = ceil_div(pass.plan.outer[rank - 1], kPackedWidth);
  const int64_t others = pass.count_outer() / (lines * pass.plan.outer[rank - 1]);
  const int64_t wanted = ceil_div(pass.workers * kBlocksPerWorker, lanes * others);
  const int64_t parts = std::clamp(wanted, int64_t{1}, std::min(lines / kMinPackedLines, int64_t{kMaxGrid[1]}));
  const std::optional<uint32_t> grid_x = blocks_for(lanes, 1);
  if (!grid_x) return false;
  out.count = kPackedWidth;
  out.block = {1};
  out.grid = {*grid_x, static_cast<uint32_t>(parts), static_cast<uint32_t>(others)};
  return true;
}

/// One job after the other, `jobs_per_block` of them for a block of threads.
bool spread_jobs(int64_t jobs, int64_t jobs_per_block, Dim3 block, RowPass& out) {
  const std::optional<uint32_t> blocks = blocks_for(jobs, static_cast<uint32_t>(jobs_per_block));
  if (!blocks) return false;
  out.grid = {*blocks};
  out.block = block;
  return true;
}

/// Sets shape, count, grid and block; false where one launch does not cover it.
bool spread(const Pass& pass, RowPass& out) {
  const int64_t jobs = pass.count_outer() * pass.blocks();
  out.shape = choose_shape(pass);
  switch (out.shape) {
    case RowShape::unrolled: out.count = static_cast<uint16_t>(pass.count_inner()); return spread_results(pass, 1, out);
    case RowShape::side: {
      const int64_t width = side_width(pass);
      out.count = static_cast<uint16_t>(width);
      return spread_results(pass, width, out);
    }
    case RowShape::tile: return spread_results(pass, 1, out);
    case RowShape::packed: return spread_packed(pass, out);
    case RowShape::along: {
      const auto threads =
          static_cast<uint32_t>(std::clamp(jobs / (pass.workers * kBlocksPerWorker), int64_t{1}, kWarps));
      out.count = pass.count_inner() <= kLeaf ? 1 : kRowBlockElems / kLeaf;
      return spread_jobs(jobs, threads, {threads}, out);
    }
    case RowShape::warp:
      out.count = static_cast<uint16_t>(std::bit_ceil(static_cast<uint64_t>(ceil_div(pass.count_inner(), kColumns))));
      return spread_jobs(jobs, kWarps, {kColumns, kWarps}, out);
    case RowShape::block: out.count = kLeaf / kColumns; return spread_jobs(jobs, 1, {kColumns, kWarps}, out);
  }
  return false;
}

/// Where neighbouring threads have neighbouring results, these lie side by side.
RowPartials lay_out_partials(const Pass& pass, RowShape shape) {
  const int64_t rows = pass.count_outer(), blocks = pass.blocks();
  RowPartials out{rows * blocks, c_strides(pass.plan.outer, 1)};
  const bool blocks_outermost = shape == RowShape::side || shape == RowShape::tile;
  for (int64_t& stride : out.strides_elems) stride *= blocks_outermost ? 1 : blocks;
  out.strides_elems.push_back(blocks_outermost ? rows : 1);
  return out;
}

}  // namespace

std::optional<RowPlan> plan_rows(const RowCall& call) {
  RowPlan plan;
  if (std::ranges::count(call.outer, 0) != 0) return plan;
  join_outer(call, plan);
  join_inner(call, plan);
  std::vector<int64_t> inner = plan.inner;
  std::optional<RowPartials> partials;
  for (bool is_done = false; !is_done;) {
    Pass pass{plan,
              inner,
              partials ? &*partials : nullptr,
              !rows_fit(count_elems(inner)),
              call.is_host,
              std::max(call.workers, 1U)};
    RowPass out;
    out.inner = inner;
    is_done = !pass.cuts;
    out.phase =
        partials ? (pass.cuts ? RowPhase::middle : RowPhase::last) : (pass.cuts ? RowPhase::first : RowPhase::whole);
    if (!spread(pass, out)) return std::nullopt;
    if (pass.cuts) {
      out.written = lay_out_partials(pass, out.shape);
      partials = out.written;
      inner = {pass.blocks()};
    }
    plan.passes.push_back(std::move(out));
  }
  return plan;
}

}  // namespace jitc::runtime
