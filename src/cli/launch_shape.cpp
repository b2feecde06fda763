#include "src/cli/launch_shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "src/cli/failure.hpp"

namespace jitc::cli {

const char* const kLaunchShapeRule =
    "Without --block it is 256 threads, or 16,16 or 8,8,4 where the kernel uses two or three axes of the\n"
    "thread index. Without --grid it covers the largest array that has as many axes as that; axis 0 of the\n"
    "array lies along x. A kernel that uses no thread index runs once.";

namespace {

using Sizes = std::array<uint64_t, 3>;

Sizes sizes(Dim3 d) { return {d.x, d.y, d.z}; }

Dim3 default_block(int axes, uint32_t max_threads) {
  constexpr std::array<Dim3, 4> kBlocks = {{{1, 1, 1}, {256, 1, 1}, {16, 16, 1}, {8, 8, 4}}};
  Dim3 block = kBlocks[static_cast<size_t>(axes)];
  while (uint64_t{block.x} * block.y * block.z > std::max(max_threads, 1U)) {
    uint32_t& widest = block.x >= block.y ? (block.x >= block.z ? block.x : block.z) : block.y;
    widest = std::max(1U, widest / 2);
  }
  return block;
}

int64_t count_elems(const LaunchedArray& array) {
  int64_t out = 1;
  for (const int64_t extent : array.shape) out *= extent;
  return out;
}

/// The largest of the arrays that `fits`; the written one, then the first one, of equals.
template <class Predicate>
const LaunchedArray* largest(const std::vector<LaunchedArray>& arrays, Predicate fits) {
  const LaunchedArray* best = nullptr;
  for (const LaunchedArray& array : arrays) {
    if (!fits(array)) continue;
    const auto rank = [](const LaunchedArray& a) { return std::pair(count_elems(a), a.written); };
    if (best == nullptr || rank(array) > rank(*best)) best = &array;
  }
  return best;
}

/// The array that the grid covers; null when there is none with enough axes.
const LaunchedArray* array_to_cover(const std::vector<LaunchedArray>& arrays, size_t axes) {
  if (const auto* exact = largest(arrays, [&](const LaunchedArray& a) { return a.shape.size() == axes; })) return exact;
  return largest(arrays, [&](const LaunchedArray& a) { return a.shape.size() > axes; });
}

/// Threads that are wanted along x, y and z. A 1-D kernel over a matrix gets one thread for each element.
Sizes extents_to_cover(const LaunchedArray& array, size_t axes) {
  Sizes out = {1, 1, 1};
  if (axes == 1) {
    out[0] = static_cast<uint64_t>(count_elems(array));
  } else {
    for (size_t i = 0; i < axes; ++i) out[i] = static_cast<uint64_t>(array.shape[i]);
  }
  return out;
}

Dim3 blocks_for(const Sizes& threads, Dim3 block, const LaunchedArray& array) {
  constexpr Sizes kMaxBlocks = {INT32_MAX, 65535, 65535};
  Sizes grid{};
  for (size_t i = 0; i < 3; ++i) {
    const uint64_t width = std::max<uint64_t>(sizes(block)[i], 1);
    grid[i] = std::max<uint64_t>(1, threads[i] / width + (threads[i] % width != 0));
    if (grid[i] > kMaxBlocks[i]) {
      fail(fmt::format("no grid covers {}[{}]: {} blocks along {}, the limit is {}", array.name,
                       fmt::join(array.shape, ","), grid[i], "xyz"[i], kMaxBlocks[i]),
           "give --grid and --block, and let each thread do several elements");
    }
  }
  return {static_cast<uint32_t>(grid[0]), static_cast<uint32_t>(grid[1]), static_cast<uint32_t>(grid[2])};
}

}  // namespace

Dim3 parse_dim3(const std::string& text, const std::string& option) {
  Dim3 out;
  uint32_t* const parts[] = {&out.x, &out.y, &out.z};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (size_t i = 0; i < 3; ++i) {
    const auto [next, error] = std::from_chars(at, end, *parts[i]);
    if (error != std::errc()) break;
    if (next == end) return out;
    if (*next != ',') break;
    at = next + 1;
  }
  fail(fmt::format("{} {} is not X, X,Y or X,Y,Z", option, text), fmt::format("such as {} 63,63", option));
}

std::string format_dim3(Dim3 value) {
  if (value.z != 1) return fmt::format("{},{},{}", value.x, value.y, value.z);
  return value.y != 1 ? fmt::format("{},{}", value.x, value.y) : fmt::format("{}", value.x);
}

int thread_axes(const kernel::KernelProgram& program) {
  int axes = 0;
  for (const kernel::Expr& expr : program.exprs) {
    if (const auto* index = std::get_if<kernel::ThreadIndex>(&expr.kind)) axes = std::max(axes, index->axis + 1);
  }
  return axes;
}

LaunchShape choose_launch_shape(const kernel::KernelProgram& program, const std::vector<LaunchedArray>& arrays,
                                std::optional<Dim3> grid, std::optional<Dim3> block) {
  const int axes = thread_axes(program);
  LaunchShape out;
  out.config.block = block ? *block : default_block(axes, program.max_threads_per_block);
  if (grid) {
    out.config.grid = *grid;
    return out;
  }
  if (axes == 0 || arrays.empty()) {
    out.note = axes == 0 ? "one block, as the kernel uses no thread index" : "one block, as there are no arrays";
    return out;
  }
  const LaunchedArray* array = array_to_cover(arrays, static_cast<size_t>(axes));
  if (array == nullptr) {
    fail(fmt::format("no grid can be chosen: the kernel uses {} axes of the thread index, no array has as many", axes),
         "give --grid and --block");
  }
  out.config.grid = blocks_for(extents_to_cover(*array, static_cast<size_t>(axes)), out.config.block, *array);
  out.note = fmt::format("chosen to cover {}[{}]", array->name, fmt::join(array->shape, ","));
  return out;
}

}  // namespace jitc::cli
