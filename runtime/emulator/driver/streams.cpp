#include "runtime/emulator/driver/streams.hpp"

#include <algorithm>

#include "runtime/emulator/driver/pools.hpp"

namespace jitc::emulator::driver {
namespace {

bool is_blocking(const Stream& stream) { return (stream.flags & CU_STREAM_NON_BLOCKING) == 0; }
bool is_idle(const Stream& stream) { return stream.finished == stream.submitted; }

StreamPtr legacy_stream(Context* context) {
  if (context->legacy_stream == nullptr) context->legacy_stream = make_stream(context, CU_STREAM_DEFAULT, 0);
  return context->legacy_stream;
}

StreamPtr thread_stream(Context* context) {
  StreamPtr& stream = context->thread_streams[std::this_thread::get_id()];
  if (stream == nullptr) stream = make_stream(context, CU_STREAM_DEFAULT, 0);
  return stream;
}

/// The next work of the stream comes after what the other has now.
void come_after(Stream& stream, const StreamPtr& other) {
  if (other.get() != &stream && !is_idle(*other)) stream.waits.push_back(mark_of(other));
}

/// The legacy stream and the blocking streams of a context wait for each other.
void join_legacy(Stream& stream) {
  const StreamPtr& legacy = stream.context->legacy_stream;
  if (legacy == nullptr || !is_blocking(stream)) return;
  if (&stream != legacy.get()) return come_after(stream, legacy);
  for (const StreamPtr& other : stream.context->streams) {
    if (is_blocking(*other)) come_after(stream, other);
  }
}

CUresult capture(Stream& stream, Work work) {
  if (stream.capture->is_invalid) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  stream.capture->works.push_back(std::move(work));
  return CUDA_SUCCESS;
}

/// The legacy stream may not take part while a blocking stream is captured.
bool disturbs_capture(const Stream& stream) {
  if (&stream != stream.context->legacy_stream.get()) return false;
  bool is_disturbed = false;
  for (const StreamPtr& other : stream.context->streams) {
    if (other->capture == nullptr || !is_blocking(*other)) continue;
    other->capture->is_invalid = true;
    is_disturbed = true;
  }
  return is_disturbed;
}

/// Destroyed streams stay until their work is done: others may have to wait for it.
void forget_ended_streams(Context& context) {
  std::erase_if(context.streams, [](const StreamPtr& one) { return one->is_destroyed && is_idle(*one); });
}

/// Without the lock, which the work may take.
CUresult run_unlocked(std::unique_lock<std::mutex>& lock, Work work, CUresult context_state) {
  lock.unlock();
  const CUresult code = work.run(context_state);
  work = {};  // what it holds may be much, or a program's last hold on something
  lock.lock();
  return code;
}

void run_next(std::unique_lock<std::mutex>& lock, Stream& stream) {
  const std::vector<Mark> after = std::move(stream.queue.front().after);
  state().work_done.wait(lock, [&] { return std::all_of(after.begin(), after.end(), is_done); });
  Work work = std::move(stream.queue.front());
  stream.queue.pop_front();
  Context& context = *stream.context;
  if (context.state == CUDA_SUCCESS || work.runs_in_broken_context) {
    const CUresult code = run_unlocked(lock, std::move(work), context.state);
    if (code != CUDA_SUCCESS && context.state == CUDA_SUCCESS) context.state = code;
  }
  ++stream.finished;
  state().work_done.notify_all();
}

/// A thread that finds nothing to do for so long ends, as does that of a destroyed stream; the next work starts
/// another.
constexpr auto kIdleTime = std::chrono::seconds(1);

bool wait_for_work(std::unique_lock<std::mutex>& lock, Stream& stream) {
  stream.changed.wait_for(lock, kIdleTime, [&] { return !stream.queue.empty() || stream.is_destroyed; });
  return !stream.queue.empty();
}

void run_stream(const StreamPtr& stream) {
  std::unique_lock lock(state().mutex);
  state().working_threads.insert(std::this_thread::get_id());
  while (wait_for_work(lock, *stream)) run_next(lock, *stream);
  state().working_threads.erase(std::this_thread::get_id());
  stream->has_thread = false;
}

void start_thread(const StreamPtr& stream) {
  if (stream->has_thread) return;
  std::thread([stream] { run_stream(stream); }).detach();
  stream->has_thread = true;
}

}  // namespace

bool is_working_thread() { return state().working_threads.count(std::this_thread::get_id()) != 0; }

StreamPtr make_stream(Context* context, unsigned flags, int priority) {
  auto made = std::make_shared<Stream>();
  made->context = context;
  made->flags = flags;
  made->priority = priority;
  context->streams.push_back(made);
  return made;
}

StreamPtr find_stream(CUstream handle) {
  Context* context = current_context();
  const auto number = reinterpret_cast<uintptr_t>(handle);
  if (number == kNullStream || number == kLegacyStream) return legacy_stream(context);
  if (number == kPerThreadStream) return thread_stream(context);
  StreamPtr found = state().streams.find(handle);
  return found != nullptr && found->context == context ? found : nullptr;
}

void mark_destroyed(Stream& stream) {
  stream.is_destroyed = true;
  stream.changed.notify_one();
}

CUresult submit(const StreamPtr& stream, Work work) {
  if (stream->capture != nullptr) return capture(*stream, std::move(work));
  if (disturbs_capture(*stream)) return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  join_legacy(*stream);
  start_thread(stream);
  work.after = std::exchange(stream->waits, {});
  stream->queue.push_back(std::move(work));
  ++stream->submitted;
  forget_ended_streams(*stream->context);
  stream->changed.notify_one();
  return CUDA_SUCCESS;
}

CUresult submit_and_wait(Work work) {
  const StreamPtr stream = legacy_stream(current_context());
  const CUresult code = submit(stream, std::move(work));
  return code == CUDA_SUCCESS ? synchronise(stream) : code;
}

CUresult synchronise(const StreamPtr& stream) {
  if (stream->capture != nullptr) return invalidate_capture(*stream);
  wait_for(mark_of(stream));
  trim_to_thresholds();
  return stream->context->state;
}

CUresult invalidate_capture(Stream& stream) {
  stream.capture->is_invalid = true;
  return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

void wait_for(const Mark& mark) {
  wait_until([&] { return is_done(mark); });
}

void drain(Context& context) {
  std::vector<Mark> marks;
  for (const StreamPtr& stream : context.streams) marks.push_back(mark_of(stream));
  for (const Mark& mark : marks) wait_for(mark);
  forget_ended_streams(context);
}

}  // namespace jitc::emulator::driver
