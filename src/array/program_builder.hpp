// Builds the nodes and statements of one array program. Private to src/array; the walk over the typed function is in
// build_exprs.cpp and build_stmts.cpp.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "src/array/build.hpp"
#include "src/array/variable_blocks.hpp"

namespace jitc::array {

/// A value of the typed function: one node, or the values of a tuple's items.
struct Value {
  NodeId node;
  std::vector<Value> items;
  bool is_tuple = false;
};

class ProgramBuilder {
 public:
  ProgramBuilder(const source::SourceFile& file, const types::TypeTable& types) : file_(file), types_(types) {}

  Program run(const sema::TypedFunction& function);

 private:
  using ExprId = sema::ExprId;
  using VarId = sema::VarId;

  struct LoopLabels {
    LabelId break_to, continue_to;
    bool continue_exits = false;
  };
  /// A variable that crosses the borders of blocks: its slots, and what is known of it since the block began.
  struct SlotValue {
    std::vector<SlotId> slots;
    std::optional<Value> known;
    bool dirty = false;
  };
  struct Frame {
    const sema::TypedFunction* fn = nullptr;
    VariableBlocks blocks;
    std::map<uint32_t, Value> values;  ///< by variable
    std::map<uint32_t, SlotValue> slots;
    std::map<uint32_t, Value> memo;  ///< by expression, within a statement
    std::vector<LoopLabels> loops;
    LabelId return_to;  ///< invalid: of the program, or where the one return is the last statement
    std::vector<SlotId> result_slots;
    std::optional<Value> result;
    bool is_program = false;
  };

  // --- program_nodes.cpp ---
  NodeId add(Node node, std::string key = {});
  NodeId define(NodeId id);
  const Node& node(NodeId id) const { return program_.nodes[id]; }
  NodeId constant(DType dtype, const sema::Constant& value);
  NodeId index_number(int64_t value) { return constant(DType::i8, sema::Constant::of_int(value)); }
  std::optional<int64_t> constant_value(NodeId id) const;
  NodeId map(Function function, std::vector<NodeId> args, DType dtype, Span span);
  Value map_value(Function function, std::vector<NodeId> args, Span span);
  NodeId extent_node(NodeId array, uint32_t axis, Span span);
  ExtentId extent_of(NodeId scalar);
  NodeId to_host(NodeId id);
  NodeId slice(NodeId base, std::vector<Selection> axes, Span span);
  ExtentId slice_extent(ExtentId base, const Selection& s) const;
  NodeId permute(NodeId base, const std::vector<uint32_t>& axes, Span span);
  NodeId fold(const sema::FoldExpr& e, NodeId array, DType dtype, Span span);
  NodeId contract(const sema::ContractExpr& e, NodeId a, NodeId b, DType dtype, Span span);
  std::optional<ExtentId> extent_of_both(const std::vector<NodeId>& parts, uint32_t axis) const;
  NodeId join(const sema::JoinExpr& e, std::vector<NodeId> parts, DType dtype, Span span);
  NodeId reshape(NodeId base, std::vector<NodeId> shape, Span span);
  NodeId table(const sema::MemoryExpr& e, Span span);
  NodeId apart_from_tables(NodeId id, Span span);
  void use_tables_in_place();

  // --- build_exprs.cpp ---
  Value build(ExprId id);
  NodeId build_node(ExprId id) { return build(id).node; }
  NodeId host_scalar(ExprId id) { return to_host(build_node(id)); }
  std::vector<NodeId> build_nodes(const std::vector<ExprId>& ids);
  Value build_uncached(ExprId id);
  Value build_scalar(ExprId id);
  Value build_array(ExprId id);
  Value build_call(const sema::CallExpr& e, Span span);
  Value build_ternary(const sema::TernaryExpr& e, sema::TypeId type, Span span);
  NodeId build_logic(const sema::LogicExpr& e, Span span);
  NodeId build_view(const sema::ViewExpr& e, Span span);
  NodeId build_place(const sema::ElementExpr& e, Span span);
  NodeId build_element(const sema::ElementExpr& e, Span span);
  bool is_leaf(ExprId id);
  /// Its value takes arrays: it must not be computed where the text does not evaluate it.
  bool takes_arrays(ExprId id);
  static bool works_on_arrays(const sema::TypedFunction& fn, const types::TypeTable& types);
  DType dtype_of(sema::TypeId type) const;
  const sema::Expr& expr(ExprId id) const { return frame_->fn->exprs[id]; }

  // --- build_stmts.cpp ---
  void build_block(const sema::Block& block);
  void build_stmt(sema::StmtId id);
  void assign(VarId var, const Value& value);
  Value read(VarId var, Span span);
  void build_store(ExprId array, const std::vector<ExprId>& indices, ExprId value, Span span);
  void store(NodeId target, NodeId value, Span span);
  void build_if(const sema::IfStmt& s, Span span);
  void build_while(const sema::WhileStmt& s, Span span);
  void build_for(const sema::ForStmt& s, Span span);
  void build_unrolled(const sema::UnrolledStmt& s, Span span);
  void build_return(const sema::ReturnStmt& s, Span span);
  void build_fail(const sema::FailStmt& s, Span span);
  Value inline_function(const sema::TypedFunction& fn, const std::vector<Value>& args, Span span);
  template <class EmitLoop>
  void with_else(LabelId loop, const sema::Block& orelse, Span span, const EmitLoop& emit_loop);

  // --- variables that cross borders
  std::vector<SlotId> make_slots(const std::string& name, sema::TypeId type, bool on_host);
  Value read_slots(const std::vector<SlotId>& slots, sema::TypeId type, size_t& next, Span span);
  void set_slots(const std::vector<SlotId>& slots, const Value& value, size_t& next, Span span);
  /// Before control goes elsewhere: what was assigned since is written back.
  void write_back(Span span);
  /// After it has been elsewhere: nothing is known.
  void forget();

  // --- statements
  template <class Kind>
  void emit(Span span, Kind kind) {
    open_.back().push_back(program_.stmts.add({span, std::move(kind)}));
  }
  template <class Fill>
  Block block(Fill&& fill) {
    open_.emplace_back();
    // What is computed inside is not known behind it.
    auto outer = frame_->values;
    auto known = known_;
    std::set<uint32_t> known_slots;
    for (const auto& [var, slot] : frame_->slots) {
      if (slot.known) known_slots.insert(var);
    }
    fill();
    frame_->values = std::move(outer);
    known_ = std::move(known);
    for (auto& [var, slot] : frame_->slots) {
      if (!slot.dirty && !known_slots.contains(var)) slot.known.reset();
    }
    Block made = std::move(open_.back());
    open_.pop_back();
    return made;
  }
  LabelId label(const std::string& name) {
    program_.labels.push_back(name);
    return LabelId(static_cast<uint32_t>(program_.labels.size() - 1));
  }
  void note_writes();
  bool escapes(NodeId base) const;
  void take_params(const sema::TypedFunction& function);
  void take_results(const sema::TypedFunction& function);
  void flatten(const Value& value, std::vector<NodeId>& out) const;

  const source::SourceFile& file_;
  const types::TypeTable& types_;
  Program program_;
  std::vector<Block> open_ = std::vector<Block>(1);
  Frame* frame_ = nullptr;
  std::map<std::string, NodeId> known_;    ///< nodes of the statement at hand
  std::map<std::string, NodeId> forever_;  ///< constants, parameters, extents of parameters
  std::map<uint32_t, int64_t> constants_;  ///< by node
  size_t depth_ = 0;
};

}  // namespace jitc::array
