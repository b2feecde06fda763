#include "tests/unit/runtime_cuda/tour.hpp"

#include <cstring>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "jitc/array.hpp"
#include "runtime/common/buffer.hpp"
#include "runtime/common/host_block.hpp"
#include "runtime/common/make_array.hpp"
#include "runtime/cuda/cuda_backend.hpp"
#include "tests/support/error_text.hpp"
#include "tests/unit/runtime_cuda/fill_kernels.hpp"

namespace jitc::tests {

namespace {

using runtime::Backend;

using Ints = std::vector<int32_t>;

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

Array make_array(const std::shared_ptr<Backend>& backend, const std::vector<int64_t>& shape, const Stream& stream) {
  return runtime::make_array(backend, shape, DType::i4, stream.queue());
}

Ints ramp(size_t count) {
  Ints out(count);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

/// Runs, rectangles, transposed, backwards; in, out, within.
void copies(const std::shared_ptr<Backend>& backend, const Stream& stream) {
  const Array array = make_array(backend, {8, 8}, stream);
  array.copy_from_host(ramp(64), stream);
  Ints host(64);
  array.copy_to_host(host, stream);
  const Array copy = array.copy(stream);
  Ints half(32);
  copy.slice(1, 0, 4).copy_to_host(half, stream);
  copy.slice(1, 0, 4).copy_from_host(half, stream);
  copy.slice(1, 0, 8, 2).copy_from(array.slice(1, 0, 8, 2), stream);
  copy.slice(0, 7, -9, -1).copy_from(array, stream);
  array.transpose().copy_to_host(host.data(), 256, stream);
  backend->fill_zero(array.data(), 256, *stream.queue());
  stream.synchronize();
  require(host == ramp(64) || host[1] == 8, "the elements came through");
}

void events(const std::shared_ptr<Backend>& backend, const Stream& stream) {
  const auto begin = backend->make_marker({});
  const auto end = backend->make_marker({.blocking_sync = true});
  const auto mark = backend->make_marker({.timing = false});
  begin->record(*stream.queue());
  const Array array = make_array(backend, {4}, stream);
  end->record(*stream.queue());
  mark->record(*stream.queue());
  backend->default_queue()->wait(*mark);
  end->synchronize();
  static_cast<void>(end->is_done());
  static_cast<void>(begin->ms_until(*end));
}

void streams(const std::shared_ptr<Backend>& backend) {
  const Stream stream = Stream::of_queue(backend->make_queue({.non_blocking = true, .priority = -1}));
  const Stream own = Stream::of_queue(backend->per_thread_queue());
  const Stream external = Stream::of_queue(backend->external_queue(stream.native_handle()));
  auto calls = std::make_shared<int>(0);
  stream.add_callback([calls] { ++*calls; });
  external.synchronize();
  own.synchronize();
  static_cast<void>(stream.is_done());
  events(backend, stream);
  copies(backend, stream);
  copies(backend, own);
  require(*calls == 1, "the callback ran once");
}

void host_memory(const std::shared_ptr<Backend>& backend) {
  for (const HostMemoryKind kind : {HostMemoryKind::pinned, HostMemoryKind::mapped, HostMemoryKind::managed}) {
    const HostArray host(std::make_shared<runtime::HostBlock>(backend, 64, kind, HostMemoryOptions{}), DType::i4, {16});
    if (kind == HostMemoryKind::pinned) continue;
    const Array array = host.on_device();
    array.buffer()->use_on(backend->default_queue());
    backend->fill_zero(array.data(), 64, *backend->default_queue());
  }
  std::vector<std::byte> memory(4096);
  const PinnedScope pinned(backend, memory.data(), memory.size());
}

void launches(const std::shared_ptr<Backend>& backend, const Artifact& artifact, const Stream& stream) {
  const auto kernel = backend->load(artifact);
  const LaunchConfig config{.grid = {2}, .block = {64}, .dynamic_shared_bytes = 60000};
  backend->check_launch(*kernel, config);
  static_cast<void>(backend->best_block(*kernel, 0));
  const Array array = make_array(backend, {8}, stream);
  for (int i = 0; i < 3; ++i) backend->launch(*kernel, config, fill_params(8, array, i), *stream.queue());
  backend->launch(*kernel, config, fill_params(8, array, 7), *backend->default_queue());
  stream.synchronize();
}

/// More frees than are kept, memory of several queues, more than there is.
void memory(const std::shared_ptr<Backend>& backend) {
  const Stream stream = Stream::of_queue(backend->make_queue({.non_blocking = true}));
  for (int i = 0; i < 12; ++i) {
    const Array array = make_array(backend, {16 << i}, stream);
    const Array copy = array.copy(Stream::of_queue(backend->default_queue()));
  }
  try {
    backend->allocate(size_t{1} << 40, *stream.queue());
  } catch (const Error& error) {
    if (error.code() != ErrorCode::memory) throw;
  }
  static_cast<void>(backend->memory_state());
  backend->begin_deferred_cleanup();
  backend->end_deferred_cleanup();
  backend->trim();
  static_cast<void>(make_array(backend, {1 << 10}, stream));
}

void visit_all(const std::shared_ptr<Backend>& backend) {
  const Stream defaults = Stream::of_queue(backend->default_queue());
  copies(backend, defaults);
  streams(backend);
  host_memory(backend);
  const Stream stream = Stream::of_queue(backend->make_queue({}));
  for (const Artifact& artifact : {fill_artifact(), cooperative_artifact(), checked_artifact(), memory_artifact()}) {
    launches(backend, artifact, stream);
  }
  memory(backend);
  backend->synchronize();
}

}  // namespace

void tour(const char* library) {
  const auto backend = runtime::cuda::make_cuda_backend(runtime::cuda::Driver::load(library), 0);
  try {
    visit_all(backend);
  } catch (...) {
    // What a stream keeps for its work may keep the device: that must not be closed by the stream's thread. In the
    // library the list of devices holds it for good.
    error_of([&] { backend->synchronize(); });
    throw;
  }
}

}  // namespace jitc::tests
