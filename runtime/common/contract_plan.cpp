#include "runtime/common/contract_plan.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "jitc/contraction_order.hpp"
#include "runtime/common/joint_axes.hpp"
#include "runtime/common/launch_limits.hpp"
#include "runtime/common/layout.hpp"

namespace jitc::runtime {

namespace {

enum class Group : uint8_t { batch, m, n, k };

std::pair<Group, Group> own_groups(ContractRole role) {
  switch (role) {
    case ContractRole::a: return {Group::m, Group::k};
    case ContractRole::b: return {Group::k, Group::n};
    case ContractRole::output: break;
  }
  return {Group::m, Group::n};
}

const std::vector<int64_t>& extents_of(const ContractAxes& axes, Group group) {
  switch (group) {
    case Group::batch: return axes.batch;
    case Group::m: return axes.m;
    case Group::n: return axes.n;
    case Group::k: break;
  }
  return axes.k;
}

/// The operand's strides along the axes of a group; nothing where it has none of them.
std::optional<std::span<const int64_t>> strides_along(const ContractAxes& axes, const ContractOperand& operand,
                                                      Group group) {
  const std::span<const int64_t> all(operand.strides_bytes);
  if (group == Group::batch) return all.first(axes.batch.size());
  const auto [first, second] = own_groups(operand.role);
  const size_t count = extents_of(axes, first).size();
  if (group == first) return all.subspan(axes.batch.size(), count);
  if (group == second) return all.subspan(axes.batch.size() + count);
  return std::nullopt;
}

/// Whether the axes are one in their order; `stride` is then that of one step.
bool join_in_order(std::span<const int64_t> extents, std::span<const int64_t> strides, int64_t& stride) {
  std::optional<int64_t> inner;
  int64_t next = 0;
  for (size_t axis = extents.size(); axis-- > 0;) {
    if (extents[axis] == 1) continue;
    if (inner && strides[axis] != next) return false;
    if (!inner) inner = strides[axis];
    next = strides[axis] * extents[axis];
  }
  stride = inner.value_or(0);
  return true;
}

class Planner {
 public:
  Planner(const ContractAxes& axes, const std::vector<ContractOperand>& operands) : axes_(axes), operands_(operands) {
    plan_.strides_bytes.resize(operands.size());
    plan_.first_bytes.resize(operands.size());
  }

  ContractPlan run() {
    plan_.m = count_elems(axes_.m);
    plan_.n = count_elems(axes_.n);
    plan_.k = count_elems(axes_.k);
    if (plan_.m == 0 || plan_.n == 0 || count_elems(axes_.batch) == 0) return nothing_to_do();
    join_batch();
    join_group(Group::m, true);
    join_group(Group::n, true);
    join_group(Group::k, false);
    std::ranges::sort(plan_.to_copy);
    plan_.to_copy.erase(std::unique(plan_.to_copy.begin(), plan_.to_copy.end()), plan_.to_copy.end());
    for (size_t i = 0; i < operands_.size(); ++i) set_strides(i);
    return std::move(plan_);
  }

 private:
  ContractPlan nothing_to_do() {
    plan_.batch = {count_elems(axes_.batch)};
    for (auto& strides : plan_.strides_bytes) strides.assign(3, 0);
    return std::move(plan_);
  }

  JointAxes join(Group group, std::vector<size_t>& with) {
    std::vector<std::span<const int64_t>> rows;
    for (size_t i = 0; i < operands_.size(); ++i) {
      if (const auto strides = strides_along(axes_, operands_[i], group)) {
        rows.push_back(*strides);
        with.push_back(i);
      }
    }
    // The outputs come last, and are what is best walked in order: their strides are compared first.
    std::ranges::reverse(rows);
    std::ranges::reverse(with);
    return join_axes(extents_of(axes_, group), rows);
  }

  void add_first(const JointAxes& joint, const std::vector<size_t>& with) {
    for (size_t i = 0; i < with.size(); ++i) plan_.first_bytes[with[i]] += joint.first_bytes[i];
  }

  void join_batch() {
    std::vector<size_t> with;
    const JointAxes joint = join(Group::batch, with);
    add_first(joint, with);
    for (const JointAxis& axis : joint.axes) {
      plan_.batch.push_back(axis.extent);
      for (size_t i = 0; i < with.size(); ++i) plan_.strides_bytes[with[i]].push_back(axis.strides_bytes[i]);
    }
  }

  /// In any order that all share, where results do not depend on it; else in the order that is given.
  void join_group(Group group, bool any_order) {
    std::vector<int64_t>& strides = group_strides_[static_cast<size_t>(group)];
    strides.assign(operands_.size(), 0);
    if (any_order) {
      std::vector<size_t> with;
      const JointAxes joint = join(group, with);
      if (joint.axes.size() <= 1) {
        add_first(joint, with);
        for (size_t i = 0; i < with.size() && !joint.axes.empty(); ++i)
          strides[with[i]] = joint.axes[0].strides_bytes[i];
        return;
      }
    }
    for (size_t i = 0; i < operands_.size(); ++i) {
      const auto own = strides_along(axes_, operands_[i], group);
      if (own && !join_in_order(extents_of(axes_, group), *own, strides[i])) plan_.to_copy.push_back(i);
    }
  }

  void set_strides(size_t i) {
    const auto [first, second] = own_groups(operands_[i].role);
    for (const Group group : {first, second}) {
      plan_.strides_bytes[i].push_back(group_strides_[static_cast<size_t>(group)][i]);
    }
  }

  const ContractAxes& axes_;
  const std::vector<ContractOperand>& operands_;
  ContractPlan plan_;
  std::vector<int64_t> group_strides_[4];  ///< by group, by operand
};

int64_t ceil_div(int64_t value, int64_t unit) { return (value - 1) / unit + 1; }

/// Nearly equal parts of at most `most`, each a multiple of `unit`, as `most` is.
int64_t even_part(int64_t extent, int64_t most, int64_t unit) {
  const int64_t parts = ceil_div(extent, most);
  return ceil_div(ceil_div(extent, parts), unit) * unit;
}

/// Registers of a host for the sums of its product: 6 rows of 2 vectors leave 4 of 16 for what is multiplied; of 32,
/// 14 rows.
constexpr uint8_t kRows = 6, kRowsOfWide = 14;
/// Rows and columns of a tile at most. Packing costs as much for each of them, so that they are many; their parts of a
/// and b and their totals are about 3 MiB of f8, in the third-level cache.
constexpr size_t kMostRows = 384, kMostColumns = 512;
constexpr size_t kMostBytesOfA = 768 << 10, kMostBytesOfB = 1 << 20;
/// Tiles for each worker, so that none waits long for the last one; but none so small that packing is the most of it.
constexpr int64_t kTilesPerWorker = 4;
constexpr int64_t kLeastRows = 48, kLeastColumns = 64;

void cut_for_host(ContractTiles& out, const ContractPlan& plan, ContractElement element,
                  const ContractMachine& machine) {
  const bool is_wide = machine.vector_bytes >= 64;
  const size_t elem_bytes = element.part_bytes * (element.is_complex ? 2 : 1);
  out.thread_m = is_wide ? kRowsOfWide : kRows;
  const size_t lanes = 2 * machine.vector_bytes / elem_bytes;
  out.thread_n = static_cast<uint8_t>(std::clamp<size_t>(lanes, 1, is_wide ? 32 : 16));
  out.block_k = kContractBlock;
  const auto most = [&](size_t count, size_t bytes, size_t unit) {
    return static_cast<uint16_t>(std::min(count, bytes / kContractBlock / elem_bytes) / unit * unit);
  };
  out.block_m = most(kMostRows, kMostBytesOfA, out.thread_m);
  out.block_n = most(kMostColumns, kMostBytesOfB, out.thread_n);
  out.tile_m = even_part(plan.m, out.block_m, out.thread_m);
  out.tile_n = even_part(plan.n, out.block_n, out.thread_n);
  const auto tiles = [&] { return ceil_div(plan.m, out.tile_m) * ceil_div(plan.n, out.tile_n) * plan.count_batch(); };
  while (machine.workers > 1 && tiles() < machine.workers * kTilesPerWorker) {
    if (out.tile_m >= 2 * kLeastRows && out.tile_m >= out.tile_n / 2) {
      out.tile_m = even_part(plan.m, out.tile_m / 2 / out.thread_m * out.thread_m, out.thread_m);
    } else if (out.tile_n >= 2 * kLeastColumns) {
      out.tile_n = even_part(plan.n, out.tile_n / 2 / out.thread_n * out.thread_n, out.thread_n);
    } else {
      break;
    }
  }
  out.block = {1};
}

/// Tiles of a device, the largest first. All but the last have 256 threads or 128.
struct DeviceTile {
  uint16_t m, n, k;
  uint8_t thread_m, thread_n;
};
constexpr DeviceTile kDeviceTiles4[] = {
    {128, 128, 8, 8, 8}, {64, 64, 16, 4, 4}, {32, 32, 16, 2, 2}, {16, 16, 16, 1, 1}};
constexpr DeviceTile kDeviceTiles8[] = {{128, 64, 8, 8, 4}, {64, 64, 16, 4, 4}, {32, 32, 16, 2, 2}, {16, 16, 16, 1, 1}};
constexpr DeviceTile kDeviceTiles16[] = {{64, 64, 8, 4, 4}, {32, 32, 16, 2, 2}, {16, 16, 16, 1, 1}};
constexpr DeviceTile kFewRows = {16, 128, 16, 2, 4}, kFewColumns = {128, 16, 16, 4, 2};
/// About how many blocks occupy a GPU.
constexpr int64_t kBusyBlocks = 128;

std::span<const DeviceTile> device_tiles(size_t elem_bytes) {
  if (elem_bytes > 8) return kDeviceTiles16;
  if (elem_bytes > 4) return kDeviceTiles8;
  // There are but few registers for the truth of so many sums.
  return elem_bytes > 1 ? std::span(kDeviceTiles4) : std::span(kDeviceTiles4).subspan(1);
}

int64_t count_tiles(const ContractPlan& plan, const DeviceTile& tile) {
  return ceil_div(plan.m, tile.m) * ceil_div(plan.n, tile.n) * plan.count_batch();
}

DeviceTile device_tile(const ContractPlan& plan, std::span<const DeviceTile> tiles) {
  if (plan.m <= 16 && plan.n > 64 && count_tiles(plan, kFewRows) >= kBusyBlocks) return kFewRows;
  if (plan.n <= 16 && plan.m > 64 && count_tiles(plan, kFewColumns) >= kBusyBlocks) return kFewColumns;
  for (const DeviceTile& tile : tiles) {
    const bool fits = plan.m > tile.m / 2 && plan.n > tile.n / 2;
    if (fits && count_tiles(plan, tile) >= kBusyBlocks) return tile;
  }
  return tiles.back();
}

void cut_for_device(ContractTiles& out, const ContractPlan& plan, ContractElement element) {
  const size_t elem_bytes = element.part_bytes * (element.is_complex ? 2 : 1);
  const DeviceTile tile = device_tile(plan, device_tiles(elem_bytes));
  out.block_m = tile.m;
  out.block_n = tile.n;
  out.block_k = tile.k;
  out.thread_m = tile.thread_m;
  out.thread_n = tile.thread_n;
  out.tile_m = tile.m;
  out.tile_n = tile.n;
  out.block = {static_cast<uint32_t>(tile.m / tile.thread_m * (tile.n / tile.thread_n))};
}

}  // namespace

int64_t ContractPlan::count_batch() const { return count_elems(batch); }

ContractPlan plan_contraction(const ContractAxes& axes, const std::vector<ContractOperand>& operands) {
  return Planner(axes, operands).run();
}

std::optional<ContractTiles> cut_contraction(const ContractPlan& plan, ContractElement element,
                                             const ContractMachine& machine) {
  ContractTiles out;
  if (machine.is_host) {
    cut_for_host(out, plan, element, machine);
  } else {
    cut_for_device(out, plan, element);
  }
  const int64_t across = ceil_div(plan.m, out.tile_m) * ceil_div(plan.n, out.tile_n);
  if (across > int64_t{kMaxGrid[0]} / plan.count_batch()) return std::nullopt;
  out.grid = {static_cast<uint32_t>(across * plan.count_batch())};
  return out;
}

}  // namespace jitc::runtime
