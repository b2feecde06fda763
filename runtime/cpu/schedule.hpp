// Who works when: the lanes of one CPU backend, each with a thread of its own, and the default queue, whose work runs
// on the threads that give it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "runtime/cpu/lane.hpp"
#include "runtime/cpu/process_listener.hpp"

namespace jitc::runtime::cpu {

/// One lock guards everything but the common case of the default queue, where no blocking lane has work: that takes one
/// atomic operation. What waits only ever waits for what was given before, so nothing waits in a circle; code of the
/// user that a lane or the default queue calls could close one, and is refused whatever it asks for: what it gave and
/// could not wait for would work with memory that is gone.
///
/// A lane's thread starts with its first work and ends when the lane is closed and its work is done. Work that several
/// threads give to the default queue at the same time is in no order, and runs at the same time.
///
/// After a fork, what was not done is the parent's: the child finds every lane empty, tells with an Error(device) at
/// the lane's next synchronize() that work was lost, and starts new threads for new work. What another thread was doing
/// inside jitc at that moment, such as compiling a kernel, is not to be used in the child.
///
/// When the process ends, what runs is finished and what waits is dropped; work that static objects give after that
/// runs at once on their thread.
class Schedule : public ProcessListener, public std::enable_shared_from_this<Schedule> {
 public:
  std::shared_ptr<Lane> open_lane(bool is_blocking);
  /// Its work is still done.
  void close_lane(const std::shared_ptr<Lane>& lane) noexcept;

  /// The ticket of the work. What it throws is the lane's failure. Throws Error(device) when no thread can be started.
  uint64_t give(const std::shared_ptr<Lane>& lane, Work work);
  /// Gives it to those lanes that have work left; false when none has. Callbacks may do so as well.
  bool give_to_busy(std::span<const std::shared_ptr<Lane>> lanes, const Work& work);
  /// Later work of `then` starts after what `first` has now; null is the default queue. The default queue waits at
  /// once.
  void order(const std::shared_ptr<Lane>& first, const std::shared_ptr<Lane>& then);

  /// Throws Error(argument) in functions that a lane or the default queue calls, as all do that give work or wait.
  void refuse_in_callbacks() const;

  /// Runs the work of the default queue on the calling thread, after all work of blocking lanes.
  template <class Body>
  void run_default(const Body& body) {
    const DefaultWork scope(*this);
    body();
  }
  /// The same for a function of the user: what it throws is the default queue's failure.
  void call_default(const Work& function);

  uint64_t given(const Lane& lane) const;
  bool is_done(const Lane& lane, uint64_t ticket) const;
  bool is_idle(const Lane& lane) const;
  /// The ticket of all that was given, where work given now would start at once: the lane has none, and there is no
  /// work of the default queue that it waits for.
  std::optional<uint64_t> ticket_if_free(const Lane& lane) const;
  bool is_default_idle() const;

  /// Waits until the lane's work up to `ticket` is done, for the lane's own thread or that of another lane.
  void wait_for(const Lane& lane, uint64_t ticket) const;
  /// Waits for all that was given, or up to `ticket`; throws the first failure in it and forgets the others.
  /// Keeps the lane: a static stream may be destroyed while another thread waits for it.
  void synchronize(std::shared_ptr<Lane> lane);
  void synchronize(std::shared_ptr<Lane> lane, uint64_t ticket);
  void synchronize_default();
  /// The same without waiting, for the failures of the default queue up to this number.
  void throw_default_failure(uint64_t last_number);
  /// All of the above; throws the first failure and forgets the others.
  void synchronize_all();
  /// The number of the newest failure.
  uint64_t failure_count() const;

  /// Guards what belongs to queues and markers as well.
  std::unique_lock<std::mutex> lock() const { return std::unique_lock(mutex_); }

  void before_fork() noexcept override { mutex_.lock(); }
  void after_fork_in_parent() noexcept override { mutex_.unlock(); }
  void after_fork_in_child() noexcept override;
  void at_exit() noexcept override;

 private:
  using Lock = std::unique_lock<std::mutex>;

  /// One piece of work of the default queue, for as long as it lives.
  class DefaultWork {
   public:
    explicit DefaultWork(Schedule& schedule) : schedule_(schedule), number_(schedule.enter_default(*this)) {}
    ~DefaultWork() { schedule_.leave_default(*this); }
    DefaultWork(const DefaultWork&) = delete;
    DefaultWork& operator=(const DefaultWork&) = delete;

    Schedule& schedule_;
    DefaultWork* outer_ = nullptr;
    uint64_t number_;  // 0: entered without the lock
  };
  /// Up to here in a lane.
  struct Place {
    std::shared_ptr<Lane> lane;
    uint64_t ticket = 0;
  };
  struct ThisThread;
  class UserCode;

  // load_: one for each piece of default work that entered without the lock, and this for each thing that default work
  // must look at: a blocking lane with work, or someone who waits for the default queue.
  static constexpr uint64_t kBusy = uint64_t{1} << 32;
  static uint64_t unlocked_count(uint64_t load) { return load % kBusy; }

  static ThisThread& this_thread();
  static std::exception_ptr run(Work work);

  void start_thread(const std::shared_ptr<Lane>& lane);
  void work(const std::shared_ptr<Lane>& lane);
  void work_once(Lock& lock, Lane& lane);
  void push(Lane& lane, Work work);
  std::exception_ptr finish(Lane& lane, std::exception_ptr error);
  uint64_t run_now(Lock& lock, Lane& lane, Work work);
  void retire(const Lane& lane);
  void wait_until_done(Lock& lock, const Lane& lane, uint64_t ticket) const;
  std::vector<Place> places(const bool Lane::*member) const;
  void wait_until_done(Lock& lock, std::span<const Place> places) const;

  uint64_t enter_default(DefaultWork& work);
  uint64_t enter_default_behind_lanes();
  void leave_default(DefaultWork& work) noexcept;
  void wait_for_default(Lock& lock, uint64_t last_number);
  bool is_default_done(uint64_t last_number) const;

  mutable std::mutex mutex_;  // guards all below but load_
  mutable std::condition_variable progress_;
  std::vector<std::shared_ptr<Lane>> lanes_;
  uint64_t failure_count_ = 0;
  Failures default_failures_;                               // their tickets are their numbers
  std::vector<std::shared_ptr<Failures>> closed_failures_;  // of lanes that are gone
  std::atomic<uint64_t> load_{0};
  std::vector<uint64_t> default_running_;  // numbers of what entered with the lock
  uint64_t default_given_ = 0;
  uint64_t forks_ = 0;
  bool is_ending_ = false;
};

}  // namespace jitc::runtime::cpu
