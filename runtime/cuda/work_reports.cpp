#include "runtime/cuda/work_reports.hpp"

#include <algorithm>
#include <cstring>

#include "jitc/cpu_abi.hpp"
#include "runtime/common/failure.hpp"

namespace jitc::runtime::cuda {

namespace {

// For events that stand between failures; who waits for all of a queue is told the first only.
constexpr size_t kMostFailures = 64;

std::exception_ptr failure_of(const Artifact& artifact, const PinnedBlock& block) {
  FailRecord record;
  std::memcpy(&record, block.data(), sizeof record);
  try {
    throw_if_failed(artifact, record);
  } catch (...) { return std::current_exception(); }
  return nullptr;
}

}  // namespace

uint64_t WorkReports::next_place() {
  const std::lock_guard lock(mutex_);
  return ++newest_;
}

uint64_t WorkReports::newest_place() {
  const std::lock_guard lock(mutex_);
  return newest_;
}

void WorkReports::add_launch(PinnedBlock record, std::shared_ptr<const Artifact> artifact) {
  const std::lock_guard lock(mutex_);
  launches_.push_back({++newest_, std::move(record), std::move(artifact)});
}

void WorkReports::add_failure(uint64_t place, std::exception_ptr failure) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    keep({place, std::move(failure)});
  } catch (...) {
    // Lost: there is no memory to keep it.
  }
}

size_t WorkReports::launch_count() {
  const std::lock_guard lock(mutex_);
  return launches_.size();
}

bool WorkReports::is_empty() {
  const std::lock_guard lock(mutex_);
  return launches_.empty() && failures_.empty();
}

void WorkReports::collect(uint64_t place) {
  const std::lock_guard lock(mutex_);
  collect_locked(place);
}

void WorkReports::collect_locked(uint64_t place) {
  std::erase_if(launches_, [&](const Launch& launch) {
    if (launch.place > place) return false;
    if (auto failure = failure_of(*launch.artifact, launch.record)) keep({launch.place, failure});
    return true;
  });
}

/// When there are too many, the first ones and the newest stay.
void WorkReports::keep(Failure failure) {
  const auto is_before = [](const Failure& a, const Failure& b) { return a.place < b.place; };
  failures_.insert(std::upper_bound(failures_.begin(), failures_.end(), failure, is_before), failure);
  if (failures_.size() > kMostFailures) failures_.erase(failures_.end() - 2);
}

void WorkReports::settle(uint64_t place) {
  Failure first{UINT64_MAX, nullptr};
  {
    const std::lock_guard lock(mutex_);
    collect_locked(place);
    std::erase_if(failures_, [&](const Failure& failure) {
      if (failure.place > place) return false;
      if (failure.place < first.place) first = failure;
      return true;
    });
  }
  if (first.what != nullptr) std::rethrow_exception(first.what);
}

void WorkReports::clear() {
  const std::lock_guard lock(mutex_);
  launches_.clear();
  failures_.clear();
}

AllReports::~AllReports() {
  for (const auto& reports : list_) reports->clear();
}

std::shared_ptr<WorkReports> AllReports::add() {
  auto reports = std::make_shared<WorkReports>();
  const std::lock_guard lock(mutex_);
  // Of a queue that is gone, and nothing to tell: a queue without work, or whose work was waited for.
  std::erase_if(list_, [](const auto& other) { return other.use_count() == 1 && other->is_empty(); });
  list_.push_back(reports);
  return reports;
}

std::vector<std::pair<std::shared_ptr<WorkReports>, uint64_t>> AllReports::snapshot() {
  const std::lock_guard lock(mutex_);
  std::vector<std::pair<std::shared_ptr<WorkReports>, uint64_t>> all;
  for (const auto& reports : list_) all.emplace_back(reports, reports->newest_place());
  return all;
}

}  // namespace jitc::runtime::cuda
