#include "src/array/variable_blocks.hpp"

#include <algorithm>

#include "src/array/host_eval.hpp"
#include "src/base/match.hpp"
#include "src/sema/operands.hpp"

namespace jitc::array {

namespace {

using sema::ExprId;
using sema::VarId;

bool is_leaf_of_host(const sema::Expr& e) {
  return std::holds_alternative<sema::ExtentExpr>(e.kind) || std::holds_alternative<sema::SizeExpr>(e.kind);
}

}  // namespace

bool is_host_expr(const sema::TypedFunction& fn, const types::TypeTable& types, ExprId id,
                  const std::vector<bool>& on_host) {
  const sema::Expr& e = fn.exprs[id];
  const types::Scalar* s = types.as_scalar(e.type);
  if (s == nullptr || is_complex(s->dtype)) return false;
  if (e.constant || is_leaf_of_host(e)) return true;
  if (const auto* var = std::get_if<sema::VarExpr>(&e.kind)) return on_host[var->var.index];
  bool all = is_host_operation(types, fn, e);
  if (all) sema::for_each_operand(e, [&](ExprId operand) { all = all && is_host_expr(fn, types, operand, on_host); });
  return all;
}

class VariableBlocksBuilder {
 public:
  VariableBlocksBuilder(const sema::TypedFunction& fn, const types::TypeTable& types) : fn_(fn), types_(types) {
    uses_.resize(fn.vars.size());
  }

  VariableBlocks run() {
    for (const VarId p : fn_.params) note_definition(p, 0);
    visit(fn_.body, 0);
    VariableBlocks out;
    out.needs_slot_.resize(fn_.vars.size());
    for (size_t v = 0; v < uses_.size(); ++v) out.needs_slot_[v] = needs_slot(uses_[v]);
    out.on_host_ = host_variables();
    return out;
  }

 private:
  struct Use {
    std::vector<uint32_t> definitions;  ///< blocks, once per assignment
    std::vector<uint32_t> reads;        ///< blocks
    bool is_let = false;                ///< of one expression, wherever that is evaluated
  };

  void note_definition(VarId var, uint32_t block) { uses_[var.index].definitions.push_back(block); }

  void read(ExprId id, uint32_t block) {
    if (!id.valid()) return;
    const sema::Expr& e = fn_.exprs[id];
    if (const auto* var = std::get_if<sema::VarExpr>(&e.kind)) uses_[var->var.index].reads.push_back(block);
    if (const auto* let = std::get_if<sema::LetExpr>(&e.kind)) {
      uses_[let->var.index].is_let = true;
      definitions_.push_back({let->var, let->value});
    }
    sema::for_each_operand(e, [&](ExprId operand) { read(operand, block); });
  }

  void assign(VarId var, ExprId value, uint32_t block) {
    read(value, block);
    note_definition(var, block);
    definitions_.push_back({var, value});
  }

  uint32_t new_block(uint32_t parent) {
    parents_.push_back(parent);
    return static_cast<uint32_t>(parents_.size() - 1);
  }

  void visit(const sema::Block& block, uint32_t number) {
    for (const sema::StmtId id : block) visit(fn_.stmts[id], number);
  }

  void visit(const sema::Stmt& stmt, uint32_t at) {
    base::match(
        stmt.kind, [&](const sema::AssignStmt& s) { assign(s.var, s.value, at); },
        [&](const sema::StoreStmt& s) {
          read(s.array, at), read(s.value, at);
          for (const ExprId i : s.indices) read(i, at);
        },
        [&](const sema::StoreViewStmt& s) { read(s.target, at), read(s.value, at); },
        [&](const sema::ExprStmt& s) { read(s.value, at); },
        [&](const sema::IfStmt& s) {
          read(s.cond, at);
          visit(s.body, new_block(at));
          visit(s.orelse, new_block(at));
        },
        [&](const sema::WhileStmt& s) {
          const uint32_t head = new_block(at);
          read(s.cond, head);
          visit(s.body, new_block(at));
          visit(s.orelse, new_block(at));
        },
        [&](const sema::ForStmt& s) {
          read(s.begin, at), read(s.end, at), read(s.step, at);
          const uint32_t body = new_block(at);
          note_definition(s.var, body);
          visit(s.body, body);
          visit(s.orelse, new_block(at));
        },
        [&](const sema::UnrolledStmt& s) {
          // Each copy of the body is behind the one before it, in a block of its own.
          for (int copy = 0; copy < 2; ++copy) {
            const uint32_t body = new_block(at);
            for (const sema::Block& binding : s.bindings) visit(binding, body);
            visit(s.body, body);
          }
          visit(s.orelse, new_block(at));
        },
        [](const sema::BreakStmt&) {}, [](const sema::ContinueStmt&) {},
        [&](const sema::ReturnStmt& s) { read(s.value, at); }, [&](const sema::FailStmt& s) { read(s.cond, at); });
  }

  bool is_inside(uint32_t block, uint32_t outer) const {
    while (block != outer && block != 0) block = parents_[block];
    return block == outer;
  }

  bool needs_slot(const Use& use) const {
    std::vector<uint32_t> blocks = use.definitions;
    blocks.insert(blocks.end(), use.reads.begin(), use.reads.end());
    if (blocks.empty() || use.is_let) return false;
    if (std::all_of(blocks.begin(), blocks.end(), [&](uint32_t b) { return b == blocks[0]; })) return false;
    if (use.definitions.size() != 1) return true;
    return !std::all_of(use.reads.begin(), use.reads.end(),
                        [&](uint32_t b) { return is_inside(b, use.definitions[0]); });
  }

  /// Scalars none of whose assignments needs a kernel: taken for granted until one is found that does.
  std::vector<bool> host_variables() const {
    std::vector<bool> out(fn_.vars.size());
    for (uint32_t v = 0; v < out.size(); ++v) {
      const types::Scalar* s = types_.as_scalar(fn_.vars[VarId(v)].type);
      out[v] = s != nullptr && !is_complex(s->dtype);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [var, value] : definitions_) {
        if (!out[var.index] || is_host_expr(fn_, types_, value, out)) continue;
        out[var.index] = false;
        changed = true;
      }
    }
    return out;
  }

  const sema::TypedFunction& fn_;
  const types::TypeTable& types_;
  std::vector<Use> uses_;
  std::vector<uint32_t> parents_{0};
  std::vector<std::pair<VarId, ExprId>> definitions_;
};

VariableBlocks::VariableBlocks(const sema::TypedFunction& fn, const types::TypeTable& types)
    : VariableBlocks(VariableBlocksBuilder(fn, types).run()) {}

}  // namespace jitc::array
