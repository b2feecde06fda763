#include "runtime/common/host_arguments.hpp"

#include <optional>
#include <utility>

#include "runtime/common/buffer.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/layout.hpp"
#include "runtime/common/make_array.hpp"

namespace jitc::runtime {

namespace {

bool is_aligned(const HostView& host) {
  const auto elem_bytes = static_cast<int64_t>(size_bytes(host.dtype()));
  if (reinterpret_cast<uintptr_t>(host.data()) % static_cast<uintptr_t>(elem_bytes) != 0) return false;
  for (const int64_t stride : host.strides()) {
    if (stride % elem_bytes != 0) return false;
  }
  return true;
}

/// The memory itself as an array of the CPU.
Array wrap(const HostView& host, const std::shared_ptr<Backend>& backend) {
  if (host.size() == 0) {  // its address may be null, which nothing is added to
    auto nothing = std::make_shared<Buffer>(backend, nullptr, 0, nullptr);
    return {std::move(nothing), host.dtype(), host.shape(), host.strides(), 0};
  }
  const std::optional<ByteSpan> span = byte_span(host.shape(), host.strides(), size_bytes(host.dtype()));
  if (!span) {
    fail(ErrorCode::argument, "host memory of shape {} and strides {} is more than 2^63 - 1 bytes apart",
         tuple_text(host.shape()), tuple_text(host.strides()));
  }
  auto buffer = std::make_shared<Buffer>(backend, host.data() + span->begin,
                                         static_cast<size_t>(span->end - span->begin), nullptr);
  return {std::move(buffer), host.dtype(), host.shape(), host.strides(), -span->begin};
}

/// An array of the device with the host's order, so that it fits f4[::1,:] where the host's elements do.
Array make_like(const HostView& host, const std::shared_ptr<Backend>& backend, const std::shared_ptr<Queue>& queue) {
  const size_t elem_bytes = size_bytes(host.dtype());
  const bool is_fortran = is_fortran_contiguous(host.shape(), host.strides(), elem_bytes) &&
                          !is_c_contiguous(host.shape(), host.strides(), elem_bytes);
  if (!is_fortran) return make_array(backend, host.shape(), host.dtype(), queue);
  return make_array(backend, {host.shape().rbegin(), host.shape().rend()}, host.dtype(), queue).transpose();
}

}  // namespace

std::vector<Argument> with_host_layouts(std::span<const Argument> args, const std::shared_ptr<Backend>& cpu) {
  std::vector<Argument> out;
  out.reserve(args.size());
  for (const Argument& arg : args) {
    const auto* host = std::get_if<HostView>(&arg.value());
    out.push_back(host == nullptr ? arg : Argument(wrap(*host, cpu)));
  }
  return out;
}

HostArguments::HostArguments(std::span<const Argument> args, const std::shared_ptr<Backend>& backend,
                             const std::shared_ptr<Queue>& queue)
    : backend_(backend), queue_(queue) {
  for (size_t i = 0; i < args.size(); ++i) {
    const auto* host = std::get_if<HostView>(&args[i].value());
    if (host == nullptr) continue;
    const bool is_same_memory = backend->is_host() && is_aligned(*host);
    views_.push_back(
        {i, *host, is_same_memory ? wrap(*host, backend) : make_like(*host, backend, queue), is_same_memory});
  }
}

void HostArguments::put_arrays(std::vector<Argument>& args) const {
  for (const View& view : views_) args[view.argument] = view.array;
}

void HostArguments::copy_in(std::span<const ArgumentInfo> infos, std::vector<Argument>& args) {
  must_wait_ = !views_.empty();
  for (View& view : views_) {
    const bool is_written = infos[view.argument].written;
    if (view.is_same_memory) {
      if (!is_written || view.host.access() != HostAccess::in) continue;
      args[view.argument] = view.array = make_like(view.host, backend_, queue_);
      view.is_same_memory = false;
    }
    if (view.host.access() == HostAccess::out && is_written) continue;
    view.array.copy_from_host(view.host, Stream::of_queue(queue_));
    ++backend_->counters.implicit_copies_in;
  }
}

void HostArguments::copy_back(std::span<const ArgumentInfo> infos) {
  for (const View& view : views_) {
    if (view.is_same_memory || view.host.access() == HostAccess::in || !infos[view.argument].written) continue;
    view.array.copy_to_host(view.host, Stream::of_queue(queue_));
    ++backend_->counters.implicit_copies_out;
  }
  wait();
}

void HostArguments::wait() {
  if (std::exchange(must_wait_, false)) queue_->synchronize();
}

HostArguments::~HostArguments() {
  try {
    wait();
  } catch (...) {
    // What brought us here says more.
  }
}

}  // namespace jitc::runtime
