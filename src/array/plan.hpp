// The launch plan of an array function: which kernels one call runs, in which order, and what gets memory. Plain data;
// the engine carries it out with the shapes of a call.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "src/array/ir.hpp"
#include "src/kernel/contract_kernel.hpp"
#include "src/kernel/row_kernel.hpp"

namespace jitc::array {

/// Where a value goes: memory of its own, or a view that some statement stores to, or one part of a Join.
struct Result {
  NodeId value;
  NodeId target;            ///< invalid: new memory, which is the value's from then on
  int part = -1;            ///< of the Join that `target` is
  bool of_elements = true;  ///< else one of each row
};

/// A function of each element of a shape.
struct MapKernel {
  Function function;
  std::vector<NodeId> operands;  ///< by parameter; they broadcast to the shape
  std::vector<kernel::KernelOperand> kinds;
  std::vector<Result> results;  ///< by result of the function, all of one shape
  uint8_t elems_in_group = 1;   ///< of a GPU's thread, where the addresses allow more than one
};

/// Folds along axes of a shape, with what is computed of the elements before and of the folds after.
struct RowsKernel {
  kernel::RowKernel rows;
  std::vector<NodeId> operands;  ///< by operand of `rows`; they broadcast to the shape of `domain`
  NodeId domain;
  std::vector<NodeId> folds;       ///< all that it computes, whether or not they are results
  std::vector<bool> folded;        ///< by axis of the domain
  std::vector<Result> results;     ///< by output of `rows`
  std::vector<uint32_t> in_steps;  ///< kernels to launch instead where a row is longer than a block
};

/// A product of matrices, in letters.
struct ContractLaunch {
  kernel::ContractKernel contract;
  NodeId node;  ///< the Contract, whose letters say which axes are which
  std::vector<NodeId> a_operands, b_operands, epilogue_operands;
  std::vector<Result> results;  ///< by output of `contract`
  /// Kernels to launch instead where a result turns out larger than the product, or where a library does this.
  std::vector<uint32_t> in_steps;
};

struct Kernel {
  std::string name;
  Span span;
  std::variant<MapKernel, RowsKernel, ContractLaunch> kind;
  bool is_step = false;  ///< launched only in the place of another one
};

// --- steps -----------------------------------------------------------------------------------------------------------

using Steps = std::vector<struct Step>;

/// A scalar of the host, a shape or a view: nothing runs on the device, unless the host must wait for a scalar.
struct EvalStep {
  NodeId node;
};
/// Memory without values.
struct AllocStep {
  NodeId node;
};
struct LaunchStep {
  uint32_t kernel = 0;
};
struct SetStep {
  SlotId slot;
  NodeId value;
};
struct IfStep {
  NodeId cond;
  Steps then_steps, else_steps;
};
struct LoopStep {
  LabelId label;
  Steps head;
  NodeId cond;
  Steps body, advance;
};
struct ScopeStep {
  LabelId label;
  Steps body;
};
struct ExitStep {
  LabelId label;
};
struct ContinueStep {
  LabelId label;
};
struct ReturnStep {
  std::vector<NodeId> values;
};
struct FailStep {
  NodeId cond;
  std::string message;
};
/// The memory of these is not used any more.
struct FreeStep {
  std::vector<NodeId> nodes;
};

struct Step {
  Span span;
  std::variant<EvalStep, AllocStep, LaunchStep, SetStep, IfStep, LoopStep, ScopeStep, ExitStep, ContinueStep,
               ReturnStep, FailStep, FreeStep>
      kind;
};

struct Plan {
  Program program;
  std::vector<Kernel> kernels;
  Steps steps;
};

/// Decides what is fused into which kernel. `types` gets the types of the functions that it writes.
Plan schedule(types::TypeTable& types, Program program);

}  // namespace jitc::array
