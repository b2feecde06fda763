// Branches and loops. Those in which threads stay together keep the flow; the others lower it.
#include "tests/unit/block_programs/block_program_maker.hpp"

namespace jitc::blocks {

using namespace kernel;

/// `fill` makes what runs at this flow.
void BlockProgramMaker::at(Flow flow, const Fill& fill) {
  const Flow outer = flow_;
  flow_ = flow;
  fill();
  flow_ = outer;
}

/// for (counter = 0; head, counter < bound; ++counter) body
void BlockProgramMaker::count_loop(LabelId label, LocalId counter, ExprId bound, const Fill& head, const Fill& body) {
  b_.assign(counter, number(0));
  b_.loop(
      label,
      [&] {
        head();
        return b_.compare(CompareOp::kLt, b_.local(counter), bound);
      },
      body, [&] { b_.assign(counter, add(b_.local(counter), number(1))); });
}

/// Threads that are together take one branch together. Those of other warps or blocks may take the other one meanwhile.
void BlockProgramMaker::uniform_if() {
  Flow flow = flow_;
  if (flow == Flow::kGrid && chance_.once_in(2)) flow = Flow::kBlock;
  if (flow == Flow::kBlock && chance_.once_in(3)) flow = Flow::kWarp;
  const ExprId cond = uniform_condition(flow);
  const ArrayStates before = states_;
  ArrayStates after_then;
  const auto branch = [&] { at(flow, [&] { stmts(static_cast<int>(chance_.between(1, 4))); }); };
  b_.if_then_else(
      cond,
      [&] {
        branch();
        after_then = states_;
        for_each_together(flow, [&](size_t array) { states_[array] = before[array]; });
      },
      [&] {
        if (chance_.once_in(2)) branch();
      });
  for_each_together(flow, [&](size_t array) { states_[array] = merge(after_then[array], states_[array]); });
}

/// The arrays whose users are all together at this flow.
void BlockProgramMaker::for_each_together(Flow flow, const std::function<void(size_t)>& visit) {
  for (size_t array = 0; array < arrays_.size(); ++array) {
    if (flow <= (arrays_[array].of_grid ? Flow::kGrid : Flow::kBlock)) visit(array);
  }
}

/// Barriers inside: the arrays are not used before the first one, nor behind the loop before the next.
void BlockProgramMaker::uniform_loop() {
  const LabelId label = b_.add_label("together");
  const LocalId counter = fresh("i", DType::i8), bound = fresh("bound", DType::i8);
  Flow flow = flow_;
  if (flow == Flow::kGrid && chance_.once_in(2)) flow = Flow::kBlock;
  b_.assign(bound, below(uniform(flow, 1), 4));
  block_all();
  at(flow, [&] {
    open_.push_back({label, flow, true});
    const auto head = [&] {
      if (chance_.once_in(4)) block_reduction();
    };
    const auto body = [&] {
      stmts(static_cast<int>(chance_.between(1, 3)));
      if (chance_.once_in(2)) barrier();
      stmts(static_cast<int>(chance_.between(1, 3)));
    };
    count_loop(label, counter, b_.local(bound), head, body);
    open_.pop_back();
  });
  block_all();
}

void BlockProgramMaker::uniform_scope() {
  const LabelId label = b_.add_label("scope");
  b_.scope(label, [&] {
    open_.push_back({label, flow_, false});
    stmts(static_cast<int>(chance_.between(2, 4)));
    open_.pop_back();
  });
  block_all();
}

/// The lanes of each branch are known where those that come here are.
void BlockProgramMaker::thread_if() {
  const ExprId cond = condition();
  const bool outer_known = mask_known_;
  const LocalId outer_mask = mask_;
  const bool keeps_mask = mask_known_ && chance_.once_in(2);
  const LocalId lanes = fresh("lanes", DType::u4), others = fresh("others", DType::u4), taken = fresh("c", DType::b1);
  b_.assign(taken, cond);
  if (keeps_mask) {
    b_.warp(WarpOp::kBallot, mask(), b_.local(taken), {}, lanes);
    b_.assign(others, op(BinaryOp::kAnd, mask(), b_.unary(UnaryOp::kInvert, b_.local(lanes))));
  }
  const auto branch = [&](LocalId branch_mask) {
    mask_known_ = keeps_mask;
    mask_ = branch_mask;
    at(Flow::kThread, [&] { stmts(static_cast<int>(chance_.between(1, 3))); });
  };
  if (chance_.once_in(2)) {
    b_.if_then(b_.local(taken), [&] { branch(lanes); });
  } else {
    b_.if_then_else(
        b_.local(taken), [&] { branch(lanes); }, [&] { branch(others); });
  }
  mask_known_ = outer_known && !lost_lanes_;
  mask_ = outer_mask;
}

/// Each thread has its own count; some leave early.
void BlockProgramMaker::thread_loop() {
  const LabelId label = b_.add_label("apart");
  const LocalId counter = fresh("i", DType::i8), bound = fresh("bound", DType::i8);
  b_.assign(bound, below(value(1), 4));
  inside_label({label, Flow::kThread, true}, [&] {
    mask_known_ = false;
    count_loop(
        label, counter, b_.local(bound), [] {}, [&] { stmts(static_cast<int>(chance_.between(1, 3))); });
  });
}

void BlockProgramMaker::thread_scope() {
  const LabelId label = b_.add_label("scope");
  inside_label({label, Flow::kThread, false},
               [&] { b_.scope(label, [&] { stmts(static_cast<int>(chance_.between(2, 3))); }); });
}

/// Behind the label all the lanes are together again that came to it.
void BlockProgramMaker::inside_label(OpenLabel label, const Fill& fill) {
  const bool known = mask_known_, lost = lost_lanes_;
  const Flow outer = flow_;
  const std::vector<OpenLabel> outer_labels = std::exchange(open_, {label});
  lost_lanes_ = false;
  flow_ = Flow::kThread;
  fill();
  open_ = outer_labels;
  flow_ = outer;
  lost_lanes_ = lost;
  mask_known_ = known;
}

/// Like thread_loop, but a ballot in the head says which lanes are still in it.
void BlockProgramMaker::masked_loop() {
  const LabelId label = b_.add_label("masked");
  const LocalId counter = fresh("i", DType::i8), bound = fresh("bound", DType::i8), lanes = fresh("lanes", DType::u4);
  b_.assign(bound, below(value(1), 4));
  b_.assign(lanes, mask());
  const LocalId outer_mask = std::exchange(mask_, lanes);
  const auto head = [&] {
    const ExprId stays = b_.compare(CompareOp::kLt, b_.local(counter), b_.local(bound));
    b_.warp(WarpOp::kBallot, b_.local(lanes), stays, {}, lanes);
  };
  const std::vector<OpenLabel> outer_labels = std::exchange(open_, {});
  at(Flow::kThread, [&] {
    count_loop(label, counter, b_.local(bound), head, [&] { stmts(static_cast<int>(chance_.between(1, 3))); });
  });
  open_ = outer_labels;
  mask_ = outer_mask;
}

/// if cond: exit or continue. All that are together go, or one by one where threads are apart.
void BlockProgramMaker::leave() {
  const OpenLabel target = chance_.pick(open_);
  if (target.flow != flow_) return assign_local();
  const bool apart = flow_ == Flow::kThread;
  const ExprId cond = apart ? condition() : uniform_condition(flow_);
  b_.if_then(cond, [&] {
    if (chance_.once_in(2)) assign_local();
    if (target.is_loop && chance_.once_in(2)) {
      b_.continue_loop(target.label);
    } else {
      b_.exit(target.label);
    }
  });
  if (apart) {
    lost_lanes_ = true;
    mask_known_ = false;
  }
}

/// Of single threads, or of all that are together.
void BlockProgramMaker::early_return() {
  may_return_ = chance_.once_in(2);
  const bool together = flow_ <= Flow::kWarp && chance_.once_in(4);
  const ExprId cond = together ? uniform_condition(flow_) : b_.compare(CompareOp::kEq, below(value(1), 7), number(3));
  b_.if_then(cond, [&] {
    if (chance_.once_in(2)) store_out();
    b_.return_thread();
  });
}

}  // namespace jitc::blocks
