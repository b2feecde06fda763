// The CPU's queues and markers: handles of what a Schedule keeps.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>

#include "runtime/common/backend.hpp"
#include "runtime/cpu/schedule.hpp"

namespace jitc::runtime::cpu {

/// A marker's place in a queue, once it was recorded.
struct Record {
  using Clock = std::chrono::steady_clock;

  std::shared_ptr<Schedule> schedule;
  std::shared_ptr<Lane> lane;       ///< null: the default queue's, and done
  uint64_t ticket = 0;              ///< in the lane; of the default queue, the number of the newest failure
  std::atomic<Clock::rep> time{0};  ///< when the queue came here; 0 before

  bool is_done() const { return lane == nullptr || schedule->is_done(*lane, ticket); }
  void note_time() { time = Clock::now().time_since_epoch().count(); }
};

class CpuQueue : public Queue {
 public:
  CpuQueue(Backend& backend, std::shared_ptr<Schedule> schedule) : backend_(backend), schedule_(std::move(schedule)) {}

  Backend& backend() const override { return backend_; }
  void wait(Marker& marker) override;
  void* native_handle() const override { return nullptr; }

  /// Null for the default queue.
  const std::shared_ptr<Lane>& lane() const { return lane_; }
  /// Marks the work given so far.
  virtual std::shared_ptr<Record> record() = 0;

 protected:
  virtual void wait_for(const std::shared_ptr<Record>& record) = 0;

  Backend& backend_;
  std::shared_ptr<Schedule> schedule_;
  std::shared_ptr<Lane> lane_;
};

/// Its work runs on the thread that gives it.
class DefaultQueue final : public CpuQueue {
 public:
  using CpuQueue::CpuQueue;

  void synchronize() override { schedule_->synchronize_default(); }
  bool is_done() override { return schedule_->is_default_idle(); }
  void call(std::function<void()> function) override { schedule_->call_default(function); }
  void keep(std::shared_ptr<void>) override {}
  std::shared_ptr<Record> record() override;

 protected:
  void wait_for(const std::shared_ptr<Record>& record) override;
};

/// Its work runs on a thread of its own, which goes when the queue is gone and its work is done.
class LaneQueue final : public CpuQueue {
 public:
  LaneQueue(Backend& backend, std::shared_ptr<Schedule> schedule, const StreamOptions& options);
  ~LaneQueue() override { schedule_->close_lane(lane_); }

  void synchronize() override { schedule_->synchronize(lane_); }
  bool is_done() override { return schedule_->is_idle(*lane_); }
  void call(std::function<void()> function) override { schedule_->give(lane_, std::move(function)); }
  void keep(std::shared_ptr<void> owner) override {
    schedule_->give_to_busy({&lane_, 1}, [own = std::move(owner)] {});
  }
  std::shared_ptr<Record> record() override;

 protected:
  void wait_for(const std::shared_ptr<Record>& record) override;
};

class CpuMarker final : public Marker {
 public:
  CpuMarker(Backend& backend, std::shared_ptr<Schedule> schedule, bool timing)
      : backend_(backend), schedule_(std::move(schedule)), timing_(timing) {}

  Backend& backend() const override { return backend_; }
  void record(Queue& queue) override;
  bool is_done() override;
  void synchronize() override;
  double ms_until(Marker& end) override;

  /// Of now: later ones make another. Null before the first.
  std::shared_ptr<Record> last() const;

 private:
  Record::Clock::duration time() const;

  Backend& backend_;
  std::shared_ptr<Schedule> schedule_;
  bool timing_;
  std::shared_ptr<Record> last_;  // guarded by the schedule's lock
};

}  // namespace jitc::runtime::cpu
