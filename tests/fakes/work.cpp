#include "tests/fakes/work.hpp"

#include <algorithm>

#include "tests/fakes/state.hpp"

namespace jitc::tests::fake {

namespace {

constexpr double kWorkMs = 0.5;  // what each piece of work takes on the fake's clock

bool is_blocking(const CUstream_st& stream) { return (stream.flags & CU_STREAM_NON_BLOCKING) == 0; }

CUstream make_implicit_stream(CUcontext context) {
  CUstream stream = world().streams.add();
  stream->context = context;
  return stream;
}

CUstream legacy_stream(CUcontext context) {
  if (context->legacy_stream == nullptr) context->legacy_stream = make_implicit_stream(context);
  return context->legacy_stream;
}

CUstream thread_stream(CUcontext context) {
  CUstream& stream = context->thread_streams[std::this_thread::get_id()];
  if (stream == nullptr) stream = make_implicit_stream(context);
  return stream;
}

/// Merges what has not been done yet.
void merge(Clock& into, const Clock& other) {
  for (const auto& [stream, number] : other) {
    if (!is_done(*stream, number)) into[stream] = std::max(into[stream], number);
  }
}

bool comes_before(const Clock& clock, CUstream stream, uint64_t number) {
  const auto found = clock.find(stream);
  return found != clock.end() && found->second >= number;
}

/// The legacy stream and the blocking streams of a context wait for each other.
void join_legacy(CUstream stream) {
  CUstream legacy = stream->context->legacy_stream;
  if (legacy == nullptr || !is_blocking(*stream)) return;
  if (stream != legacy) return merge(stream->clock, legacy->clock);
  for (const auto& other : world().streams.all()) {
    if (other->context == stream->context && is_blocking(*other)) merge(stream->clock, other->clock);
  }
}

void check_uses(CUstream stream, const Work& work) {
  for (const AllocationPtr& used : work.uses) {
    if (used->is_free_queued) misuse(work.function, "uses memory after cuMemFreeAsync");
    if (used->born_on == nullptr || is_done(*used->born_on, used->born_number)) continue;
    if (!comes_before(stream->clock, used->born_on, used->born_number))
      misuse(work.function, "uses memory on a stream that does not wait for its cuMemAllocAsync");
  }
}

/// Null where the work belongs into a capture that is fine.
CUresult capture(CUstream stream, Work& work) {
  if (stream->capture->is_invalid) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  stream->capture->works.push_back(std::move(work));
  return CUDA_SUCCESS;
}

/// The legacy stream may not take part while a blocking stream is captured.
bool disturbs_capture(CUstream stream) {
  if (stream != stream->context->legacy_stream) return false;
  for (const auto& other : world().streams.all()) {
    if (other->context != stream->context || other->capture == nullptr || !is_blocking(*other)) continue;
    other->capture->is_invalid = true;
    return true;
  }
  return false;
}

void run(CUstream stream, Work work) {
  const CUresult context_state = stream->context->state;
  if (std::any_of(work.uses.begin(), work.uses.end(), [](const AllocationPtr& used) { return used->is_freed; })) {
    misuse(work.function, "its turn came when its memory was free");
  } else if (context_state == CUDA_SUCCESS || work.runs_in_broken_context) {
    work.run(context_state);
  }
  if (work.takes_time) world().clock_ms += kWorkMs;
}

/// Does what the front of the queue waits for; true when that may have let others change the queue.
bool clear_the_way(CUstream stream) {
  const Clock after = stream->queue.front().after;
  for (const auto& [other, number] : after) {
    if (other == stream || is_done(*other, number)) continue;
    drain(other, number);
    return true;
  }
  return false;
}

}  // namespace

CUstream find_stream(CUstream handle) {
  CUcontext context = current_context();
  const auto number = reinterpret_cast<uintptr_t>(handle);
  if (number == kNullStream || number == kLegacyStream) return legacy_stream(context);
  if (number == kPerThreadStream) return thread_stream(context);
  return world().streams.holds(handle) && handle->context == context ? handle : nullptr;
}

CUresult submit(CUstream stream, Work work) {
  if (stream->capture != nullptr) return capture(stream, work);
  if (disturbs_capture(stream)) return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  join_legacy(stream);
  check_uses(stream, work);
  work.number = ++world().last_work;
  work.after = stream->clock;
  stream->last = work.number;
  stream->clock.clear();
  merge(stream->clock, work.after);
  stream->queue.push_back(std::move(work));
  stream->clock[stream] = stream->last;
  if (!world().is_holding) drain(stream, stream->last);
  return CUDA_SUCCESS;
}

CUresult submit_and_wait(Work work) {
  CUstream stream = legacy_stream(current_context());
  const CUresult code = submit(stream, std::move(work));
  return code == CUDA_SUCCESS ? synchronise(stream) : code;
}

CUresult synchronise(CUstream stream) {
  if (stream->capture != nullptr) return invalidate_capture(stream);
  drain(stream, stream->last);
  world().memory.trim_to_thresholds();
  return stream->context->state;
}

CUresult invalidate_capture(CUstream stream) {
  stream->capture->is_invalid = true;
  return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

void wait_for(CUstream stream, const Clock& clock) { merge(stream->clock, clock); }

Clock clock_of(CUstream stream) {
  Clock clock;
  merge(clock, stream->clock);
  return clock;
}

bool is_done(const CUstream_st& stream, uint64_t number) {
  if (stream.running != 0 && stream.running <= number) return false;
  return stream.queue.empty() || stream.queue.front().number > number;
}

void drain(CUstream stream, uint64_t number) {
  while (!is_done(*stream, number)) {
    if (stream->running != 0) {
      std::unique_lock lock(state().mutex, std::adopt_lock);
      state().work_done.wait(lock);
      lock.release();
      continue;
    }
    if (clear_the_way(stream)) continue;
    Work work = std::move(stream->queue.front());
    stream->queue.pop_front();
    stream->running = work.number;
    run(stream, std::move(work));
    stream->running = 0;
    state().work_done.notify_all();
  }
}

void drain_all() {
  const uint64_t newest = world().last_work;
  const auto& streams = world().streams.all();
  for (size_t i = 0; i < streams.size(); ++i) drain(streams[i].get(), newest);  // others may add streams meanwhile
}

size_t pending_work() {
  size_t count = 0;
  for (const auto& stream : world().streams.all()) count += stream->queue.size();
  return count;
}

void check_unused(Function freeing, const Allocation& allocation) {
  for (const auto& stream : world().streams.all()) {
    for (const Work& work : stream->queue) {
      for (const AllocationPtr& used : work.uses) {
        if (used.get() == &allocation) return misuse(freeing, "frees memory that waiting work uses");
      }
    }
  }
}

void check_ordered(Function freeing, const Allocation& allocation, CUstream stream) {
  for (const auto& other : world().streams.all()) {
    for (const Work& work : other->queue) {
      const auto is_it = [&](const AllocationPtr& used) { return used.get() == &allocation; };
      if (std::none_of(work.uses.begin(), work.uses.end(), is_it)) continue;
      if (!comes_before(stream->clock, other.get(), work.number))
        return misuse(freeing, "frees memory on a stream that does not wait for its use on another");
    }
  }
}

}  // namespace jitc::tests::fake
