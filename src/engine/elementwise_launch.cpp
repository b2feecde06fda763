#include "src/engine/elementwise_launch.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "runtime/common/error.hpp"
#include "runtime/common/params.hpp"

namespace jitc::engine {

using kernel::Walk;

namespace {
constexpr size_t kNoOperand = ~size_t{0};
}  // namespace

ElementwiseLaunch::ElementwiseLaunch(std::span<const int64_t> shape, std::span<const runtime::Operand> operands,
                                     std::vector<ElementwiseInput> inputs, bool is_host, uint8_t elems_in_group)
    : inputs_(std::move(inputs)), is_host_(is_host), plan_(runtime::plan_elementwise(shape, operands)) {
  const auto is_operand = [](const ElementwiseInput& input) { return input.scalar == nullptr; };
  const size_t result_count = operands.size() - static_cast<size_t>(std::ranges::count_if(inputs_, is_operand));
  size_t next = result_count;
  for (const ElementwiseInput& input : inputs_) {
    if (input.is_index) indices_.push_back(next);
    operand_at_.push_back(is_operand(input) ? next++ : kNoOperand);
  }
  for (size_t k = 0; k < result_count; ++k) operand_at_.push_back(k);
  choose_form(elems_in_group);
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
void ElementwiseLaunch::choose_form(uint8_t elems_in_group) {
  form_.rank = static_cast<uint8_t>(plan_.rank());
  for (size_t i = 0; i < operand_at_.size(); ++i) {
    (i < inputs_.size() ? form_.params : form_.results).push_back(walk_of(i));
  }
  if (is_host_ || !indices_.empty()) return;
  form_.narrow = plan_.is_narrow;
  if (elems_in_group < 2 || plan_.count_elems < elems_in_group) return;
  const std::optional<int64_t> shift = runtime::group_shift(plan_, elems_in_group);
  if (!shift) return;
  form_.elems_per_thread = elems_in_group;
  shift_ = *shift;
}

LaunchConfig ElementwiseLaunch::cover(const std::string& title, uint32_t max_threads) const {
  // Few large blocks on the CPU, where each is a call; on a GPU enough small ones to fill it.
  const uint32_t wanted = is_host_ ? 1024 : 256;
  const uint32_t block = std::clamp(max_threads, 1U, wanted);
  const int64_t group = form_.elems_per_thread;
  const auto spread = plan_.rank() == 1 ? runtime::spread_line((plan_.count_elems + shift_ + group - 1) / group, block)
                                        : runtime::spread_rows(plan_, std::bit_floor(block));
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
