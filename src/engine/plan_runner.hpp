// Carries out the launch plan of an array function: shapes and views on the host, kernels in the call's stream.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/array/plan.hpp"
#include "src/engine/array_call.hpp"
#include "src/engine/fold_call.hpp"
#include "src/engine/node_values.hpp"

namespace jitc::engine {

class PlanRunner {
 public:
  PlanRunner(const FunctionState& function, const pipeline::KernelVariant& variant, const types::TypeTable& types,
             const source::SourceFile& file, Place place, LaunchReport& report);

  /// What looks at the results' shapes, and throws where it does not like them.
  using ShapesCheck = std::function<void(std::span<const std::vector<int64_t>>)>;

  /// The values that the function returns. `args` are arrays of the device and scalars in the signature's types. `out`
  /// is where the caller wants the results, nothing or one for each: those that can are computed there, and returned as
  /// these arrays. `check_results` is called once: before the first kernel where the shapes do not depend on what
  /// kernels compute or on control flow, else at the end.
  std::vector<NodeValue> run(const std::vector<Argument>& args, const std::vector<Argument>& out,
                             const ShapesCheck& check_results);

 private:
  using NodeId = array::NodeId;
  using ExtentId = array::ExtentId;

  // --- plan_runner.cpp: steps ---
  struct Jump {
    enum class Kind : uint8_t { none, exit, resume, done } kind = Kind::none;
    array::LabelId label;
  };
  Jump run_steps(const array::Steps& steps);
  Jump run_step(const array::Step& step);
  Jump run_loop(const array::LoopStep& loop);
  bool check_shapes(const array::Block& block, const ShapesCheck& check_results);
  void take_given(const std::vector<Argument>& out);
  bool is_apart(const Array& given) const;
  bool truth(NodeId id) { return value(id).scalar.bits != 0; }

  // --- node_shapes.cpp ---
  const std::vector<int64_t>& shape_of(NodeId id);
  std::vector<int64_t> find_shape(NodeId id);
  int64_t extent(ExtentId id);
  NodeId shown(NodeId arg, const array::Node& whole) const;
  [[noreturn]] void fail_shapes(const array::Map& map, const array::Node& whole);
  void check_product(const array::Fold& fold, const std::vector<int64_t>& whole, const array::Node& n);
  std::vector<int64_t> map_shape(const array::Map& map, const array::Node& node);
  void check_given_shape(std::span<const int64_t> own, std::vector<int64_t> given, const array::Node& n);
  std::vector<int64_t> slice_shape(const array::Slice& slice, const NodeTitle& title);
  std::vector<int64_t> reshape_shape(const array::Reshape& reshape, const NodeTitle& title);
  std::vector<int64_t> contract_shape(const array::Contract& contract, const NodeTitle& title);
  Range range_of(const array::Selection& s, int64_t extent, const NodeTitle& title);
  int64_t index_of(const array::Selection& s, int64_t extent, uint32_t axis, const NodeTitle& title);
  NodeTitle title_of(const array::Node& node) const { return {function_.title, file_, node.span}; }
  /// As the user wrote it.
  std::string_view text_of(NodeId id) const;

  // --- node_evaluation.cpp ---
  const NodeValue& value(NodeId id);
  NodeValue evaluate(NodeId id);
  const NodeValue& in_memory_value(NodeId id);
  NodeValue copied_together(const NodeValue& joined, DType dtype);
  NodeValue joined_value(const array::Join& join, NodeId id);
  Scalar host_scalar(const array::Map& map);
  Scalar fetch(NodeId id);
  NodeValue slice_value(const array::Slice& slice, const array::Node& node);
  NodeValue reshape_value(const array::Reshape& reshape, NodeId id);
  Array new_array(NodeId id, const std::vector<int64_t>& shape);
  const array::Node& node(NodeId id) const { return program_.nodes[id]; }

  // --- plan_launches.cpp ---
  void launch(uint32_t kernel);
  void launch_map(uint32_t kernel, const array::MapKernel& map);
  /// What a map reads and stores, all of one shape or broadcasting to it.
  struct MapOperands {
    std::vector<int64_t> shape;
    std::vector<NodeValue> inputs;
    std::vector<Array> results;
  };
  void launch_box(uint32_t kernel, const array::MapKernel& map, const MapOperands& box, bool keeps_axes);
  void launch_boxes(uint32_t kernel, const array::MapKernel& map, const MapOperands& whole);
  void launch_rows(uint32_t kernel, const array::RowsKernel& rows);
  void launch_contract(uint32_t kernel, const array::ContractLaunch& contract);
  bool wants_library(const array::ContractLaunch& contract) const;
  bool is_last_launch(uint32_t kernel) const;
  Array target_of(const array::Result& result, const std::vector<int64_t>& shape);

  // --- rows_in_steps.cpp ---
  /// The first axis of a domain of rows that is not folded, from `begin` to `end`.
  struct Window {
    size_t axis = 0, rank = 0;
    int64_t begin = 0, end = 0;
  };
  void launch_in_steps(const array::RowsKernel& rows, const std::vector<int64_t>& shape, bool by_parts);
  std::vector<int64_t> in_window(std::vector<int64_t> shape) const;
  NodeValue in_window(const NodeValue& value) const;
  Array rows_in_window(const Array& result, std::span<const int64_t> domain) const;

  void give(uint32_t kernel, const kernel::CallForm& form, Dim3 grid, Dim3 block, std::span<const KernelValue> values);
  void copy_array(const Array& from, const Array& to);

  const FunctionState& function_;
  const array::Plan& plan_;
  const array::Program& program_;
  const types::TypeTable& types_;
  const source::SourceFile& file_;
  Place place_;
  LaunchReport& report_;
  std::vector<Argument> args_;
  std::vector<NodeValue> values_;                            ///< by node
  std::vector<std::optional<std::vector<int64_t>>> shapes_;  ///< by node
  std::vector<NodeValue> slots_;
  std::optional<Window> window_;        ///< what the kernels that are launched now work on
  std::map<uint32_t, int64_t> joined_;  ///< by Join: how far its next part begins
  std::map<uint32_t, Array> given_;     ///< by node: memory of the caller, where a result may be computed
  std::vector<NodeValue> results_;
};

}  // namespace jitc::engine
