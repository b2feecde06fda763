// The array IR: what one call of an array function does, in operations on whole arrays. Nodes are pure values with
// symbolic shapes; statements say what happens to variables and to memory, and in which order.
//
// A view is an index map of its base, never data. Two nodes of one extent symbol have the same extent in every call.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "jitc/artifact.hpp"
#include "src/array/extents.hpp"
#include "src/base/store.hpp"
#include "src/sema/typed.hpp"
#include "src/source/span.hpp"

namespace jitc::array {

using source::Span;
using types::FoldOp;

using StmtId = base::Id<struct ArrayStmtTag>;
using SlotId = base::Id<struct ArraySlotTag>;
using LabelId = base::Id<struct ArrayLabelTag>;

/// What an operation does with one element of each argument.
using Function = std::shared_ptr<const sema::TypedFunction>;

// --- nodes -----------------------------------------------------------------------------------------------------------

/// An argument of the call.
struct Param {
  uint32_t param = 0;
};
/// What a variable holds where the node is defined.
struct Read {
  SlotId slot;
};
/// `function` of one element of each argument; they broadcast. Of rank 0 where all arguments are.
struct Map {
  Function function;
  std::vector<NodeId> args;
};
/// One result of a map whose function returns a tuple.
struct Item {
  NodeId map;
  uint32_t item = 0;
};
/// 0, 1, 2 … of i8.
struct Iota {};
/// The elements that the text gives, in memory that nothing is stored to.
struct Table {
  std::shared_ptr<const sema::ConstantArray> values;
  std::string name;  ///< of the file's constant; empty for one without
};
/// Every element is the scalar `value`; any, where that is absent.
struct Fill {
  NodeId value;
};
/// A scalar of i8: how long an axis is.
struct Extent {
  NodeId array;
  uint32_t axis = 0;
};
/// A scalar that a kernel computes, as the host sees it: the call waits for it.
struct ToHost {
  NodeId value;
};

/// One axis of the base: an index, after which the axis is gone (`first`: the index is 0), or every step-th element
/// from `lower` up to `upper` (absent: as Python has it); or a new axis. All are scalars of the host.
struct Selection {
  enum class Kind : uint8_t { whole, slice, index, first, new_axis };
  Kind kind = Kind::whole;
  NodeId index, lower, upper, step;
  bool operator==(const Selection&) const = default;
};
struct Slice {
  NodeId base;
  std::vector<Selection> axes;
};
struct Permute {
  NodeId base;
  std::vector<uint32_t> axes;
};
/// To the node's own shape.
struct Broadcast {
  NodeId base;
};
/// To a shape of scalars of the host, of which one may be -1; copied where no strides say the same.
struct Reshape {
  NodeId base;
  std::vector<NodeId> shape;
};
/// An axis of extent 1 goes.
struct Squeeze {
  NodeId base;
  uint32_t axis = 0;
};
/// The elements whose last two indices are equal.
struct Diagonal {
  NodeId base;
};
/// The real or the imaginary parts of complex elements.
struct Part {
  NodeId base;
  bool is_imag = false;
  NodeId map;  ///< until parts.cpp has settled which of both it is: the same, computed
};

struct Fold {
  FoldOp op = FoldOp::kAdd;
  NodeId array;
  std::vector<bool> folded;  ///< by axis of `array`
  bool keepdims = false;
  bool needs_elements = false;
  std::string name;         ///< in messages
  bool is_product = false;  ///< of a map of two arrays, neither of which broadcasts along the folded axes
};
/// The sum over the letters that the result lacks of products of elements; one letter for each axis.
struct Contract {
  NodeId a, b;
  std::string a_labels, b_labels, out_labels;
};
/// Arrays one behind the other.
struct Join {
  std::vector<NodeId> parts;
  uint32_t axis = 0;
};
/// The same elements in memory of their own.
struct Copy {
  NodeId array;
};

struct Node {
  Span span;
  DType dtype = DType::f8;
  std::vector<ExtentId> shape;
  std::variant<Param, Read, Map, Item, Iota, Table, Fill, Extent, ToHost, Slice, Permute, Broadcast, Reshape, Squeeze,
               Diagonal, Part, Fold, Contract, Join, Copy>
      kind;
  bool on_host = false;    ///< a scalar that the host computes
  bool is_stored = false;  ///< some statement stores into it, directly or through a view

  size_t rank() const { return shape.size(); }
};

// --- statements ------------------------------------------------------------------------------------------------------

using Block = std::vector<StmtId>;

/// The node's value is that of this moment: later stores do not change it (but of views, which see them).
struct Define {
  NodeId node;
};
struct Set {
  SlotId slot;
  NodeId value;
};
/// All elements of `target`, a view of a parameter, a variable or a node with memory; the value broadcasts.
struct Store {
  NodeId target, value;
};
struct If {
  NodeId cond;
  Block then_block, else_block;
};
/// while (head; cond) { body; step }: Continue goes to step.
struct Loop {
  LabelId label;
  Block head;
  NodeId cond;
  Block body, step;
};
/// A block that Exit can leave.
struct Scope {
  LabelId label;
  Block body;
};
struct Exit {
  LabelId label;
};
struct Continue {
  LabelId label;
};
struct Return {
  std::vector<NodeId> values;
};
/// The call fails where `cond` holds, or always where it is absent.
struct Fail {
  NodeId cond;
  std::string message;
};

struct Stmt {
  Span span;
  std::variant<Define, Set, Store, If, Loop, Scope, Exit, Continue, Return, Fail> kind;
};

/// A variable whose value crosses the border of a block.
struct Slot {
  std::string name;
  DType dtype = DType::f8;
  uint32_t rank = 0;
  bool on_host = false;
};

/// One array function with one signature.
struct Program {
  std::string name, signature;
  Span span;
  std::vector<ArgumentInfo> params;
  std::vector<ArgumentInfo> results;  ///< of arrays: names "out", or "out0", "out1" …
  sema::BlasUse blas = sema::BlasUse::never;
  Extents extents;
  base::Store<Node, NodeId> nodes;
  base::Store<Stmt, StmtId> stmts;
  base::Store<Slot, SlotId> slots;
  std::vector<std::string> labels;
  Block body;
};

}  // namespace jitc::array
