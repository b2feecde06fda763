// The launch of one contraction: docs/design/contractions.md.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "runtime/common/contract_plan.hpp"
#include "src/array/contract_letters.hpp"
#include "src/array/plan.hpp"
#include "src/engine/fold_call.hpp"
#include "src/engine/node_values.hpp"

namespace jitc::engine {

/// What a contraction reads: arrays that broadcast to the shapes of a, b and the result.
struct ContractOperands {
  std::vector<NodeValue> a, b, epilogue;
};

class ContractLaunches {
 public:
  using Give = std::function<void(const kernel::ContractForm&, Dim3, Dim3, std::span<const KernelValue>)>;

  /// `a_shape` and `b_shape` have one extent for each letter. The references must stay.
  ContractLaunches(const array::Contract& contract, const array::ContractLaunch& launch, std::vector<int64_t> a_shape,
                   std::vector<int64_t> b_shape, const ContractOperands& operands, std::span<const Array> targets,
                   const Place& place);
  void run(const Give& give);
  /// By the device's library, for a contraction without functions. False where it does not take the product: then
  /// run() does it.
  bool run_by_library();

 private:
  /// One array of the kernel, in the order of its arguments; scalars are left out.
  struct Part {
    runtime::ContractRole role;
    NodeValue value;
    std::string labels;  ///< of its axes
    bool is_index = false;
  };
  void find_extents();
  void add_parts();
  runtime::ContractOperand operand_of(const Part& part) const;
  std::vector<int64_t> strides_along(const Part& part, const std::string& letters) const;
  NodeValue copied(const Part& part) const;
  runtime::ContractPlan plan() const;
  runtime::ContractPlan plan_with_copies();
  void move(size_t index);
  void use_on_queue() const;
  void copy_back() const;
  bool give_to_library(const runtime::ContractPlan& plan) const;
  runtime::ContractAxes axes() const;
  kernel::ContractForm form_of(const runtime::ContractPlan& plan, const runtime::ContractTiles& tiles) const;
  std::vector<KernelValue> values_of(const runtime::ContractPlan& plan, const runtime::ContractTiles& tiles) const;

  const array::Contract& contract_;
  const array::ContractLetters letters_;
  const array::ContractLaunch& launch_;
  std::vector<int64_t> a_shape_, b_shape_;
  const ContractOperands& operands_;
  std::span<const Array> targets_;
  const Place& place_;
  std::map<char, int64_t> extents_;
  std::vector<Part> parts_;
  std::vector<std::pair<Array, Array>> back_;  ///< results that are computed elsewhere first, and where they belong
};

}  // namespace jitc::engine
