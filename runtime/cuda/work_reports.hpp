// What went wrong in work that ran while no one was waiting, kept until someone does.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "jitc/artifact.hpp"
#include "runtime/cuda/pinned_blocks.hpp"

namespace jitc::runtime::cuda {

/// Of one queue. Places count the checked launches and the callbacks that the queue was given. Safe from all threads;
/// calls no driver.
class WorkReports {
 public:
  /// A place for the next work.
  uint64_t next_place();
  /// Of the newest work.
  uint64_t newest_place();

  /// A checked launch at the newest place, whose FailRecord `record` holds when it is done.
  void add_launch(PinnedBlock record, std::shared_ptr<const Artifact> artifact);
  /// A callback threw.
  void add_failure(uint64_t place, std::exception_ptr failure) noexcept;
  /// Launches whose records were not looked at yet.
  size_t launch_count();
  bool is_empty();

  /// Looks at the records up to `place`; the work up to there is done.
  void collect(uint64_t place);
  /// The same, then throws the first failure up to there and forgets the others.
  void settle(uint64_t place);
  /// Forgets all; the device does not work any more.
  void clear();

 private:
  struct Launch {
    uint64_t place;
    PinnedBlock record;
    std::shared_ptr<const Artifact> artifact;
  };
  struct Failure {
    uint64_t place;
    std::exception_ptr what;
  };

  void collect_locked(uint64_t place);
  void keep(Failure failure);

  std::mutex mutex_;  // guards all below
  uint64_t newest_ = 0;
  std::vector<Launch> launches_;
  std::vector<Failure> failures_;  // in the order of their places
};

/// The reports of all queues of a device, those of queues that are gone among them.
class AllReports {
 public:
  AllReports() = default;
  ~AllReports();
  AllReports(const AllReports&) = delete;
  AllReports& operator=(const AllReports&) = delete;

  std::shared_ptr<WorkReports> add();
  /// Each with its newest place.
  std::vector<std::pair<std::shared_ptr<WorkReports>, uint64_t>> snapshot();

 private:
  std::mutex mutex_;  // guards list_
  std::vector<std::shared_ptr<WorkReports>> list_;
};

}  // namespace jitc::runtime::cuda
