// The statements. A thread's place is a stack of frames, so that it can stop at any statement and go on later.
#include "tests/support/thread_runner.hpp"

#include <fmt/format.h>
#include <fmt/printf.h>

#include <cmath>

#include "src/base/match.hpp"
#include "tests/support/scalar_bits.hpp"
#include "tests/support/scalar_ops.hpp"
#include "tests/support/shared_ops.hpp"

namespace jitc::reference {

using namespace jitc::kernel;

ThreadState::ThreadState(const KernelProgram& program, std::array<uint32_t, 3> at)
    : idx(at), locals(program.locals.size()), memory(program, MemorySpace::kLocal, 0), frames{{&program.body}} {}

void ThreadState::end() {
  frames.clear();
  meeting.reset();
}

BlockState::BlockState(const KernelProgram& program, const ReferenceLaunch& launch, std::array<uint32_t, 3> at)
    : idx(at), memory(program, MemorySpace::kShared, launch.dynamic_shared_bytes) {
  for_each_index(launch.block, [&](const std::array<uint32_t, 3>& thread) { threads.emplace_back(program, thread); });
}

ThreadRunner::ThreadRunner(const KernelProgram& program, const ReferenceLaunch& launch)
    : program_(program), launch_(launch), constants_(program, MemorySpace::kConst, 0), known_(program.exprs.size()) {}

void ThreadRunner::run(const BlockState& block, ThreadState& thread) {
  block_ = &block;
  thread_ = &thread;
  while (!thread.ended() && !thread.waits()) step();
}

void ThreadRunner::record_failure(const BlockState& block, const ThreadState& thread, uint32_t site,
                                  std::array<int64_t, 2> values) {
  if (result_.failure) return;
  FailRecord& record = result_.failure.emplace();
  record.state = 2;
  record.site = site;
  for (size_t i = 0; i < 2; ++i) record.values[i] = values[i];
  for (size_t axis = 0; axis < 3; ++axis) {
    record.thread[axis] = thread.idx[axis];
    record.block[axis] = block.idx[axis];
  }
}

// --- control flow

void ThreadRunner::step() {
  count_step();
  Frame& frame = thread_->frames.back();
  if (frame.next == frame.block->size()) return end_of_frame();
  const StmtId id = (*frame.block)[frame.next++];
  base::match(program_.stmts[id].kind, [&](const auto& stmt) { run_stmt(stmt); });
  if (thread_->waits()) thread_->meeting->stmt = id;
}

/// The head of a loop is followed by the test and the body, the body by the step, the step by the head.
void ThreadRunner::end_of_frame() {
  const Frame frame = thread_->frames.back();
  thread_->frames.pop_back();
  switch (frame.part) {
    case Frame::Part::kPlain:
    case Frame::Part::kScope: return;
    case Frame::Part::kHead:
      if (evaluate(frame.loop->cond) != 0) push_loop_part(*frame.loop, Frame::Part::kBody, frame.loop->body);
      return;
    case Frame::Part::kBody: return push_loop_part(*frame.loop, Frame::Part::kStep, frame.loop->step);
    case Frame::Part::kStep: return push_loop_part(*frame.loop, Frame::Part::kHead, frame.loop->head);
  }
}

void ThreadRunner::push_loop_part(const Loop& loop, Frame::Part part, const Block& block) {
  thread_->frames.push_back({&block, part, loop.label, &loop});
}

/// Out of the frames up to that of the label.
void ThreadRunner::leave(LabelId label) {
  std::vector<Frame>& frames = thread_->frames;
  while (frames.back().label != label) frames.pop_back();
  frames.pop_back();
}

void ThreadRunner::count_step() {
  if (++steps_ > launch_.max_steps) throw ReferenceError("the kernel runs for too many steps");
}

void ThreadRunner::run_stmt(const If& s) {
  thread_->frames.push_back({evaluate(s.cond) != 0 ? &s.then_block : &s.else_block});
}
void ThreadRunner::run_stmt(const Loop& s) { push_loop_part(s, Frame::Part::kHead, s.head); }
void ThreadRunner::run_stmt(const Scope& s) { thread_->frames.push_back({&s.body, Frame::Part::kScope, s.label}); }
void ThreadRunner::run_stmt(const Exit& s) { leave(s.label); }

void ThreadRunner::run_stmt(const Continue& s) {
  while (thread_->frames.back().label != s.label) thread_->frames.pop_back();
  thread_->frames.back().next = thread_->frames.back().block->size();
}

void ThreadRunner::run_stmt(const Return&) { thread_->end(); }

void ThreadRunner::run_stmt(const Fail& s) {
  std::array<int64_t, 2> values{};
  begin_evaluation();
  for (size_t i = 0; i < s.values.size(); ++i) values[i] = static_cast<int64_t>(value_of(s.values[i]));
  record_failure(*block_, *thread_, s.site, values);
  thread_->end();
}

// --- values and memory

void ThreadRunner::run_stmt(const Assign& s) { thread_->locals[s.local.index] = evaluate(s.value); }

void ThreadRunner::run_stmt(const Store& s) {
  begin_evaluation();
  write(s.ref, value_of(s.value));
}

void ThreadRunner::run_stmt(const Atomic& s) {
  begin_evaluation();
  const Bits old = read(s.ref);
  const auto stored = atomic_stores(s.op, dtype_of_expr(s.ref.base), old, value_of(s.value), value_or_zero(s.expected));
  if (stored) write(s.ref, *stored);
  if (s.result.valid()) thread_->locals[s.result.index] = old;
}

/// One thread after the other runs: all its accesses are in order already.
void ThreadRunner::run_stmt(const Fence&) {}

// --- meetings: what happens there is for the scheduler to do

void ThreadRunner::run_stmt(const Barrier& s) {
  begin_evaluation();
  thread_->meeting = Meeting{.value = value_or_zero(s.predicate)};
}

void ThreadRunner::run_stmt(const Warp& s) {
  begin_evaluation();
  thread_->meeting = Meeting{.mask = static_cast<uint32_t>(value_or_zero(s.mask)),
                             .value = value_or_zero(s.value),
                             .lane = static_cast<uint32_t>(value_or_zero(s.lane))};
}

// --- print

void ThreadRunner::run_stmt(const Print& s) {
  begin_evaluation();
  for (const PrintPart& part : s.parts) result_.printed += text_of(part);
  result_.printed += '\n';
}

std::string ThreadRunner::text_of(const PrintPart& part) {
  if (!part.value.valid()) return part.text;
  const DType type = dtype_of_expr(part.value);
  const Bits bits = value_of(part.value);
  if (is_bool(type)) return bits != 0 ? "True" : "False";
  if (is_signed_int(type)) return fmt::format("{}", static_cast<int64_t>(int_of(type, bits)));
  if (is_unsigned_int(type)) return fmt::format("{}", bits);
  const double number = float_of<double>(convert(type, DType::f8, bits));
  return std::isnan(number) ? "nan" : fmt::sprintf("%f", number);
}

}  // namespace jitc::reference
