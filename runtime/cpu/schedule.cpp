#include "runtime/cpu/schedule.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <new>
#include <system_error>
#include <thread>

#include "runtime/common/error.hpp"
#include "runtime/cpu/fp_mode.hpp"
#include "runtime/cpu/signals_blocked.hpp"

namespace jitc::runtime::cpu {

namespace {

constexpr uint64_t kAllTickets = std::numeric_limits<uint64_t>::max();
// How long the end of the process waits for what runs: a kernel or a callback may never end.
constexpr std::chrono::seconds kLastWait{10};
// Lanes that are gone and whose failures no one was told yet: the device's synchronize() tells the first of them only.
constexpr size_t kMostClosed = 64;

void throw_first(const std::vector<Failure>& failures) {
  const auto first = std::min_element(failures.begin(), failures.end(),
                                      [](const Failure& a, const Failure& b) { return a.number < b.number; });
  if (first != failures.end()) std::rethrow_exception(first->error);
}

}  // namespace

/// What the calling thread is in the midst of.
struct Schedule::ThisThread {
  bool is_working = false;              // in code that must not use jitc: a lane's work, or a default queue's callback
  const Lane* lane = nullptr;           // whose thread this is
  DefaultWork* default_work = nullptr;  // innermost
};

Schedule::ThisThread& Schedule::this_thread() {
  thread_local ThisThread state;
  return state;
}

/// Code of the user runs on the calling thread.
class Schedule::UserCode {
 public:
  UserCode() : was_working_(std::exchange(this_thread().is_working, true)) {}
  ~UserCode() { this_thread().is_working = was_working_; }
  UserCode(const UserCode&) = delete;
  UserCode& operator=(const UserCode&) = delete;

 private:
  bool was_working_;
};

void Schedule::refuse_in_callbacks() const {
  if (!this_thread().is_working) return;
  const Lock lock(mutex_);
  if (is_ending_) return;
  fail(ErrorCode::argument, "cpu cannot be used in a function that a stream calls: it must not use jitc");
}

// Lanes.

std::shared_ptr<Lane> Schedule::open_lane(bool is_blocking) {
  refuse_in_callbacks();
  auto lane = std::make_shared<Lane>(is_blocking);
  const Lock lock(mutex_);
  closed_failures_.reserve(kMostClosed);
  lanes_.push_back(lane);
  return lane;
}

void Schedule::close_lane(const std::shared_ptr<Lane>& lane) noexcept {
  const Lock lock(mutex_);
  lane->is_open = false;
  if (lane->has_thread) {
    lane->wake.notify_one();
  } else {
    retire(*lane);
  }
}

uint64_t Schedule::give(const std::shared_ptr<Lane>& lane, Work work) {
  refuse_in_callbacks();
  Lock lock(mutex_);
  if (is_ending_) return run_now(lock, *lane, std::move(work));
  start_thread(lane);
  push(*lane, std::move(work));
  return lane->given;
}

bool Schedule::give_to_busy(std::span<const std::shared_ptr<Lane>> lanes, const Work& work) {
  const Lock lock(mutex_);
  bool any = false;
  for (const std::shared_ptr<Lane>& lane : lanes) {
    if (lane->is_idle()) continue;
    push(*lane, work);
    any = true;
  }
  return any;
}

void Schedule::order(const std::shared_ptr<Lane>& first, const std::shared_ptr<Lane>& then) {
  refuse_in_callbacks();
  if (first == then) return;
  if (first == nullptr) {
    // A blocking lane does so by itself.
    if (then->is_blocking || is_default_idle()) return;
    uint64_t last = 0;
    {
      const Lock lock(mutex_);
      last = default_given_;
    }
    give(then, [this, last] {
      Lock lock(mutex_);
      wait_for_default(lock, last);
    });
    return;
  }
  const uint64_t ticket = given(*first);
  if (is_done(*first, ticket)) return;
  if (then == nullptr) {
    wait_for(*first, ticket);
  } else {
    give(then, [this, first, ticket] { wait_for(*first, ticket); });
  }
}

void Schedule::start_thread(const std::shared_ptr<Lane>& lane) {
  if (lane->has_thread) return;
  const AllSignalsBlocked blocked;
  try {
    std::thread([self = shared_from_this(), lane] { self->work(lane); }).detach();
  } catch (const std::system_error& error) {
    fail(ErrorCode::device, "the system has no thread for a stream of the CPU: {}", error.what());
  }
  lane->has_thread = true;
}

/// Work that comes after work of the default queue on other threads waits for it. Whoever comes second sees the other:
/// both look at load_ while they change it.
void Schedule::push(Lane& lane, Work work) {
  const bool was_idle = lane.is_idle();
  lane.waiting.push_back({std::move(work)});
  ++lane.given;
  if (lane.is_blocking) {
    const uint64_t load =
        was_idle ? load_.fetch_add(kBusy, std::memory_order_acq_rel) : load_.load(std::memory_order_acquire);
    lane.waiting.back().is_after_default = unlocked_count(load) != 0 || !default_running_.empty();
    lane.waiting.back().last_default = default_given_;
  }
  lane.wake.notify_one();
}

void Schedule::work(const std::shared_ptr<Lane>& lane) {
  write_fp_mode(kKernelFpMode);
  this_thread() = {.is_working = true, .lane = lane.get()};
  Lock lock(mutex_);
  const uint64_t forks = forks_;
  for (;;) {
    lane->wake.wait(lock, [&] { return !lane->waiting.empty() || !lane->is_open; });
    if (lane->waiting.empty()) break;
    work_once(lock, *lane);
    if (forks_ != forks) return;  // the work has forked, and this thread is the child's only one
  }
  retire(*lane);
}

void Schedule::work_once(Lock& lock, Lane& lane) {
  const uint64_t forks = forks_;
  Lane::Piece piece = std::move(lane.waiting.front());
  lane.waiting.pop_front();
  if (piece.is_after_default) wait_for_default(lock, piece.last_default);
  std::exception_ptr error;
  if (is_ending_) {
    lane.dropped.push_back(std::move(piece));
  } else {
    lock.unlock();
    error = run(std::move(piece.work));
    lock.lock();
  }
  if (forks_ == forks) error = finish(lane, std::move(error));
  if (error == nullptr) return;
  lock.unlock();
  error = nullptr;
  lock.lock();
}

/// What it threw. The work is gone before it counts as done: memory that it held is free by then.
std::exception_ptr Schedule::run(Work work) {
  try {
    work();
  } catch (...) { return std::current_exception(); }
  return nullptr;
}

/// An error that is not to be kept, and is to be destroyed without the lock.
std::exception_ptr Schedule::finish(Lane& lane, std::exception_ptr error) {
  ++lane.done;
  if (error != nullptr) error = lane.failures->add({lane.done, ++failure_count_, std::move(error)});
  if (lane.is_blocking && lane.is_idle()) load_.fetch_sub(kBusy, std::memory_order_acq_rel);
  progress_.notify_all();
  return error;
}

/// The process ends, and lanes start no more work.
uint64_t Schedule::run_now(Lock& lock, Lane& lane, Work work) {
  lock.unlock();
  std::exception_ptr error;
  {
    const UserCode scope;
    error = run(std::move(work));
  }
  lock.lock();
  const uint64_t ticket = lane.done;
  if (error != nullptr) error = lane.failures->add({ticket, ++failure_count_, std::move(error)});
  lock.unlock();  // before the error goes
  return ticket;
}

void Schedule::retire(const Lane& lane) {
  std::erase_if(closed_failures_, [](const auto& failures) { return failures->is_empty(); });
  if (!lane.failures->is_empty() && closed_failures_.size() < kMostClosed) closed_failures_.push_back(lane.failures);
  std::erase_if(lanes_, [&](const auto& known) { return known.get() == &lane; });
  progress_.notify_all();
}

uint64_t Schedule::given(const Lane& lane) const {
  const Lock lock(mutex_);
  return lane.given;
}

bool Schedule::is_done(const Lane& lane, uint64_t ticket) const {
  const Lock lock(mutex_);
  return lane.done >= ticket;
}

bool Schedule::is_idle(const Lane& lane) const {
  const Lock lock(mutex_);
  return lane.is_idle();
}

std::optional<uint64_t> Schedule::ticket_if_free(const Lane& lane) const {
  const Lock lock(mutex_);
  const bool is_free = lane.is_idle() && (!lane.is_blocking || is_default_done(default_given_));
  return is_free ? std::optional(lane.given) : std::nullopt;
}

// Waiting.

/// Lanes wait no longer when the process ends; threads of the user do, as the memory that they lent may still be used.
void Schedule::wait_until_done(Lock& lock, const Lane& lane, uint64_t ticket) const {
  progress_.wait(lock, [&] { return lane.done >= ticket || (is_ending_ && this_thread().is_working); });
}

/// What the lanes have now: all of them, or those of which `member` is true.
std::vector<Schedule::Place> Schedule::places(const bool Lane::*member) const {
  std::vector<Place> out;
  for (const auto& lane : lanes_) {
    if (member == nullptr || (*lane).*member) out.push_back({lane, lane->given});
  }
  return out;
}

void Schedule::wait_until_done(Lock& lock, std::span<const Place> places) const {
  for (const Place& place : places) wait_until_done(lock, *place.lane, place.ticket);
}

void Schedule::wait_for(const Lane& lane, uint64_t ticket) const {
  Lock lock(mutex_);
  wait_until_done(lock, lane, ticket);
}

void Schedule::synchronize(std::shared_ptr<Lane> lane, uint64_t ticket) {
  refuse_in_callbacks();
  std::vector<Failure> failures;
  {
    Lock lock(mutex_);
    const uint64_t last = std::min(ticket, lane->given);
    wait_until_done(lock, *lane, last);
    lane->failures->take(last, failures);
  }
  throw_first(failures);
}

void Schedule::synchronize(std::shared_ptr<Lane> lane) { synchronize(std::move(lane), kAllTickets); }

void Schedule::synchronize_default() {
  refuse_in_callbacks();
  std::vector<Failure> failures;
  {
    Lock lock(mutex_);
    const uint64_t last = default_given_;
    wait_until_done(lock, places(&Lane::is_blocking));
    wait_for_default(lock, last);
    default_failures_.take(kAllTickets, failures);
  }
  throw_first(failures);
}

uint64_t Schedule::failure_count() const {
  const Lock lock(mutex_);
  return failure_count_;
}

void Schedule::throw_default_failure(uint64_t last_number) {
  refuse_in_callbacks();
  std::vector<Failure> failures;
  {
    const Lock lock(mutex_);
    default_failures_.take(last_number, failures);
  }
  throw_first(failures);
}

void Schedule::synchronize_all() {
  refuse_in_callbacks();
  std::vector<Failure> failures;
  {
    Lock lock(mutex_);
    const uint64_t last = default_given_;
    const std::vector<Place> all = places(nullptr);
    wait_until_done(lock, all);
    wait_for_default(lock, last);
    for (const Place& place : all) place.lane->failures->take(place.ticket, failures);
    default_failures_.take(kAllTickets, failures);
    for (const auto& closed : closed_failures_) closed->take(kAllTickets, failures);
    closed_failures_.clear();
  }
  throw_first(failures);
}

// The default queue.

uint64_t Schedule::enter_default(DefaultWork& work) {
  refuse_in_callbacks();
  uint64_t number = 0;
  uint64_t load = load_.load(std::memory_order_relaxed);
  for (;;) {
    if (load >= kBusy) {
      number = enter_default_behind_lanes();
      break;
    }
    if (load_.compare_exchange_weak(load, load + 1, std::memory_order_acq_rel, std::memory_order_relaxed)) break;
  }
  work.outer_ = std::exchange(this_thread().default_work, &work);
  return number;
}

uint64_t Schedule::enter_default_behind_lanes() {
  Lock lock(mutex_);
  const std::vector<Place> before = places(&Lane::is_blocking);
  const uint64_t number = default_given_ + 1;
  default_running_.push_back(number);
  default_given_ = number;
  wait_until_done(lock, before);
  return number;
}

void Schedule::leave_default(DefaultWork& work) noexcept {
  this_thread().default_work = work.outer_;
  if (work.number_ == 0) {
    const uint64_t load = load_.fetch_sub(1, std::memory_order_acq_rel);
    if (load < kBusy || unlocked_count(load) != 1) return;
    const Lock lock(mutex_);
    progress_.notify_all();
  } else {
    const Lock lock(mutex_);
    std::erase(default_running_, work.number_);
    progress_.notify_all();
  }
}

void Schedule::call_default(const Work& function) {
  const DefaultWork scope(*this);
  const UserCode user_code;
  std::exception_ptr error;
  try {
    function();
  } catch (...) { error = std::current_exception(); }
  if (error == nullptr) return;
  const Lock lock(mutex_);
  const uint64_t number = ++failure_count_;
  error = default_failures_.add({number, number, std::move(error)});
}

bool Schedule::is_default_idle() const {
  const Lock lock(mutex_);
  return load_.load(std::memory_order_acquire) == 0 && default_running_.empty();
}

/// While someone waits, default work takes the lock, where it has a number: what entered without can only become less.
void Schedule::wait_for_default(Lock& lock, uint64_t last_number) {
  if (is_default_done(last_number)) return;
  load_.fetch_add(kBusy, std::memory_order_acq_rel);
  progress_.wait(lock, [&] { return is_ending_ || is_default_done(last_number); });
  load_.fetch_sub(kBusy, std::memory_order_acq_rel);
}

bool Schedule::is_default_done(uint64_t last_number) const {
  return unlocked_count(load_.load(std::memory_order_acquire)) == 0 &&
         std::none_of(default_running_.begin(), default_running_.end(),
                      [&](uint64_t number) { return number <= last_number; });
}

// The process.

/// The other threads' condition variables may not be touched again, not even destroyed: they count threads that are
/// not there.
void Schedule::after_fork_in_child() noexcept {
  ++forks_;
  new (&progress_) std::condition_variable;
  for (const auto& lane : lanes_) {
    new (&lane->wake) std::condition_variable;
    lane->has_thread = false;
    if (lane->is_idle()) continue;
    const std::string text = fmt::format(
        "the process was forked when {} piece{} of work of a stream were not done; they are the parent's, and their "
        "results are missing here",
        lane->given - lane->done, lane->given - lane->done == 1 ? "" : "s");
    lane->failures->add({lane->done + 1, ++failure_count_, std::make_exception_ptr(Error(ErrorCode::device, text))});
    lane->dropped.insert(lane->dropped.end(), std::make_move_iterator(lane->waiting.begin()),
                         std::make_move_iterator(lane->waiting.end()));
    lane->waiting.clear();
    lane->done = lane->given;
  }
  default_running_.clear();
  uint64_t unlocked = 0;
  for (const DefaultWork* own = this_thread().default_work; own != nullptr; own = own->outer_) {
    if (&own->schedule_ != this) continue;
    if (own->number_ == 0) {
      ++unlocked;
    } else {
      default_running_.push_back(own->number_);
    }
  }
  load_ = unlocked;
  // No stream of the child waits for the function of the parent's stream that has forked.
  if (this_thread().lane != nullptr) this_thread().is_working = false;
  mutex_.unlock();
}

void Schedule::at_exit() noexcept {
  Lock lock(mutex_);
  is_ending_ = true;
  progress_.notify_all();
  const Lane* own = this_thread().lane;
  progress_.wait_for(lock, kLastWait, [&] {
    return std::all_of(lanes_.begin(), lanes_.end(),
                       [&](const auto& lane) { return lane->is_idle() || lane.get() == own; });
  });
}

}  // namespace jitc::runtime::cpu
