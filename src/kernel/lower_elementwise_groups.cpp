// Kernels of elements along one axis, of which a thread has several neighbours.
//
//   groups of 4      p = 4 * cuda.grid(1), counted from an aligned address; the first and last groups may be cut
//   streams          of a host: begin = 1024 * cuda.grid(1)
//                    for w in range(1024): out[begin + w] = f(a[begin + w], …)  # stores of vectors, past the caches
#include "src/kernel/elementwise_lowering.hpp"

namespace jitc::kernel {

// --- groups of neighbours, whose loads and stores join into wide ones

/// The ends of a call may not fill their groups: those are done element by element.
void ElementwiseLowering::groups() {
  const uint32_t first_param = b_.scalar_param("first", DType::i8);
  const ExprId first = b_.param(first_param), end = extent(0);
  const ExprId count = l_.number(form_.elems_per_thread);
  const ExprId begin = position(mul(b_.thread(ThreadValue::kGlobalIdx), count), "p");
  const ExprId group_end = add(begin, count);
  b_.if_then(less(begin, end), [&] {
    const ExprId whole =
        b_.binary(BinaryOp::kAnd, b_.compare(CompareOp::kLe, first, begin), b_.compare(CompareOp::kLe, group_end, end));
    b_.if_then_else(
        whole, [&] { whole_group(begin); },
        [&] { cut_group(b_.binary(BinaryOp::kMax, begin, first), b_.binary(BinaryOp::kMin, group_end, end)); });
  });
}

void ElementwiseLowering::whole_group(ExprId begin) {
  std::vector<std::vector<Value>> args(form_.elems_per_thread), values;
  for (auto& param : params_) {
    const auto* operand = std::get_if<Operand>(&param);
    for (uint32_t k = 0; k < form_.elems_per_thread; ++k) {
      args[k].push_back(operand == nullptr ? std::get<Value>(param)
                                           : l_.pin(value_at(*operand, at_index(*operand, behind(begin, k)))));
    }
  }
  for (uint32_t k = 0; k < form_.elems_per_thread; ++k) values.push_back(compute(args[k], k));
  for (size_t i = 0; i < results_.size(); ++i) {
    for (uint32_t k = 0; k < form_.elems_per_thread; ++k) {
      l_.store(at_index(results_[i], behind(begin, k)), values[k][i]);
    }
  }
}

void ElementwiseLowering::cut_group(ExprId begin, ExprId end) {
  const LocalId index = b_.add_local("q", scalar(DType::i8));
  b_.assign(index, begin);
  b_.loop(
      b_.add_label("cut"), [&] { return less(b_.local(index), end); },
      [&] { element([&](const Operand& operand) { return at_index(operand, b_.local(index)); }); },
      [&] { b_.assign(index, add(b_.local(index), l_.number(1))); });
}

// --- streams

void ElementwiseLowering::streams() {
  const ExprId all = l_.number(kStreamElems);
  const ExprId begin = position(mul(b_.thread(ThreadValue::kGlobalIdx), all), "begin");
  const ExprId rest = pin(sub(extent(0), begin));
  const auto elements = [&](ExprId count) {
    lane_loop("w", count, [&](ExprId w) {
      element([&](const Operand& operand) {
        MemRef ref = at_index(operand, begin);
        const MemRef beside = at_index(operand, w);
        ref.terms.insert(ref.terms.end(), beside.terms.begin(), beside.terms.end());
        return ref;
      });
    });
  };
  b_.if_then(less(l_.number(0), rest), [&] {
    b_.if_then_else(
        less(rest, all), [&] { elements(rest); }, [&] { elements(all); });
  });
}

// --- how many a thread has

namespace {

/// Of a function and what it calls; one more than `limit` where there are more, or loops, or memory of its own, which
/// copies would only make larger.
size_t count_nodes(const sema::TypedFunction& function, size_t limit) {
  size_t count = function.exprs.size();
  for (const sema::Stmt& stmt : function.stmts) {
    if (std::holds_alternative<sema::WhileStmt>(stmt.kind) || std::holds_alternative<sema::ForStmt>(stmt.kind)) {
      return limit + 1;
    }
  }
  for (const sema::Expr& e : function.exprs) {
    if (std::holds_alternative<sema::MemoryExpr>(e.kind)) return limit + 1;
    if (const auto* call = std::get_if<sema::CallExpr>(&e.kind)) count += count_nodes(*call->function, limit);
    if (count > limit) return limit + 1;
  }
  return count;
}

}  // namespace

uint8_t elems_in_group(const types::TypeTable& types, const sema::TypedFunction& function) {
  // Nodes of a body above which the loads and stores are a small part of the work.
  constexpr size_t kMaxNodesInGroups = 150;
  constexpr size_t kGroupBytes = 16;  // the widest access of a thread
  size_t widest = 1;
  for (const sema::VarId var : function.params) {
    widest = std::max<size_t>(widest, size_bytes(types.as_scalar(function.vars[var].type)->dtype));
  }
  for (const DType dtype : result_dtypes(types, function)) widest = std::max<size_t>(widest, size_bytes(dtype));
  constexpr size_t kMaxCopies = 8;
  const size_t count = std::min(kGroupBytes / widest, kMaxCopies);
  return count_nodes(function, kMaxNodesInGroups) * count > kMaxNodesInGroups ? 1 : static_cast<uint8_t>(count);
}

}  // namespace jitc::kernel
