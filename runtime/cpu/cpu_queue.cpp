#include "runtime/cpu/cpu_queue.hpp"

#include <utility>

#include "runtime/common/error.hpp"

namespace jitc::runtime::cpu {

void CpuQueue::wait(Marker& marker) {
  schedule_->refuse_in_callbacks();
  const auto* own_kind = dynamic_cast<CpuMarker*>(&marker);
  if (own_kind == nullptr) {
    fail(ErrorCode::argument, "a stream of device {} cannot wait for an event of device {}", backend_.name(),
         marker.backend().name());
  }
  const std::shared_ptr<Record> record = own_kind->last();
  if (record != nullptr && record->lane != lane_ && !record->is_done()) wait_for(record);
}

std::shared_ptr<Record> DefaultQueue::record() {
  auto record = std::make_shared<Record>();
  record->schedule = schedule_;
  schedule_->run_default([&] {
    record->note_time();
    record->ticket = schedule_->failure_count();
  });
  return record;
}

/// What comes later runs after this returns.
void DefaultQueue::wait_for(const std::shared_ptr<Record>& record) { record->schedule->order(record->lane, nullptr); }

LaneQueue::LaneQueue(Backend& backend, std::shared_ptr<Schedule> schedule, const StreamOptions& options)
    : CpuQueue(backend, std::move(schedule)) {
  lane_ = schedule_->open_lane(!options.non_blocking);
}

std::shared_ptr<Record> LaneQueue::record() {
  auto record = std::make_shared<Record>();
  record->schedule = schedule_;
  record->lane = lane_;
  if (const std::optional<uint64_t> ticket = schedule_->ticket_if_free(*lane_)) {
    // Here already: its time is not that at which a thread would have woken up.
    record->note_time();
    record->ticket = *ticket;
    return record;
  }
  // Weak: the lane must not own what owns the lane.
  record->ticket = schedule_->give(lane_, [marked = std::weak_ptr(record)] {
    if (const auto alive = marked.lock()) alive->note_time();
  });
  return record;
}

void LaneQueue::wait_for(const std::shared_ptr<Record>& record) {
  schedule_->give(lane_, [record] { record->schedule->wait_for(*record->lane, record->ticket); });
}

void CpuMarker::record(Queue& queue) {
  schedule_->refuse_in_callbacks();
  std::shared_ptr<Record> record = static_cast<CpuQueue&>(queue).record();
  const auto lock = schedule_->lock();
  last_.swap(record);
}

std::shared_ptr<Record> CpuMarker::last() const {
  const auto lock = schedule_->lock();
  return last_;
}

bool CpuMarker::is_done() {
  const std::shared_ptr<Record> record = last();
  return record == nullptr || record->is_done();
}

void CpuMarker::synchronize() {
  schedule_->refuse_in_callbacks();
  const std::shared_ptr<Record> record = last();
  if (record == nullptr) return;
  if (record->lane == nullptr) return record->schedule->throw_default_failure(record->ticket);
  record->schedule->synchronize(record->lane, record->ticket);
}

double CpuMarker::ms_until(Marker& end) {
  return std::chrono::duration<double, std::milli>(static_cast<CpuMarker&>(end).time() - time()).count();
}

Record::Clock::duration CpuMarker::time() const {
  if (!timing_) fail(ErrorCode::argument, "an event without timing has no time");
  const std::shared_ptr<Record> record = last();
  if (record == nullptr) fail(ErrorCode::argument, "an event that was not recorded has no time");
  const Record::Clock::rep time = record->time;
  if (time == 0) fail(ErrorCode::argument, "an event that its stream has not come to has no time");
  return Record::Clock::duration(time);
}

}  // namespace jitc::runtime::cpu
