// Statements and control flow.
#include "src/base/match.hpp"
#include "src/kernel/lowerer.hpp"

namespace jitc::kernel {

void Lowerer::lower_block(const sema::Block& block) {
  for (sema::StmtId id : block) lower_stmt(frame_->fn->stmts[id]);
}

void Lowerer::lower_stmt(const sema::Stmt& s) {
  b_.at(s.span);
  check_size();
  base::match(
      s.kind, [&](const sema::AssignStmt& x) { lower_assign(x); },
      [&](const sema::StoreStmt& x) { lower_store(x, s.span); },
      [](const sema::StoreViewStmt&) { JITC_CHECK(false, "a store of a whole view inside a kernel"); },
      [&](const sema::ExprStmt& x) { lower_unused(x.value); }, [&](const sema::IfStmt& x) { lower_if(x); },
      [&](const sema::WhileStmt& x) { lower_while(x); }, [&](const sema::ForStmt& x) { lower_for(x); },
      [&](const sema::UnrolledStmt& x) { lower_unrolled(x); },
      [&](const sema::BreakStmt&) { b_.exit(frame_->loops.back().break_to); },
      [&](const sema::ContinueStmt&) {
        const LoopLabels& loop = frame_->loops.back();
        if (loop.continue_exits) {
          b_.exit(loop.continue_to);
        } else {
          b_.continue_loop(loop.continue_to);
        }
      },
      [&](const sema::ReturnStmt& x) { lower_return(x); }, [&](const sema::FailStmt& x) { lower_fail(x, s.span); });
}

/// A variable that is one array of the kernel's own, and nothing else, is that array: no locals hold it.
void Lowerer::lower_assign(const sema::AssignStmt& s) {
  const auto* memory = std::get_if<sema::MemoryExpr>(&node(s.value).kind);
  if (memory == nullptr) return write(slot(s.var), lower(s.value));
  const std::string& name = frame_->fn->vars[s.var].name;
  const auto found = frame_->slots.find(s.var.index);
  const bool used_before = found != frame_->slots.end() && !found->second.fixed;
  const Value value = lower_memory(*memory, name);
  if (used_before || assignments(*frame_->fn, s.var) != 1) return write(slot(s.var), value);
  Slot own;
  own.name = name;
  own.fixed = value;
  frame_->slots.insert_or_assign(s.var.index, std::move(own));
}

/// Python evaluates the value before the target.
void Lowerer::lower_store(const sema::StoreStmt& s, source::Span span) {
  Value value = lower(s.value);
  if (has_effect(s.array) || has_effect(s.indices)) value = pin(value);
  const ArrayValue array = lower_array_before(s.array, s.indices);
  note_access(array, true);
  MemRef ref = element(array, s.indices, span);
  store(std::move(ref), value);
}

void Lowerer::lower_if(const sema::IfStmt& s) {
  const ExprId cond = lower_scalar(s.cond);
  b_.if_then_else(
      cond, [&] { lower_block(s.body); }, [&] { lower_block(s.orelse); });
}

template <class EmitLoop>
void Lowerer::with_else(LabelId loop_label, const sema::Block& orelse, const EmitLoop& emit_loop) {
  if (orelse.empty()) {
    frame_->loops.push_back({loop_label, loop_label, false});
    emit_loop();
    frame_->loops.pop_back();
    return;
  }
  const LabelId whole = b_.add_label("else");
  b_.scope(whole, [&] {
    frame_->loops.push_back({whole, loop_label, false});
    emit_loop();
    frame_->loops.pop_back();
    lower_block(orelse);
  });
}

void Lowerer::lower_while(const sema::WhileStmt& s) {
  const LabelId label = b_.add_label("while");
  with_else(label, s.orelse, [&] {
    b_.loop(
        label, [&] { return lower_scalar(s.cond); }, [&] { lower_block(s.body); }, [] {});
  });
}

/// for counter in range(begin, end, step). Unit steps count with the counter itself, and so do strides of the launch
/// that cannot overflow, which would cost a division; others with a trip count, so that no counter can overflow:
/// trips = (|distance| - 1) // |step| + 1 where the range is not empty.
void Lowerer::lower_for(const sema::ForStmt& s) {
  const LabelId label = b_.add_label("for");
  const ExprId begin = pin(lower_scalar(s.begin)), end = pin(lower_scalar(s.end)), step = pin(lower_scalar(s.step));
  Slot& variable = slot(s.var);
  const LocalId counter = variable.local;
  b_.assign(counter, begin);
  const auto constant_step = frame_->fn->exprs[s.step].constant;
  if (checked() && !constant_step && !std::holds_alternative<ThreadIndex>(b_.program().exprs[step].kind)) {
    const uint32_t site = fail_site(FailKind::raise, "range() with a step of 0", b_.span(), 0);
    b_.if_then(b_.compare(CompareOp::kEq, step, number(0)), [&] { b_.fail(site); });
  }
  const bool stride = !constant_step && bounds(*frame_->fn).sum_fits(s.end, s.step);
  const bool unit = constant_step && (constant_step->as_int() == 1 || constant_step->as_int() == -1);
  const auto advance = [&] { b_.assign(counter, b_.binary(BinaryOp::kAdd, b_.local(counter), step)); };
  if (unit) {
    const CompareOp goes_on = constant_step->as_int() == 1 ? CompareOp::kLt : CompareOp::kGt;
    with_else(label, s.orelse, [&] {
      b_.loop(
          label, [&] { return b_.compare(goes_on, b_.local(counter), end); }, [&] { lower_block(s.body); }, advance);
    });
    return;
  }
  const ExprId up = b_.compare(CompareOp::kGt, step, number(0));
  if (stride) {
    const auto goes_on = [&] {
      return b_.binary(BinaryOp::kAnd, up, b_.compare(CompareOp::kLt, b_.local(counter), end));
    };
    with_else(label, s.orelse, [&] {
      b_.loop(
          label, goes_on, [&] { lower_block(s.body); }, advance);
    });
    return;
  }
  const ExprId down = b_.compare(CompareOp::kLt, step, number(0));
  const ExprId nonempty =
      b_.binary(BinaryOp::kOr, b_.binary(BinaryOp::kAnd, up, b_.compare(CompareOp::kLt, begin, end)),
                b_.binary(BinaryOp::kAnd, down, b_.compare(CompareOp::kGt, begin, end)));
  const ExprId distance = b_.select(up, b_.binary(BinaryOp::kSub, end, begin), b_.binary(BinaryOp::kSub, begin, end));
  const auto u8 = [&](int64_t v) { return b_.constant(DType::u8, v); };
  const ExprId size = b_.convert(DType::u8, b_.unary(UnaryOp::kAbs, step));
  const ExprId whole_steps =
      b_.binary(BinaryOp::kFloorDiv, b_.binary(BinaryOp::kSub, b_.convert(DType::u8, distance), u8(1)), size);
  const ExprId trips = pin(b_.select(nonempty, b_.binary(BinaryOp::kAdd, whole_steps, u8(1)), u8(0)));
  const LocalId trip = b_.add_local("trip", scalar(DType::u8));
  b_.assign(trip, u8(0));
  with_else(label, s.orelse, [&] {
    b_.loop(
        label, [&] { return b_.compare(CompareOp::kLt, b_.local(trip), trips); }, [&] { lower_block(s.body); },
        [&] {
          advance();
          b_.assign(trip, b_.binary(BinaryOp::kAdd, b_.local(trip), u8(1)));
        });
  });
}

/// One copy of the body per item; continue leaves its copy, break leaves them all.
void Lowerer::lower_unrolled(const sema::UnrolledStmt& s) {
  const LabelId whole = b_.add_label("tuple");
  b_.scope(whole, [&] {
    for (const sema::Block& binding : s.bindings) {
      const LabelId item = b_.add_label("item");
      b_.scope(item, [&] {
        frame_->loops.push_back({whole, item, true});
        lower_block(binding);
        lower_block(s.body);
        frame_->loops.pop_back();
      });
    }
    lower_block(s.orelse);
  });
}

void Lowerer::lower_return(const sema::ReturnStmt& s) {
  if (!frame_->return_to.valid()) {
    b_.return_thread();
    return;
  }
  if (s.value.valid() && frame_->result) write(*frame_->result, lower(s.value));
  b_.exit(frame_->return_to);
}

/// assert and raise: a checked kernel reports, any other just ends the thread, as in Numba.
void Lowerer::lower_fail(const sema::FailStmt& s, source::Span span) {
  const auto stop = [&] {
    if (checked()) {
      b_.fail(fail_site(s.kind, s.message, span, 0));
    } else {
      b_.return_thread();
    }
  };
  if (!s.cond.valid()) return stop();
  b_.if_then(lower_scalar(s.cond), stop);
}

uint32_t Lowerer::fail_site(FailKind kind, const std::string& subject, source::Span span, uint32_t axis) {
  const source::LineColumn at = file_.position(span.begin);
  return b_.add_fail_site({kind, subject, at.line, at.column, axis});
}

}  // namespace jitc::kernel
