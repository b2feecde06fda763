#include "src/engine/elementwise_launch.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "runtime/common/error.hpp"
#include "runtime/common/params.hpp"
#include "runtime/cpu/cpu_info.hpp"

namespace jitc::engine {

using kernel::Walk;

namespace {
constexpr size_t kNoOperand = ~size_t{0};
}  // namespace

ElementwiseLaunch::ElementwiseLaunch(std::span<const int64_t> shape, std::span<const runtime::Operand> operands,
                                     std::vector<ElementwiseInput> inputs, const ElementwiseUse& use)
    : inputs_(std::move(inputs)),
      is_host_(use.is_host),
      plan_(runtime::plan_elementwise(shape, operands, use.keeps_axes)) {
  const auto is_operand = [](const ElementwiseInput& input) { return input.scalar == nullptr; };
  const size_t result_count = operands.size() - static_cast<size_t>(std::ranges::count_if(inputs_, is_operand));
  size_t next = result_count;
  for (const ElementwiseInput& input : inputs_) {
    if (input.is_index) indices_.push_back(next);
    operand_at_.push_back(is_operand(input) ? next++ : kNoOperand);
  }
  for (size_t k = 0; k < result_count; ++k) operand_at_.push_back(k);
  choose_form(use);
}

Walk ElementwiseLaunch::walk_of(size_t argument) const {
  const size_t operand = operand_at_[argument];
  if (operand == kNoOperand) return Walk::scalar;
  if (argument < inputs_.size() && inputs_[argument].is_index) return Walk::index;
  const int64_t stride = plan_.inner_stride(operand);
  if (stride == 0) return Walk::same;
  return stride == static_cast<int64_t>(plan_.elem_bytes[operand]) ? Walk::next : Walk::strided;
}

/// Wide loads and narrow indices are of use on a GPU alone: the CPU's rows of threads are vectors already, and its
/// addresses of 64 bits cost nothing.
void ElementwiseLaunch::choose_form(const ElementwiseUse& use) {
  form_.rank = static_cast<uint8_t>(plan_.rank());
  for (size_t i = 0; i < operand_at_.size(); ++i) {
    (i < inputs_.size() ? form_.params : form_.results).push_back(walk_of(i));
  }
  choose_tiles();
  if (is_host_) {
    form_.streams = may_stream(use.stream_bytes);
  } else if (form_.tile_axis == kernel::kNoTiles) {
    choose_groups(use.elems_in_group);
  }
}

void ElementwiseLaunch::choose_groups(uint8_t elems_in_group) {
  if (!indices_.empty()) return;
  form_.narrow = plan_.is_narrow;
  if (elems_in_group < 2 || plan_.count_elems < elems_in_group) return;
  const std::optional<int64_t> shift = runtime::group_shift(plan_, elems_in_group);
  if (!shift) return;
  form_.elems_per_thread = elems_in_group;
  shift_ = *shift;
}

/// An argument whose neighbours lie along another axis than those of the results is read a cache line for an element;
/// in tiles the line is used up. Those of a GPU lie in shared memory, of which every block has 48 KiB.
void ElementwiseLaunch::choose_tiles() {
  constexpr int64_t kLeastExtent = 16, kLeastElems = 1 << 14;
  constexpr size_t kSharedBytes = 48 * 1024;
  constexpr size_t kMostAcross = kSharedBytes / (kernel::kSharedTileSide * kernel::kSharedTilePitch);
  const size_t inner = plan_.rank() - 1;
  if (plan_.count_elems < kLeastElems || plan_.extents[inner] < kLeastExtent) return;
  const auto lies_along = [&](size_t input, size_t axis) {
    const size_t operand = operand_at_[input];
    return form_.params[input] == Walk::strided &&
           plan_.stride(operand, axis) == static_cast<int64_t>(plan_.elem_bytes[operand]);
  };
  size_t bytes_across = 0;
  for (size_t axis = inner; axis-- > 0 && form_.tile_axis == kernel::kNoTiles;) {
    if (plan_.extents[axis] < kLeastExtent) continue;
    for (size_t input = 0; input < inputs_.size(); ++input) {
      if (!lies_along(input, axis)) continue;
      const size_t bytes = bytes_across + plan_.elem_bytes[operand_at_[input]];
      if (!is_host_ && bytes > kMostAcross) continue;
      bytes_across = bytes;
      form_.params[input] = Walk::across;
      form_.tile_axis = static_cast<uint8_t>(axis);
    }
  }
  if (form_.tile_axis == kernel::kNoTiles) return;
  form_.shared_tiles = !is_host_;
  tile_side_ = is_host_ ? kernel::tile_side(bytes_across) : kernel::kSharedTileSide;
}

/// Lines that are written whole need not be read before, and leave the caches to others.
bool ElementwiseLaunch::may_stream(uint64_t stream_bytes) const {
  if (form_.rank > 1 && form_.tile_axis == kernel::kNoTiles) return false;
  uint64_t bytes = 0;
  for (size_t k = 0; k < result_count(); ++k) {
    const auto is_aligned = [](auto value) { return value % static_cast<decltype(value)>(kernel::kStreamAlign) == 0; };
    if (form_.results[k] != Walk::next || !is_aligned(plan_.addresses[k])) return false;
    for (size_t axis = 0; axis + 1 < plan_.rank(); ++axis) {
      if (!is_aligned(plan_.stride(k, axis))) return false;
    }
    // A line that is read at the same time is in the caches anyway.
    for (size_t input = 0; input < inputs_.size(); ++input) {
      const size_t operand = operand_at_[input];
      if (operand != kNoOperand && plan_.addresses[operand] == plan_.addresses[k]) return false;
    }
    bytes += static_cast<uint64_t>(plan_.count_elems) * plan_.elem_bytes[k];
  }
  return bytes >= stream_bytes;
}

ElementwiseUse stored_for_good(bool is_host, uint8_t elems_in_group) {
  return {is_host, elems_in_group, false, runtime::cpu::last_cache_bytes()};
}

LaunchConfig ElementwiseLaunch::cover(const std::string& title, uint32_t max_threads) const {
  std::optional<runtime::ThreadSpread> spread;
  // Few large blocks on the CPU, where each is a call; on a GPU enough small ones to fill it.
  const uint32_t wanted = is_host_ ? 1024 : 256;
  const uint32_t block = std::clamp(max_threads, 1U, wanted);
  const int64_t group = form_.elems_per_thread;
  if (form_.tile_axis != kernel::kNoTiles) {
    spread = runtime::spread_tiles(plan_, form_.tile_axis, tile_side_);
    if (spread && form_.shared_tiles) spread->block = {kernel::kSharedTileSide, kernel::kSharedTileRows};
  } else if (form_.streams) {
    spread = runtime::spread_line((plan_.count_elems - 1) / kernel::kStreamElems + 1, 1);
  } else if (plan_.rank() == 1) {
    spread = runtime::spread_line((plan_.count_elems + shift_ + group - 1) / group, block);
  } else {
    spread = runtime::spread_rows(plan_, std::bit_floor(block));
  }
  if (!spread) {
    runtime::fail(ErrorCode::launch, "{}: a result of {} elements is more than one launch covers", title,
                  plan_.count_elems);
  }
  return {spread->grid, spread->block};
}

/// Behind the results come the steps of the indices, each as those of an array. Where there is none, one scalar: where
/// groups begin.
uint64_t ElementwiseLaunch::slot_value(const ParamSlot& slot) const {
  if (slot.part == ParamSlot::Part::extent) return static_cast<uint64_t>(plan_.extents[slot.axis] + shift_);
  const bool is_behind = slot.argument >= operand_at_.size();
  if (is_behind && indices_.empty()) return static_cast<uint64_t>(shift_);
  const size_t operand = is_behind ? indices_[slot.argument - operand_at_.size()] : operand_at_[slot.argument];
  if (operand == kNoOperand) return runtime::scalar_bits(*inputs_[slot.argument].scalar, slot);
  if (slot.part == ParamSlot::Part::stride) return static_cast<uint64_t>(plan_.stride(operand, slot.axis));
  const bool stands_still = slot.part == ParamSlot::Part::scalar || plan_.inner_stride(operand) == 0;
  return plan_.addresses[operand] -
         (stands_still ? 0 : static_cast<uint64_t>(shift_) * static_cast<uint64_t>(plan_.elem_bytes[operand]));
}

}  // namespace jitc::engine
