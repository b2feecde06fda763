#include "src/codegen/thread_order.hpp"

#include "src/base/match.hpp"
#include "src/codegen/variation.hpp"
#include "src/kernel/operands.hpp"

namespace jitc::codegen {

using namespace kernel;

namespace {

/// Visits the accesses in the thread's order and looks for a store with a later access, one of the two strided.
class OrderCheck {
 public:
  explicit OrderCheck(const KernelProgram& program) : program_(program), locals_(variation_of_locals(program)) {}

  bool is_safe(const Block& body) {
    visit(body);
    return safe_;
  }

 private:
  void visit(const Block& block) {
    for (const StmtId id : block) visit(program_.stmts[id]);
  }

  void visit(const Stmt& stmt) {
    base::match(
        stmt.kind,  //
        [&](const Assign& s) { visit_loads(s.value); },
        [&](const Store& s) {
          visit_loads(s.value);
          visit_loads(s.ref.base);
          for (const AddressTerm& term : s.ref.terms) visit_loads(term.index), visit_loads(term.stride_bytes);
          visit_access(s.ref);
          note_store(s.ref);
        },
        [&](const If& s) {
          visit_loads(s.cond);
          visit(s.then_block);
          visit(s.else_block);
        },
        [&](const Loop& s) {
          // The stores of one iteration come before the accesses of the next.
          for (const Block* block : {&s.head, &s.body, &s.step}) note_stores(*block);
          visit(s.head);
          visit_loads(s.cond);
          visit(s.body);
          visit(s.step);
        },
        [&](const Scope& s) { visit(s.body); },  //
        [](const Exit&) {}, [](const Continue&) {}, [](const Return&) {},
        [&](const Fail& s) {
          for (const ExprId value : s.values) visit_loads(value);
        },
        [&](const auto&) { safe_ = false; });
  }

  void visit_loads(ExprId root) {
    holds_for_all(program_, root, [&](const Expr& expr) {
      if (const auto* load = std::get_if<Load>(&expr.kind)) visit_access(load->ref);
      return true;
    });
  }

  void visit_access(const MemRef& ref) {
    if (after_strided_store_ || (after_store_ && may_be_strided(ref))) safe_ = false;
  }
  void note_store(const MemRef& ref) { (may_be_strided(ref) ? after_strided_store_ : after_store_) = true; }

  void note_stores(const Block& block) {
    for (const StmtId id : block) {
      base::match(
          program_.stmts[id].kind,  //
          [&](const Store& s) { note_store(s.ref); },
          [&](const If& s) { note_stores(s.then_block), note_stores(s.else_block); },
          [&](const Loop& s) { note_stores(s.head), note_stores(s.body), note_stores(s.step); },
          [&](const Scope& s) { note_stores(s.body); },  //
          [](const auto&) {});
    }
  }

  /// False for neighbours along the row, one place for the row, and steps that only a launch knows: these are not
  /// joined into groups.
  bool may_be_strided(const MemRef& ref) const {
    if (variation(ref.base) != Variation::kRow) return true;
    const DType elem = program_.exprs[ref.base].type.dtype;
    for (const AddressTerm& term : ref.terms) {
      if (variation(term.index) == Variation::kRow && variation(term.stride_bytes) == Variation::kRow) continue;
      const bool is_index = variation(term.index) != Variation::kOther;
      if (!is_index || !is_neighbour_or_unknown(term.stride_bytes, elem)) return true;
    }
    return false;
  }

  bool is_neighbour_or_unknown(ExprId stride_bytes, DType elem) const {
    const auto size = static_cast<int64_t>(size_bytes(elem));
    const Expr& expr = program_.exprs[stride_bytes];
    if (const auto* constant = std::get_if<Const>(&expr.kind)) {
      const auto stride = static_cast<int64_t>(constant->bits);
      return stride == size || stride == -size;
    }
    return std::holds_alternative<ParamRef>(expr.kind);
  }

  Variation variation(ExprId id) const { return variation_of(program_, id, locals_); }

  const KernelProgram& program_;
  const std::vector<Variation> locals_;
  bool after_store_ = false;          ///< of neighbours
  bool after_strided_store_ = false;  ///< or one that may be
  bool safe_ = true;
};

}  // namespace

bool is_order_safe_in_parallel_rows(const KernelProgram& program, const Block& body) {
  return OrderCheck(program).is_safe(body);
}

}  // namespace jitc::codegen
