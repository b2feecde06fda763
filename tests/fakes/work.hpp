// Streams: the order in which their work is done. It is done by the threads that ask for its results; while the fake
// does not hold, by the thread that asks for the work.
#pragma once

#include "tests/fakes/objects.hpp"

namespace jitc::tests::fake {

/// The stream behind a handle: null and the two special ones stand for streams of the current context. Null where the
/// handle is none, or belongs to another context.
CUstream find_stream(CUstream handle);

/// Puts work on a stream; its code is that of a capture gone wrong.
CUresult submit(CUstream stream, Work work);
/// The same, and waits for it: on the legacy stream of the current context.
CUresult submit_and_wait(Work work);
/// Waits for all of the stream; its code is that of a context that broke, or of a capture, which that ends.
CUresult synchronise(CUstream stream);
/// What waiting inside a capture comes to.
CUresult invalidate_capture(CUstream stream);
/// What comes next on `stream` waits for what `clock` names.
void wait_for(CUstream stream, const Clock& clock);
/// The work that is on the stream now, and before it.
Clock clock_of(CUstream stream);

bool is_done(const CUstream_st& stream, uint64_t number);
/// Does, or waits for, all work of the stream up to that number, and what comes before it.
void drain(CUstream stream, uint64_t number);
void drain_all();
/// Work of all streams that waits.
size_t pending_work();

/// Notes a misuse where waiting work uses memory that `freeing` frees now.
void check_unused(Function freeing, const Allocation& allocation);
/// Notes a misuse where waiting work uses memory that `freeing` frees in its turn on `stream`, without an order
/// between.
void check_ordered(Function freeing, const Allocation& allocation, CUstream stream);

}  // namespace jitc::tests::fake
