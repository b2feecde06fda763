// jitc::Array: copies between devices and hosts.
#include <utility>

#include "jitc/array.hpp"
#include "runtime/common/buffer.hpp"
#include "runtime/common/byte_range.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/layout.hpp"
#include "runtime/common/make_array.hpp"
#include "runtime/common/queue_of.hpp"

namespace jitc {

using runtime::Backend;
using runtime::fail;
using runtime::Queue;
using runtime::StridedCopy;
using runtime::tuple_text;

namespace {

constexpr const char* kSubject = "an array";

const runtime::Buffer& require_buffer(const Array& array) {
  if (!array.valid()) fail(ErrorCode::argument, "the array is empty: it was never allocated on a device");
  return *array.buffer();
}

void require_size(const Array& array, size_t size_bytes, const char* what) {
  require_buffer(array);
  if (std::cmp_equal(size_bytes, array.size_bytes())) return;
  fail(ErrorCode::argument, "the {} has {} bytes, the array of shape {} and type {} has {}", what, size_bytes,
       tuple_text(array.shape()), name(array.dtype()), array.size_bytes());
}

/// The strides of the host's elements along the array's axes.
std::vector<int64_t> host_strides(const Array& array, const HostView& host) {
  require_buffer(array);
  if (host.dtype() != array.dtype()) {
    fail(ErrorCode::argument, "the array has elements of type {}, the host's are {}", name(array.dtype()),
         name(host.dtype()));
  }
  if (host.shape() == array.shape()) return host.strides();
  const size_t elem_bytes = size_bytes(array.dtype());
  if (host.size() != array.size() || !runtime::is_c_contiguous(host.shape(), host.strides(), elem_bytes)) {
    fail(ErrorCode::argument, "the array has shape {}, the host's elements {}", tuple_text(array.shape()),
         tuple_text(host.shape()));
  }
  return runtime::c_strides(array.shape(), elem_bytes);
}

/// Counts it, and gives it to the queue.
void run_copy(const StridedCopy& copy, const Array& array, const std::shared_ptr<Queue>& queue) {
  Backend& backend = queue->backend();
  array.buffer()->use_on(queue);
  backend.copy(copy, *queue);
  const auto size = static_cast<uint64_t>(array.size_bytes());
  runtime::Counters& counters = backend.counters;
  switch (copy.direction) {
    case StridedCopy::Direction::host_to_device: ++counters.copies_in, counters.bytes_in += size; break;
    case StridedCopy::Direction::device_to_host: ++counters.copies_out, counters.bytes_out += size; break;
    case StridedCopy::Direction::within_device: ++counters.copies_within, counters.bytes_within += size; break;
  }
}

/// Both on one device, and apart.
void copy_within(const Array& from, const Array& to, const std::shared_ptr<Queue>& queue) {
  from.buffer()->use_on(queue);
  run_copy({StridedCopy::Direction::within_device, to.data(), from.data(), to.shape(), to.strides(), from.strides(),
            size_bytes(to.dtype())},
           to, queue);
}

/// By way of the host, which waits for the source.
void copy_across(const Array& from, const Array& to, const std::shared_ptr<Queue>& queue) {
  const auto host = std::make_shared<std::vector<std::byte>>(static_cast<size_t>(from.size_bytes()));
  from.copy_to_host(host->data(), host->size());
  to.copy_from_host(host->data(), host->size(), Stream::of_queue(queue));
  if (queue != queue->backend().default_queue()) queue->keep(host);
}

}  // namespace

void Array::copy_to_host(void* destination, size_t size_bytes, const Stream& stream) const {
  require_size(*this, size_bytes, "destination");
  copy_to_host(HostView(destination, dtype_, shape_), stream);
}

void Array::copy_to_host(const HostView& destination, const Stream& stream) const {
  const std::vector<int64_t> strides = host_strides(*this, destination);
  if (destination.access() == HostAccess::in) {
    fail(ErrorCode::argument, "the host's elements are for reading only; the array cannot be copied to them");
  }
  const std::shared_ptr<Queue> queue = runtime::queue_of(stream, *buffer_->backend(), kSubject);
  if (size() == 0) return;
  run_copy({StridedCopy::Direction::device_to_host, destination.data(), data(), shape_, strides, strides_,
            jitc::size_bytes(dtype_)},
           *this, queue);
}

void Array::copy_from_host(const void* source, size_t size_bytes, const Stream& stream) const {
  require_size(*this, size_bytes, "source");
  copy_from_host(HostView(source, dtype_, shape_), stream);
}

void Array::copy_from_host(const HostView& source, const Stream& stream) const {
  const std::vector<int64_t> strides = host_strides(*this, source);
  const std::shared_ptr<Queue> queue = runtime::queue_of(stream, *buffer_->backend(), kSubject);
  if (size() == 0) return;
  run_copy({StridedCopy::Direction::host_to_device, data(), source.data(), shape_, strides_, strides,
            jitc::size_bytes(dtype_)},
           *this, queue);
}

void Array::copy_from(const Array& source, const Stream& stream) const {
  require_buffer(*this);
  require_buffer(source);
  if (source.dtype() != dtype_ || source.shape() != shape_) {
    fail(ErrorCode::argument, "the array is {}{}, the source {}{}", name(dtype_), tuple_text(shape_),
         name(source.dtype()), tuple_text(source.shape()));
  }
  const std::shared_ptr<Queue> queue = runtime::queue_of(stream, *buffer_->backend(), kSubject);
  if (size() == 0) return;
  if (source.buffer()->backend() != buffer_->backend()) return copy_across(source, *this, queue);
  const bool apart = !runtime::byte_range(source).overlaps(runtime::byte_range(*this));
  copy_within(apart ? source : source.copy(stream), *this, queue);
}

Array Array::copy(const Stream& stream) const {
  const std::shared_ptr<Backend>& backend = require_buffer(*this).backend();
  const std::shared_ptr<Queue> queue = runtime::queue_of(stream, *backend, kSubject);
  const Array out = runtime::make_array(backend, shape_, dtype_, queue);
  if (size() != 0) copy_within(*this, out, queue);
  return out;
}

}  // namespace jitc
