#include "src/kernel/index_bounds.hpp"

#include <algorithm>
#include <bit>

#include "src/base/match.hpp"
#include "src/types/promotion.hpp"

namespace jitc::kernel {

namespace {

/// Rounds after which a variable that still grows is given up (a running sum grows for ever).
constexpr int kFreeRounds = 4;
constexpr int kMaxRounds = 64;

// Limits of CUDA's launches: block ≤ 2^10, grid ≤ 2^31 (CUDA C++ Programming Guide, "Technical Specifications").
constexpr int kBlockBits = 10;

int thread_bits(ThreadValue value) {
  switch (value) {
    case ThreadValue::kThreadIdx:
    case ThreadValue::kBlockDim: return kBlockBits;
    case ThreadValue::kBlockIdx:
    case ThreadValue::kGridDim: return 31;
    case ThreadValue::kGlobalIdx:
    case ThreadValue::kGlobalDim: return 41;
    case ThreadValue::kLaneId:
    case ThreadValue::kWarpSize: return 5;
    case ThreadValue::kDynamicSharedBytes: return 31;
  }
  return 62;
}

/// popc, clz and ffs give at most 64.
bool counts_bits(UnaryOp op) {
  return op == UnaryOp::kPopCount || op == UnaryOp::kLeadingZeros || op == UnaryOp::kFindFirstSet;
}
constexpr int kBitCountBits = 6;

constexpr int kExtentBits = 48;  // more elements than any address space can hold

}  // namespace

IndexBounds::IndexBounds(const sema::TypedFunction& function, const types::TypeTable& types)
    : fn_(function), types_(types), vars_(function.vars.size(), kUnset) {
  for (sema::VarId p : function.params) {
    const types::Scalar* s = types.as_scalar(function.vars[p].type);
    vars_[p.index] =
        s && is_unsigned_int(s->dtype) && size_bytes(s->dtype) < 8 ? static_cast<int>(size_bits(s->dtype)) : kUnknown;
  }
  for (const sema::Stmt& s : function.stmts) {
    if (const auto* loop = std::get_if<sema::WhileStmt>(&s.kind)) find_advances(*loop);
  }
  for (int round = 0; round < kMaxRounds; ++round) {
    const std::vector<int> before = vars_;
    if (!update()) return;
    if (round < kFreeRounds) continue;
    for (size_t i = 0; i < vars_.size(); ++i) {
      if (vars_[i] != before[i]) vars_[i] = kUnknown;
    }
  }
  std::fill(vars_.begin(), vars_.end(), kUnknown);
}

int IndexBounds::join(int a, int b) {
  if (a == kUnset) return b;
  if (b == kUnset) return a;
  return a == kUnknown || b == kUnknown ? kUnknown : std::max(a, b);
}

void IndexBounds::record(sema::VarId var, int bits) { next_[var.index] = join(next_[var.index], bits); }

/// One round: every variable becomes the join of its assignments under the current facts.
bool IndexBounds::update() {
  next_.assign(vars_.size(), kUnset);
  for (sema::VarId p : fn_.params) next_[p.index] = vars_[p.index];
  for (uint32_t i = 0; i < fn_.stmts.size(); ++i) {
    const sema::Stmt& s = fn_.stmts[sema::StmtId(i)];
    if (const auto* a = std::get_if<sema::AssignStmt>(&s.kind)) record(a->var, assigned_bits(sema::StmtId(i), *a));
    if (const auto* f = std::get_if<sema::ForStmt>(&s.kind)) record(f->var, counter_bits(*f));
  }
  for (const sema::Expr& e : fn_.exprs) {
    if (const auto* l = std::get_if<sema::LetExpr>(&e.kind)) record(l->var, bits(l->value));
  }
  // A fact once lost stays lost, which ends the iteration.
  for (size_t i = 0; i < next_.size(); ++i) {
    if (vars_[i] != kUnset) next_[i] = join(vars_[i], next_[i]);
  }
  const bool changed = next_ != vars_;
  vars_ = next_;
  return changed;
}

/// `i += stride` guarded by `while i < n` adds to a value below n, however often it runs.
int IndexBounds::assigned_bits(sema::StmtId id, const sema::AssignStmt& s) const {
  const auto limit = advance_limits_.find(id.index);
  const auto* sum = std::get_if<sema::BinaryExpr>(&fn_.exprs[s.value].kind);
  if (limit == advance_limits_.end() || sum == nullptr || sum->op != BinaryOp::kAdd) return bits(s.value);
  const auto* v = std::get_if<sema::VarExpr>(&fn_.exprs[sum->lhs].kind);
  if (v == nullptr || v->var != s.var) return bits(s.value);
  const int start = bits(sum->lhs), bound = bits(limit->second), stride = bits(sum->rhs);
  if (start == kUnset || bound == kUnset || stride == kUnset) return kUnset;
  const bool known = start >= 0 && bound >= 0 && stride >= 0 && std::max(bound, stride) < kMost;
  return known ? std::max(bound, stride) + 1 : kUnknown;
}

/// Finds, for `while v < bound and …`, the only assignment to v in the body, if it runs at most once per test.
void IndexBounds::find_advances(const sema::WhileStmt& loop) {
  std::vector<sema::ExprId> tests{loop.cond};
  if (const auto* all = std::get_if<sema::LogicExpr>(&fn_.exprs[loop.cond].kind); all && all->is_and)
    tests = all->operands;
  for (sema::ExprId test : tests) {
    const auto* c = std::get_if<sema::CompareExpr>(&fn_.exprs[test].kind);
    if (c == nullptr || (c->op != CompareOp::kLt && c->op != CompareOp::kLe)) continue;
    const auto* v = std::get_if<sema::VarExpr>(&fn_.exprs[c->lhs].kind);
    if (v == nullptr) continue;
    Assignments found;
    collect_assignments(loop.body, v->var, false, found);
    if (found.count == 1 && !found.in_loop) advance_limits_[found.last.index] = c->rhs;
  }
}

void IndexBounds::collect_assignments(const sema::Block& block, sema::VarId var, bool in_loop, Assignments& out) const {
  for (sema::StmtId id : block) {
    base::match(
        fn_.stmts[id].kind,
        [&](const sema::AssignStmt& a) {
          if (a.var != var) return;
          ++out.count;
          out.last = id;
          out.in_loop = out.in_loop || in_loop;
        },
        [&](const sema::IfStmt& s) {
          collect_assignments(s.body, var, in_loop, out);
          collect_assignments(s.orelse, var, in_loop, out);
        },
        [&](const sema::WhileStmt& s) {
          collect_assignments(s.body, var, true, out);
          collect_assignments(s.orelse, var, in_loop, out);
        },
        [&](const sema::ForStmt& s) {
          collect_assignments(s.body, var, true, out);
          collect_assignments(s.orelse, var, in_loop, out);
        },
        [&](const sema::UnrolledStmt& s) {
          for (const sema::Block& b : s.bindings) collect_assignments(b, var, true, out);
          collect_assignments(s.body, var, true, out);
          collect_assignments(s.orelse, var, in_loop, out);
        },
        [](const auto&) {});
  }
}

int IndexBounds::counter_bits(const sema::ForStmt& s) const {
  const int begin = bits(s.begin), end = bits(s.end);
  if (begin == kUnset || end == kUnset || bits(s.step) == kUnset) return kUnset;
  const auto step = fn_.exprs[s.step].constant;
  if (!step) {  // a stride that cannot be negative counts up, below the end
    return begin >= 0 && end >= 0 && bits(s.step) >= 0 ? std::max(begin, end) : kUnknown;
  }
  const auto end_constant = fn_.exprs[s.end].constant;
  if (step->as_int() > 0) {
    if (begin == kUnknown) return kUnknown;
    if (end >= 0) return std::max(begin, end);
    return step->as_int() == 1 ? kMost : kUnknown;  // no loop runs 2^62 times
  }
  const bool stays = end >= 0 || (end_constant && end_constant->as_int() >= -1);
  if (!stays) return kUnknown;
  // The body only runs above `end`, even where `begin` is n - 1 with n = 0.
  return begin >= 0 ? begin : step->as_int() == -1 ? kMost : kUnknown;
}

/// n + c - d with constants c >= d >= 0: the number of tiles that cover n is written (n + TILE - 1) // TILE.
bool IndexBounds::takes_back_less(const sema::BinaryExpr& e) const {
  const auto* sum = std::get_if<sema::BinaryExpr>(&fn_.exprs[e.lhs].kind);
  if (sum == nullptr || sum->op != BinaryOp::kAdd || bits(sum->lhs) < 0) return false;
  const auto added = fn_.exprs[sum->rhs].constant, taken = fn_.exprs[e.rhs].constant;
  return added && taken && bits(sum->rhs) >= 0 && bits(e.rhs) >= 0 && added->as_int() >= taken->as_int();
}

int IndexBounds::binary_bits(const sema::BinaryExpr& e) const {
  const int a = bits(e.lhs), b = bits(e.rhs);
  const auto limited = [](int n) { return n <= kMost ? n : kUnknown; };
  const bool both = a != kUnknown && b != kUnknown;
  if (a == kUnset || b == kUnset) return kUnset;
  switch (e.op) {
    case BinaryOp::kAdd: return both ? limited(std::max(a, b) + 1) : kUnknown;
    case BinaryOp::kSub: return takes_back_less(e) ? a : kUnknown;
    case BinaryOp::kMul: return both ? limited(a + b) : kUnknown;
    case BinaryOp::kFloorDiv:
    case BinaryOp::kShr: return both ? a : kUnknown;
    case BinaryOp::kMod: return both ? b : kUnknown;
    case BinaryOp::kAnd: return a == kUnknown ? b : b == kUnknown ? a : std::min(a, b);
    case BinaryOp::kMin: return both ? std::min(a, b) : kUnknown;
    case BinaryOp::kMax: return both ? std::max(a, b) : kUnknown;
    case BinaryOp::kOr:
    case BinaryOp::kXor: return both ? limited(std::max(a, b) + 1) : kUnknown;
    case BinaryOp::kShl: {
      const auto count = fn_.exprs[e.rhs].constant;
      return a != kUnknown && count && count->as_int() <= kMost ? limited(a + static_cast<int>(count->as_int()))
                                                                : kUnknown;
    }
    default: return kUnknown;
  }
}

int IndexBounds::bits(sema::ExprId id) const {
  const sema::Expr& e = fn_.exprs[id];
  const types::Scalar* type = types_.as_scalar(e.type);
  if (type == nullptr || types::is_inexact(type->dtype)) return kUnknown;
  if (e.constant) {
    if (e.constant->is_float() || e.constant->as_int() < 0 || e.constant->as_int() > (base::Int128{1} << kMost))
      return kUnknown;
    return static_cast<int>(std::bit_width(static_cast<uint64_t>(e.constant->as_int())));
  }
  const int own = base::match(
      e.kind, [&](const sema::VarExpr& v) { return vars_[v.var.index]; },
      [&](const sema::BinaryExpr& b) { return binary_bits(b); },
      [&](const sema::TernaryExpr& t) { return join(bits(t.then_value), bits(t.else_value)); },
      [&](const sema::SelectExpr& t) { return join(bits(t.then_value), bits(t.else_value)); },
      [&](const sema::ConvertExpr& c) {
        const types::Scalar* from = types_.as_scalar(fn_.exprs[c.operand].type);
        if (from == nullptr || is_float(from->dtype)) return kUnknown;
        const int inner = from->dtype == DType::b1 ? 1 : bits(c.operand);
        return inner < static_cast<int>(size_bits(type->dtype)) - 1 ? inner : kUnknown;
      },
      [](const sema::ThreadExpr& t) { return thread_bits(t.value); },
      [](const sema::BarrierExpr&) { return kBlockBits; },
      [](const sema::UnaryExpr& u) { return counts_bits(u.op) ? kBitCountBits : kUnknown; },
      [](const sema::ExtentExpr&) { return kExtentBits; }, [](const sema::SizeExpr&) { return kExtentBits; },
      [&](const sema::LetExpr& l) { return bits(l.body); }, [](const auto&) { return kUnknown; });
  // A narrow result may have wrapped.
  const int width = static_cast<int>(size_bits(type->dtype));
  if (is_unsigned_int(type->dtype)) return width < kMost ? (own >= 0 ? std::min(own, width) : width) : own;
  return own < width - 1 ? own : kUnknown;
}

}  // namespace jitc::kernel
