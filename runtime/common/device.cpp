// jitc::Device but for open(), list() and the like, which know the backends and live with the engine.
#include "jitc/device.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "runtime/common/buffer.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/host_block.hpp"
#include "runtime/common/layout.hpp"
#include "runtime/common/make_array.hpp"
#include "runtime/common/queue_of.hpp"

namespace jitc {

namespace {

HostArray make_host_array(const std::shared_ptr<runtime::Backend>& backend, const std::vector<int64_t>& shape,
                          DType dtype, HostMemoryKind kind, const HostMemoryOptions& options) {
  const auto size_bytes = static_cast<size_t>(runtime::checked_size_bytes(shape, dtype));
  return {std::make_shared<runtime::HostBlock>(backend, size_bytes, kind, options), dtype, shape};
}

/// Strides without gaps whose order of axes is that of `strides`; axes of equal strides keep their C order.
std::vector<int64_t> packed_like(std::span<const int64_t> shape, std::span<const int64_t> strides, size_t elem_bytes) {
  std::vector<size_t> axes(shape.size());
  std::iota(axes.begin(), axes.end(), size_t{0});
  const auto reach = [&](size_t axis) { return strides[axis] < 0 ? -strides[axis] : strides[axis]; };
  std::stable_sort(axes.begin(), axes.end(), [&](size_t a, size_t b) { return reach(a) > reach(b); });
  std::vector<int64_t> out(shape.size());
  auto stride = static_cast<int64_t>(elem_bytes);
  for (size_t i = axes.size(); i-- > 0;) {
    out[axes[i]] = stride;
    stride *= std::max<int64_t>(shape[axes[i]], 1);
  }
  return out;
}

/// Where the elements of wrapped memory lie, from that at (0, 0, …).
runtime::ByteSpan span_of_wrapped(const std::vector<int64_t>& shape, const std::vector<int64_t>& strides, DType dtype) {
  if (runtime::checked_size_bytes(shape, dtype) == 0) return {};
  const std::optional<runtime::ByteSpan> span = runtime::byte_span(shape, strides, size_bytes(dtype));
  if (span && span->end - span->begin >= 0) return *span;
  runtime::fail(ErrorCode::argument, "wrapped memory of shape {} and strides {} is more than 2^63 - 1 bytes apart",
                runtime::tuple_text(shape), runtime::tuple_text(strides));
}

/// A GPU reads no element at an address that is not a multiple of its size, and is lost to the process when it tries.
void check_alignment(const runtime::Backend& backend, const void* data, const std::vector<int64_t>& shape,
                     const std::vector<int64_t>& strides, DType dtype) {
  const size_t unit = size_bytes(part_type(dtype));
  if (reinterpret_cast<uintptr_t>(data) % unit != 0) {
    runtime::fail(ErrorCode::argument,
                  "wrapped memory: the address {} is no multiple of {} bytes, as {} needs on {}; copy the elements",
                  fmt::ptr(data), unit, name(dtype), backend.name());
  }
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] < 2 || strides[axis] % static_cast<int64_t>(unit) == 0) continue;
    runtime::fail(ErrorCode::argument,
                  "wrapped memory: the strides {} are no multiples of {} bytes, as {} needs on {}; copy the elements",
                  runtime::tuple_text(strides), unit, name(dtype), backend.name());
  }
}

}  // namespace

Device::Device(std::shared_ptr<runtime::Backend> backend, std::string why)
    : backend_(std::move(backend)), why_(std::move(why)) {}

const std::string& Device::name() const { return backend_->name(); }
const std::string& Device::why() const { return why_; }
std::string Device::description() const { return backend_->description(); }
bool Device::is_host() const { return backend_->is_host(); }

Array Device::empty(const std::vector<int64_t>& shape, DType dtype, const Stream& stream) const {
  return runtime::make_array(backend_, shape, dtype, runtime::queue_of(stream, *backend_, "an array"));
}

Array Device::zeros(const std::vector<int64_t>& shape, DType dtype, const Stream& stream) const {
  Array out = empty(shape, dtype, stream);
  if (out.size() != 0) {
    backend_->fill_zero(out.data(), static_cast<size_t>(out.size_bytes()),
                        *runtime::queue_of(stream, *backend_, "an array"));
  }
  return out;
}

Array Device::empty_like(const Array& array, const Stream& stream) const {
  if (!array.valid()) {
    runtime::fail(ErrorCode::argument, "the array is empty: it was never allocated on a device, so nothing is like it");
  }
  const Array out = empty(array.shape(), array.dtype(), stream);
  return {out.buffer(), out.dtype(), out.shape(),
          packed_like(array.shape(), array.strides(), jitc::size_bytes(array.dtype())), 0};
}

Array Device::to_device(const void* source, const std::vector<int64_t>& shape, DType dtype,
                        const Stream& stream) const {
  return to_device(HostView(source, dtype, shape), stream);
}

Array Device::to_device(const HostView& source, const Stream& stream) const {
  Array out = empty(source.shape(), source.dtype(), stream);
  out.copy_from_host(source, stream);
  return out;
}

Array Device::wrap(void* device_data, const std::vector<int64_t>& shape, DType dtype,
                   const std::vector<int64_t>& strides_bytes, std::shared_ptr<void> owner) const {
  const std::vector<int64_t> strides =
      strides_bytes.empty() ? runtime::c_strides(shape, jitc::size_bytes(dtype)) : strides_bytes;
  if (strides.size() != shape.size()) {
    runtime::fail(ErrorCode::argument, "wrapped memory: shape {} and strides {} differ in length",
                  runtime::tuple_text(shape), runtime::tuple_text(strides));
  }
  const runtime::ByteSpan span = span_of_wrapped(shape, strides, dtype);
  const auto size_bytes = static_cast<size_t>(span.end - span.begin);
  if (device_data == nullptr && size_bytes != 0) {
    runtime::fail(ErrorCode::argument, "wrapped memory of shape {} has a null address", runtime::tuple_text(shape));
  }
  if (!backend_->is_host() && size_bytes != 0) check_alignment(*backend_, device_data, shape, strides, dtype);
  auto* const lowest = size_bytes == 0 ? nullptr : static_cast<std::byte*>(device_data) + span.begin;
  auto buffer = std::make_shared<runtime::Buffer>(backend_, lowest, size_bytes, std::move(owner));
  return {std::move(buffer), dtype, shape, strides, -span.begin};
}

HostArray Device::pinned_array(const std::vector<int64_t>& shape, DType dtype, const HostMemoryOptions& options) const {
  return make_host_array(backend_, shape, dtype, HostMemoryKind::pinned, options);
}

HostArray Device::mapped_array(const std::vector<int64_t>& shape, DType dtype, const HostMemoryOptions& options) const {
  return make_host_array(backend_, shape, dtype, HostMemoryKind::mapped, options);
}

HostArray Device::managed_array(const std::vector<int64_t>& shape, DType dtype,
                                const HostMemoryOptions& options) const {
  return make_host_array(backend_, shape, dtype, HostMemoryKind::managed, options);
}

void Device::synchronize() const {
  ++backend_->counters.synchronizations;
  backend_->synchronize();
}

size_t Device::trim() const { return backend_->trim(); }

DeviceStatistics Device::statistics() const {
  const runtime::MemoryState memory = backend_->memory_state();
  const runtime::Counters& counters = backend_->counters;
  DeviceStatistics out;
  out.allocations = counters.allocations;
  out.frees = counters.frees;
  out.live_bytes = counters.live_bytes;
  out.peak_bytes = counters.peak_bytes;
  out.pending_frees = memory.pending_frees;
  out.pending_bytes = memory.pending_bytes;
  out.reserved_bytes = memory.reserved_bytes;
  out.free_memory = memory.free_bytes;
  out.total_memory = memory.total_bytes;
  out.copies_in = counters.copies_in;
  out.bytes_in = counters.bytes_in;
  out.copies_out = counters.copies_out;
  out.bytes_out = counters.bytes_out;
  out.copies_within = counters.copies_within;
  out.bytes_within = counters.bytes_within;
  out.implicit_copies_in = counters.implicit_copies_in;
  out.implicit_copies_out = counters.implicit_copies_out;
  out.launches = counters.launches;
  out.synchronizations = counters.synchronizations;
  return out;
}

void Device::check_count(size_t count_elems, const std::vector<int64_t>& shape) {
  const int64_t wanted = runtime::checked_size_bytes(shape, DType::b1);
  if (std::cmp_not_equal(count_elems, wanted)) {
    runtime::fail(ErrorCode::argument, "{} elements were given for an array of shape {}, which has {}", count_elems,
                  runtime::tuple_text(shape), wanted);
  }
}

PinnedScope::PinnedScope(std::shared_ptr<runtime::Backend> backend, void* data, size_t size_bytes)
    : backend_(std::move(backend)), data_(data) {
  if (data == nullptr || size_bytes == 0) {
    runtime::fail(ErrorCode::argument, "there is nothing to pin: {} bytes at {}", size_bytes, data);
  }
  backend_->pin(data, size_bytes);
}

PinnedScope::~PinnedScope() { backend_->unpin(data_); }

DeferCleanup::DeferCleanup(const Device& device) : backend_(device.backend()) { backend_->begin_deferred_cleanup(); }

DeferCleanup::~DeferCleanup() { backend_->end_deferred_cleanup(); }

}  // namespace jitc
