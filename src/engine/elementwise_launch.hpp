// One launch of a kernel of elements: which of its forms fits the arrays, and what it is given. Ufuncs and the maps of
// array functions are launched by it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/common/elementwise_plan.hpp"
#include "src/engine/state.hpp"

namespace jitc::engine {

/// What one argument of the kernel is: a scalar, or else the next operand; an index is numbers, no memory.
struct ElementwiseInput {
  const Scalar* scalar = nullptr;
  bool is_index = false;
};

/// What else the form depends on.
struct ElementwiseUse {
  bool is_host = false;
  uint8_t elems_in_group = 1;        ///< of a GPU's thread, where the addresses allow it
  bool keeps_axes = false;           ///< one form for boxes of all extents
  uint64_t stream_bytes = kNoBytes;  ///< of a host: results of as many, all together, go past the caches

  static constexpr uint64_t kNoBytes = UINT64_MAX;
};
/// For results that nothing reads soon.
ElementwiseUse stored_for_good(bool is_host, uint8_t elems_in_group);

class ElementwiseLaunch {
 public:
  /// `operands` are the results, which are arrays, and then the inputs that are no scalars; they broadcast to `shape`,
  /// which has elements.
  ElementwiseLaunch(std::span<const int64_t> shape, std::span<const runtime::Operand> operands,
                    std::vector<ElementwiseInput> inputs, const ElementwiseUse& use);

  const kernel::ElementwiseForm& form() const { return form_; }
  /// Throws Error(launch), which begins with `title`, for more elements than one launch covers.
  LaunchConfig cover(const std::string& title, uint32_t max_threads) const;
  /// What the slot of the kernel's parameter block holds.
  uint64_t slot_value(const ParamSlot& slot) const;

 private:
  void choose_form(const ElementwiseUse& use);
  void choose_groups(uint8_t elems_in_group);
  void choose_tiles();
  bool may_stream(uint64_t stream_bytes) const;
  size_t result_count() const { return operand_at_.size() - inputs_.size(); }
  kernel::Walk walk_of(size_t argument) const;

  std::vector<ElementwiseInput> inputs_;
  bool is_host_;
  runtime::ElementwisePlan plan_;
  std::vector<size_t> operand_at_;  ///< by argument, inputs first: its place in the plan; of a scalar none
  std::vector<size_t> indices_;     ///< places in the plan
  kernel::ElementwiseForm form_ = {};
  int64_t tile_side_ = 0;
  int64_t shift_ = 0;  ///< of a form with groups: how many elements lie before the first, up to an aligned address
};

}  // namespace jitc::engine
