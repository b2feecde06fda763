// Streams, events, callbacks.
#include <fmt/format.h>

#include <atomic>
#include <thread>

#include "runtime/cuda/driver_abi.hpp"
#include "tests/unit/runtime_cuda/any_scene.hpp"
#include "tests/unit/runtime_cuda/cuda_scene.hpp"

using namespace jitc;
using namespace jitc::tests;
using runtime::cuda::CUstream;

namespace {

/// A function to call that notes that it was.
struct Flag {
  std::shared_ptr<std::atomic<int>> calls = std::make_shared<std::atomic<int>>(0);
  std::function<void()> function() const {
    return [calls = calls] { ++*calls; };
  }
};

FakePose two_devices() {
  FakePose pose;
  pose.devices.resize(2);
  return pose;
}

}  // namespace

TEST_CASE("the default queue is the legacy stream and the same each time") {
  const AnyScene scene(GENERATE(every_driver()));
  CHECK(scene->default_queue() == scene->default_queue());
  CHECK(scene.default_stream().native_handle() == nullptr);
}

TEST_CASE("each thread has a queue of its own, the same each time") {
  const AnyScene scene(GENERATE(every_driver()));
  const auto mine = scene->per_thread_queue();
  CHECK(mine == scene->per_thread_queue());
  CHECK(mine->native_handle() == runtime::cuda::special_pointer<void*>(runtime::cuda::kPerThreadStream));
  std::shared_ptr<runtime::Queue> other;
  std::thread([&] { other = scene->per_thread_queue(); }).join();
  CHECK(other != mine);
}

TEST_CASE("the queue of a thread cannot be used in another") {
  const AnyScene scene(GENERATE(every_driver()));
  std::shared_ptr<runtime::Queue> other;
  std::thread([&] { other = scene->per_thread_queue(); }).join();
  const std::string text =
      "the per-thread default stream of one thread is used in another, where its handle means that thread's own: ask "
      "for Stream::per_thread_default(device) there, or make a stream";
  CHECK_ERROR(other->synchronize(), ErrorCode::argument, text);
  CHECK_ERROR(scene->allocate(64, *other), ErrorCode::argument, text);
}

TEST_CASE("what a thread left undone in its queue is ordered before what another does with the memory") {
  const AnyScene scene(GENERATE(every_driver()));
  Array array;
  std::thread([&] { array = scene.iota({4}, Stream::of_queue(scene->per_thread_queue())); }).join();
  const Stream stream = scene.make_stream();
  CHECK(array.to_vector<int32_t>(stream) == std::vector<int32_t>{0, 1, 2, 3});
}

TEST_CASE("streams have the flags and the priority that were asked for, as far as the device has it") {
  const CudaScene scene;
  const auto priority_of = [&](int asked) {
    const Stream stream = scene.make_stream({.non_blocking = true, .priority = asked});
    int priority = 0;
    unsigned flags = 0;
    runtime::cuda::CUcontext context = nullptr;
    scene.driver->cuDevicePrimaryCtxRetain(&context, 0);
    scene.driver->cuCtxPushCurrent(context);
    auto* handle = static_cast<CUstream>(stream.native_handle());
    CHECK(scene.driver->cuStreamGetPriority(handle, &priority) == runtime::cuda::CUDA_SUCCESS);
    CHECK(scene.driver->cuStreamGetFlags(handle, &flags) == runtime::cuda::CUDA_SUCCESS);
    CHECK(flags == runtime::cuda::CU_STREAM_NON_BLOCKING);
    scene.driver->cuCtxPopCurrent(&context);
    scene.driver->cuDevicePrimaryCtxRelease(0);
    return priority;
  };
  CHECK(priority_of(0) == 0);
  CHECK(priority_of(-2) == -2);
  CHECK(priority_of(-99) == -5);
  CHECK(priority_of(3) == 0);
}

TEST_CASE("a stream is done when its work is") {
  const CudaScene scene;
  scene.fake->hold();
  const Stream stream = scene.make_stream();
  CHECK(stream.is_done());
  const Array array = scene.iota({4}, stream);
  CHECK_FALSE(stream.is_done());
  stream.synchronize();
  CHECK(stream.is_done());
}

TEST_CASE("streams of someone else are used when they are of the primary context") {
  const AnyScene scene(GENERATE(every_driver()));
  const Stream stream = scene.make_stream();
  const auto external = scene->external_queue(stream.native_handle());
  const Array array = scene.iota({4}, Stream::of_queue(external));
  external->synchronize();
  CHECK(array.to_vector<int32_t>() == std::vector<int32_t>{0, 1, 2, 3});
  CHECK(external->native_handle() == stream.native_handle());
}

TEST_CASE("a stream of someone else is not destroyed") {
  const CudaScene scene;
  const Stream stream = scene.make_stream();
  scene->external_queue(stream.native_handle());
  scene->synchronize();
  CHECK(scene.fake->live().streams == 1);
}

TEST_CASE("the special handles stand for the queues that there are") {
  const AnyScene scene(GENERATE(every_driver()));
  const auto handle = [](uintptr_t number) { return runtime::cuda::special_pointer<void*>(number); };
  CHECK(scene->external_queue(handle(runtime::cuda::kNullStream)) == scene->default_queue());
  CHECK(scene->external_queue(handle(runtime::cuda::kLegacyStream)) == scene->default_queue());
  CHECK(scene->external_queue(handle(runtime::cuda::kPerThreadStream)) == scene->per_thread_queue());
}

TEST_CASE("a stream of another context is refused") {
  const CudaScene scene(two_devices());
  const auto other = runtime::cuda::make_cuda_backend(scene.driver, 1);
  const auto queue = other->make_queue({});
  CHECK_ERROR(scene->external_queue(queue->native_handle()), ErrorCode::argument,
              fmt::format("the stream {} is not one of the primary context of cuda:0; jitc works in that alone",
                          queue->native_handle()));
}

TEST_CASE("what is no stream is refused") {
  const AnyScene scene(GENERATE(every_driver()));
  int nothing = 0;
  CHECK_ERROR(scene->external_queue(&nothing), ErrorCode::device,
              "looking at a stream of someone else on cuda:0: cuStreamGetCtx returned CUDA_ERROR_INVALID_HANDLE (400): "
              "invalid handle");
}

TEST_CASE("a stream of a destroyed context is refused, and the device lives on") {
  const CudaScene scene;
  scene.script("cuStreamGetCtx", 709, 1, FakeLasting::once);
  const Stream stream = scene.make_stream();
  CHECK_ERROR(scene->external_queue(stream.native_handle()), ErrorCode::argument,
              fmt::format("the stream {} is of a context that is destroyed", stream.native_handle()));
  CHECK(scene->external_queue(stream.native_handle())->native_handle() == stream.native_handle());
}

TEST_CASE("a stream waits for the event of another") {
  const AnyScene scene(GENERATE(every_driver()));
  const Stream first = scene.make_stream();
  const Stream second = scene.make_stream();
  const Array array = scene.iota({4}, first);
  const auto event = scene.make_event();
  event->record(*first.queue());
  second.queue()->wait(*event);
  const auto kernel = scene->load(fill_artifact());
  scene->launch(*kernel, {}, fill_params(4, array, 7), *second.queue());
  second.synchronize();
  CHECK(array.to_vector<int32_t>() == std::vector<int32_t>{7, 7, 7, 7});
}

TEST_CASE("a stream waits for the event of another device") {
  const CudaScene scene(two_devices());
  const auto other = runtime::cuda::make_cuda_backend(scene.driver, 1);
  const Flag flag;
  scene.fake->hold();
  const auto event = other->make_marker({});
  const auto queue = other->make_queue({.non_blocking = true});
  queue->call(flag.function());
  event->record(*queue);
  const Stream stream = scene.make_stream();
  stream.queue()->wait(*event);
  stream.synchronize();
  CHECK(*flag.calls == 1);
}

TEST_CASE("an event of another kind of device is refused") {
  class OtherMarker : public runtime::Marker {
   public:
    explicit OtherMarker(runtime::Backend& backend) : backend_(backend) {}
    runtime::Backend& backend() const override { return backend_; }
    void record(runtime::Queue&) override {}
    bool is_done() override { return true; }
    void synchronize() override {}
    double ms_until(runtime::Marker&) override { return 0; }

   private:
    runtime::Backend& backend_;
  };
  const CudaScene scene;
  OtherMarker marker(*scene.backend);
  CHECK_ERROR(scene->default_queue()->wait(marker), ErrorCode::argument,
              "a stream of cuda:0 cannot wait for an event of cuda:0");
}

TEST_CASE("an event that was never recorded is passed at once") {
  const AnyScene scene(GENERATE(every_driver()));
  const auto event = scene.make_event();
  CHECK(event->is_done());
  event->synchronize();
  scene->default_queue()->wait(*event);
}

TEST_CASE("an event is done when what it marks is") {
  const CudaScene scene;
  scene.fake->hold();
  const Stream stream = scene.make_stream();
  const Array array = scene.iota({4}, stream);
  const auto event = scene.make_event({.timing = false, .blocking_sync = true});
  event->record(*stream.queue());
  CHECK_FALSE(event->is_done());
  event->synchronize();
  CHECK(event->is_done());
}

TEST_CASE("the time between two events is that of the work between them") {
  const AnyScene scene(GENERATE(every_driver()));
  const Stream stream = scene.make_stream();
  const auto begin = scene.make_event();
  const auto end = scene.make_event();
  begin->record(*stream.queue());
  const Array array = scene.iota({4}, stream);
  end->record(*stream.queue());
  end->synchronize();
  CHECK(begin->ms_until(*end) > 0);
}

TEST_CASE("events without a time have none") {
  const AnyScene scene(GENERATE(every_driver()));
  const Stream stream = scene.make_stream();
  const auto timed = scene.make_event();
  const auto untimed = scene.make_event({.timing = false});
  timed->record(*stream.queue());
  untimed->record(*stream.queue());
  CHECK_ERROR(timed->ms_until(*untimed), ErrorCode::argument, "an event without timing has no time");
  CHECK_ERROR(timed->ms_until(*scene.make_event()), ErrorCode::argument, "an event that was not recorded has no time");
}

TEST_CASE("the time until an event that is not done is not known") {
  const CudaScene scene;
  scene.fake->hold();
  const Stream stream = scene.make_stream();
  const auto begin = scene.make_event();
  const auto end = scene.make_event();
  begin->record(*stream.queue());
  end->record(*stream.queue());
  CHECK_ERROR(begin->ms_until(*end), ErrorCode::argument,
              "the time between two events is known when both are done: synchronize() with the second");
}

TEST_CASE("a callback runs when its turn comes") {
  const CudaScene scene;
  scene.fake->hold();
  const Stream stream = scene.make_stream();
  const Flag flag;
  stream.add_callback(flag.function());
  CHECK(*flag.calls == 0);
  stream.synchronize();
  CHECK(*flag.calls == 1);
  CHECK(flag.calls.use_count() == 1);
}

TEST_CASE("what a callback throws is thrown by the next synchronize") {
  const AnyScene scene(GENERATE(every_driver()));
  const Stream stream = scene.make_stream();
  stream.add_callback([] { throw std::runtime_error("first"); });
  stream.add_callback([] { throw std::runtime_error("second"); });
  CHECK_THROWS_WITH(stream.synchronize(), "first");
  stream.synchronize();
}

TEST_CASE("what a callback throws is thrown by the wait for an event behind it, not for one before it") {
  const AnyScene scene(GENERATE(every_driver()));
  const Stream stream = scene.make_stream();
  const auto before = scene.make_event();
  const auto behind = scene.make_event();
  before->record(*stream.queue());
  stream.add_callback([] { throw std::runtime_error("thrown"); });
  behind->record(*stream.queue());
  before->synchronize();
  CHECK_THROWS_WITH(behind->synchronize(), "thrown");
  stream.synchronize();
}

TEST_CASE("the wait for an event forgets what went wrong before it, not after it") {
  const AnyScene scene(GENERATE(every_driver()));
  const Stream stream = scene.make_stream();
  const auto event = scene.make_event();
  const auto fail_around_it = [&](int behind) {
    for (const char* text : {"first", "second"}) stream.add_callback([text] { throw std::runtime_error(text); });
    event->record(*stream.queue());
    for (int i = 0; i < behind; ++i) stream.add_callback([] { throw std::runtime_error("behind"); });
  };
  for (const int behind : {1, 200}) {
    fail_around_it(behind);
    CHECK_THROWS_WITH(event->synchronize(), "first");
    event->synchronize();
    CHECK_THROWS_WITH(stream.synchronize(), "behind");
    stream.synchronize();
    fail_around_it(behind);
    CHECK_THROWS_WITH(event->synchronize(), "first");
    CHECK_THROWS_WITH(scene->synchronize(), "behind");
    stream.synchronize();
  }
}

TEST_CASE("what went wrong on a stream that is gone is thrown by the device's synchronize") {
  const AnyScene scene(GENERATE(every_driver()));
  scene.make_stream().add_callback([] { throw std::runtime_error("thrown"); });
  CHECK_THROWS_WITH(scene->synchronize(), "thrown");
  scene->synchronize();
}

TEST_CASE("a callback that uses the device is told that it must not") {
  const AnyScene scene(GENERATE(every_driver()));
  const Stream stream = scene.make_stream();
  stream.add_callback([&] { scene.empty({4}); });
  CHECK_ERROR(stream.synchronize(), ErrorCode::argument,
              "cuda:0 cannot be used in a function that a stream calls: it must not use CUDA");
}

TEST_CASE("a callback may let go of the last handles of arrays, streams, events and kernels") {
  const AnyScene scene(GENERATE(every_driver()));
  const Stream stream = scene.make_stream();
  auto kernel = scene->load(fill_artifact());
  for (int i = 0; i < 20; ++i) {
    auto array = std::make_shared<Array>(scene.iota({4}, stream));
    auto other = std::make_shared<Stream>(scene.make_stream());
    stream.add_callback([array = std::move(array), other = std::move(other), event = scene.make_event()] {});
  }
  stream.add_callback([kernel = std::move(kernel)] {});
  stream.synchronize();
  scene->trim();
  CHECK(scene->memory_state().reserved_bytes == 0);
}
