// A grid over host threads. Blocks are data: one whose turn is over goes to the back of a queue, whoever waits for
// others lets them go on.
#include "runtime/emulator/driver/execute.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/emulator/driver/launch_block.hpp"

namespace jitc::emulator::driver {
namespace {

/// Of a block, before another one has its turn. Those of a cooperative launch wait for each other, mostly in a loop.
constexpr uint64_t kTurnSteps = uint64_t{1} << 20;
constexpr uint64_t kCooperativeTurnSteps = uint64_t{1} << 12;

/// Blocks of an ordinary launch that have begun and not ended; those of a cooperative one all have.
constexpr size_t kMostBegun = 64;

/// When all blocks go round for ever, the host or another kernel may still change what they look at.
constexpr std::chrono::seconds kPatience(2);

uint64_t count_blocks(const KernelLaunch& launch) { return uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2]; }

size_t count_threads(const KernelLaunch& launch) {
  const size_t allowed = launch.host_threads != 0 ? launch.host_threads : std::thread::hardware_concurrency();
  return static_cast<size_t>(std::clamp<uint64_t>(allowed, 1, std::max<uint64_t>(count_blocks(launch), 1)));
}

class Grid {
 public:
  explicit Grid(const KernelLaunch& launch) : launch_(launch), count_(count_blocks(launch)) {}

  std::optional<LaunchFault> run() {
    {
      std::vector<std::jthread> helpers;
      for (size_t i = 1; i < count_threads(launch_); ++i) helpers.emplace_back([this] { work(); });
      work();
    }
    for (const auto& [index, text] : printed_) launch_.print(text);
    return std::move(fault_);
  }

 private:
  using BlockPtr = std::unique_ptr<LaunchBlock>;

  /// Of each host thread. One that finds nothing to do goes: those that run blocks take them up again.
  void work() {
    while (BlockPtr block = take()) {
      const auto state = block->run(launch_.is_cooperative ? kCooperativeTurnSteps : kTurnSteps);
      put_back(std::move(block), state);
    }
  }

  /// A new block while more may begin, else the one that waits longest; null where there is none, or after a fault.
  BlockPtr take() {
    std::unique_ptr<LaunchMemory> memory;
    uint64_t index = 0;
    {
      const std::lock_guard lock(mutex_);
      if (fault_) return nullptr;
      if (!may_begin()) return take_waiting();
      index = next_++;
      ++begun_;
      if (!free_.empty()) {
        memory = std::move(free_.back());
        free_.pop_back();
      }
    }
    if (memory == nullptr) memory = std::make_unique<LaunchMemory>(launch_);
    return std::make_unique<LaunchBlock>(launch_, index, std::move(memory));
  }

  bool may_begin() const { return next_ != count_ && (launch_.is_cooperative || begun_ != kMostBegun); }

  BlockPtr take_waiting() {
    if (waiting_.empty()) return nullptr;
    BlockPtr block = std::move(waiting_.front());
    waiting_.pop_front();
    return block;
  }

  void put_back(BlockPtr block, LaunchBlock::State state) {
    const bool is_quiet = state == LaunchBlock::State::turn_over && !block->has_written();
    const uint64_t fingerprint = is_quiet ? block->fingerprint() : 0;
    const std::lock_guard lock(mutex_);
    if (is_quiet)
      watch(*block, fingerprint);
    else
      begin_epoch();
    if (state == LaunchBlock::State::turn_over) {
      waiting_.push_back(std::move(block));
      return;
    }
    --begun_;
    if (block->observer() != nullptr) launch_.observer->end_block(block->index(), *block->observer());
    if (std::string text = block->take_printed(); !text.empty()) printed_.emplace(block->index(), std::move(text));
    if (state == LaunchBlock::State::fault && (!fault_ || block->index() < fault_block_)) {
      fault_ = block->take_fault();
      fault_block_ = block->index();
    }
    free_.push_back(block->take_memory());
  }

  void begin_epoch() {
    ++epoch_;
    spinning_ = 0;
  }

  /// A launch whose blocks all go round for ever ends with a fault.
  void watch(LaunchBlock& block, uint64_t fingerprint) {
    const auto now = std::chrono::steady_clock::now();
    if (block.watch().notice(epoch_, fingerprint)) {
      ++spinning_;
      spins_since_ = now;
    }
    const bool is_hopeless = spinning_ == begun_ && !may_begin() && now - spins_since_ > kPatience;
    if (!is_hopeless || fault_) return;
    fault_ = block.waits_in_vain();
    fault_block_ = block.index();
  }

  const KernelLaunch& launch_;
  const uint64_t count_;
  std::mutex mutex_;  ///< of all below
  uint64_t next_ = 0;
  size_t begun_ = 0;
  std::deque<BlockPtr> waiting_;
  std::vector<std::unique_ptr<LaunchMemory>> free_;
  std::map<uint64_t, std::string> printed_;  ///< by block: the order of the output does not depend on the host
  std::optional<LaunchFault> fault_;
  uint64_t fault_block_ = 0;
  uint64_t epoch_ = 0;   ///< changes when a block has changed memory, or ended
  size_t spinning_ = 0;  ///< blocks that go round since it did
  std::chrono::steady_clock::time_point spins_since_;
};

}  // namespace

std::optional<LaunchFault> execute(const KernelLaunch& launch) { return Grid(launch).run(); }

}  // namespace jitc::emulator::driver
