// Streams: each has a thread that does its work in order, after all that the work depends on.
#pragma once

#include "runtime/emulator/driver/state.hpp"

namespace jitc::emulator::driver {

/// The stream behind a handle: null and the two special ones stand for streams of the current context. Null where the
/// handle is none, or belongs to another context.
StreamPtr find_stream(CUstream handle);
StreamPtr make_stream(Context* context, unsigned flags, int priority);
/// Its work goes on; its thread ends behind that.
void mark_destroyed(Stream& stream);

/// Puts work on a stream, or into its capture; its code is that of a capture gone wrong.
CUresult submit(const StreamPtr& stream, Work work);
/// The same on the legacy stream of the current context, and waits for it.
CUresult submit_and_wait(Work work);

/// Waits for all of the stream; its code is that of a context that broke, or of a capture, which that ends.
CUresult synchronise(const StreamPtr& stream);
/// What waiting inside a capture comes to.
CUresult invalidate_capture(Stream& stream);
/// Waits for all streams of the context, whatever becomes of the work.
void drain(Context& context);
void wait_for(const Mark& mark);

/// All work that the stream has now.
inline Mark mark_of(const StreamPtr& stream) { return {stream, stream->submitted}; }
inline bool is_done(const Mark& mark) { return mark.stream == nullptr || mark.stream->finished >= mark.number; }

/// Whether the calling thread is one that does work: functions of the program that it calls must not call the driver.
bool is_working_thread();

}  // namespace jitc::emulator::driver
