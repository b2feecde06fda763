// Where threads meet: a warp goes on until its lanes have ended or wait for more than the warp, a block until its
// threads have ended or wait for the grid, and a grid to its end.
#include "tests/support/reference_interpreter.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "src/kernel/operands.hpp"
#include "tests/support/shared_ops.hpp"
#include "tests/support/thread_runner.hpp"

namespace jitc::reference {

namespace {

using namespace jitc::kernel;

using Lanes = std::span<ThreadState>;  // of one warp

class Scheduler {
 public:
  Scheduler(const KernelProgram& program, const ReferenceLaunch& launch)
      : program_(program), launch_(launch), runner_(program, launch), position_(program.stmts.size()) {
    number_stmts(program.body);
  }

  ReferenceResult run() {
    const bool together = std::any_of(program_.stmts.begin(), program_.stmts.end(), is_grid_barrier);
    std::vector<std::array<uint32_t, 3>> indices;
    for_each_index(launch_.grid, [&](const std::array<uint32_t, 3>& idx) { indices.push_back(idx); });
    if (launch_.backwards) std::reverse(indices.begin(), indices.end());
    std::vector<BlockState> blocks;
    for (const std::array<uint32_t, 3>& idx : indices) {
      if (!together) blocks.clear();
      blocks.emplace_back(program_, launch_, idx);
      if (!together) run_blocks(blocks);
    }
    if (together) run_blocks(blocks);
    return std::move(runner_.result());
  }

 private:
  static bool is_grid_barrier(const Stmt& stmt) {
    const auto* barrier = std::get_if<Barrier>(&stmt.kind);
    return barrier != nullptr && barrier->op == BarrierOp::kGrid;
  }

  /// Their order in the text.
  void number_stmts(const Block& block) {
    for (StmtId id : block) {
      position_[id.index] = next_position_++;
      for_each_block(program_.stmts[id], [&](const Block& inner) { number_stmts(inner); });
    }
  }

  // --- who runs when

  void run_blocks(std::vector<BlockState>& blocks) {
    do {
      for (BlockState& block : blocks) run_block(block);
    } while (open_barrier(live_threads(blocks), true));
    end_stuck_threads(blocks);
  }

  void run_block(BlockState& block) {
    do {
      const size_t warps = (block.threads.size() + kWarpLanes - 1) / kWarpLanes;
      for (size_t i = 0; i < warps; ++i) run_warp(block, launch_.backwards ? warps - 1 - i : i);
    } while (open_barrier(live_threads(block), false));
  }

  void run_warp(BlockState& block, size_t warp) {
    const size_t first = warp * kWarpLanes;
    const Lanes lanes(block.threads.data() + first, std::min<size_t>(kWarpLanes, block.threads.size() - first));
    do {
      for (size_t i = 0; i < lanes.size(); ++i) {
        runner_.run(block, lanes[launch_.backwards ? lanes.size() - 1 - i : i]);
      }
    } while (open_warp_op(lanes));
  }

  // --- barriers

  using Threads = std::vector<ThreadState*>;

  static Threads live_threads(BlockState& block) {
    Threads live;
    for (ThreadState& thread : block.threads) {
      if (!thread.ended()) live.push_back(&thread);
    }
    return live;
  }
  static Threads live_threads(std::vector<BlockState>& blocks) {
    Threads all;
    for (BlockState& block : blocks) {
      const Threads live = live_threads(block);
      all.insert(all.end(), live.begin(), live.end());
    }
    return all;
  }

  const Barrier* barrier_of(const ThreadState& thread) const {
    return std::get_if<Barrier>(&program_.stmts[thread.meeting->stmt].kind);
  }

  /// Lets the threads, all that have not ended, go on if they wait at one barrier of the wanted sort.
  bool open_barrier(const Threads& live, bool of_grid) {
    if (live.empty()) return false;
    const StmtId stmt = live.front()->meeting->stmt;
    const Barrier* barrier = barrier_of(*live.front());
    if (barrier == nullptr || (barrier->op == BarrierOp::kGrid) != of_grid) return false;
    if (std::any_of(live.begin(), live.end(), [&](auto* thread) { return thread->meeting->stmt != stmt; }))
      return false;
    const auto holds = [](const ThreadState* thread) { return thread->meeting->value != 0; };
    const auto count = static_cast<uint32_t>(std::count_if(live.begin(), live.end(), holds));
    const Bits result = barrier_result(barrier->op, count, static_cast<uint32_t>(live.size()));
    for (ThreadState* thread : live) go_on(*thread, barrier->result, result);
    return true;
  }

  static void go_on(ThreadState& thread, LocalId result_local, Bits result) {
    if (result_local.valid()) thread.locals[result_local.index] = result;
    thread.meeting.reset();
  }

  // --- warp operations

  const Warp* warp_op_of(const ThreadState& lane) const {
    return lane.waits() ? std::get_if<Warp>(&program_.stmts[lane.meeting->stmt].kind) : nullptr;
  }

  static bool meets(const ThreadState& a, const ThreadState& b) {
    return b.waits() && a.meeting->stmt == b.meeting->stmt && a.meeting->mask == b.meeting->mask;
  }

  /// Whether every lane that the operation of `at` waits for is there: none for the active lanes, as all lanes have
  /// ended or wait somewhere.
  static bool is_complete(const Lanes& lanes, const ThreadState& at) {
    for (size_t i = 0; i < lanes.size(); ++i) {
      if ((at.meeting->mask >> i & 1) != 0 && !lanes[i].ended() && !meets(at, lanes[i])) return false;
    }
    return true;
  }

  /// Of several, the first in the text: lanes that took different branches are together again behind them.
  bool open_warp_op(const Lanes& lanes) {
    const ThreadState* chosen = nullptr;
    for (const ThreadState& lane : lanes) {
      if (warp_op_of(lane) == nullptr || !is_complete(lanes, lane)) continue;
      const auto position = [&](const ThreadState& at) { return position_[at.meeting->stmt.index]; };
      if (chosen == nullptr || position(lane) < position(*chosen)) chosen = &lane;
    }
    if (chosen == nullptr) return false;
    exchange(lanes, *chosen);
    return true;
  }

  void exchange(const Lanes& lanes, const ThreadState& chosen) {
    const Warp& op = *warp_op_of(chosen);
    WarpInput input;
    for (size_t i = 0; i < lanes.size(); ++i) {
      if (!meets(chosen, lanes[i])) continue;
      const Meeting& meeting = *lanes[i].meeting;
      if (op.mask.valid() && (meeting.mask >> i & 1) == 0)
        throw ReferenceError(describe(lanes[i]) + ", not in the mask");
      input[i] = {true, meeting.value, meeting.lane};
    }
    for (size_t i = 0; i < lanes.size(); ++i) {
      if (input[i].here) go_on(lanes[i], op.result, warp_result(op.op, input, static_cast<uint32_t>(i)));
    }
  }

  // --- threads that wait for ever

  std::string describe(const ThreadState& thread) const {
    const StmtId id = thread.meeting->stmt;
    const Span span = program_.stmts[id].span;
    return fmt::format("thread ({}) waits at statement {} (bytes {} to {})", fmt::join(thread.idx, ","), id.index,
                       span.begin, span.end);
  }

  /// In a checked program that is a failure at the barrier, of the first thread that does not wait there.
  void end_stuck_threads(std::vector<BlockState>& blocks) {
    for (BlockState& block : blocks) {
      for (const ThreadState* waiting : live_threads(block)) {
        const Barrier* barrier = barrier_of(*waiting);
        if (barrier == nullptr || !barrier->fail_site) continue;
        record_missing_thread(blocks, waiting->meeting->stmt, *barrier->fail_site);
        for (ThreadState* thread : live_threads(blocks)) thread->end();
        return;
      }
    }
    const Threads stuck = live_threads(blocks);
    if (stuck.empty()) return;
    const auto elsewhere = [&](auto* thread) { return thread->meeting->stmt != stuck.front()->meeting->stmt; };
    const auto other = std::find_if(stuck.begin(), stuck.end(), elsewhere);
    throw ReferenceError(describe(*stuck.front()) + (other == stuck.end() ? "" : ", but " + describe(**other)));
  }

  void record_missing_thread(std::vector<BlockState>& blocks, StmtId stmt, uint32_t site) {
    for (BlockState& block : blocks) {
      for (const ThreadState* thread : live_threads(block)) {
        if (thread->meeting->stmt != stmt) return runner_.record_failure(block, *thread, site);
      }
    }
  }

  const KernelProgram& program_;
  const ReferenceLaunch& launch_;
  ThreadRunner runner_;
  std::vector<size_t> position_;  ///< by StmtId
  size_t next_position_ = 0;
};

}  // namespace

ReferenceResult run(const KernelProgram& program, const ReferenceLaunch& launch) {
  return Scheduler(program, launch).run();
}

}  // namespace jitc::reference
