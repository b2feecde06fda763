// A backend over some driver, and short ways to what tests make of it.
#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <numeric>
#include <vector>

#include "jitc/array.hpp"
#include "runtime/common/backend.hpp"
#include "runtime/common/make_array.hpp"

namespace jitc::tests {

class BackendScene {
 public:
  runtime::Backend* operator->() const { return backend.get(); }

  Stream default_stream() const { return Stream::of_queue(backend->default_queue()); }
  Stream make_stream(const StreamOptions& options = {.non_blocking = true}) const {
    return Stream::of_queue(backend->make_queue(options));
  }
  std::shared_ptr<runtime::Marker> make_event(const EventOptions& options = {}) const {
    return backend->make_marker(options);
  }
  Array empty(const std::vector<int64_t>& shape, DType dtype = DType::i4, const Stream& stream = {}) const {
    return runtime::make_array(backend, shape, dtype, stream.is_default() ? backend->default_queue() : stream.queue());
  }
  /// 0, 1, 2 …
  Array iota(const std::vector<int64_t>& shape, const Stream& stream = {}) const {
    Array array = empty(shape, DType::i4, stream);
    std::vector<int32_t> elems(static_cast<size_t>(array.size()));
    std::iota(elems.begin(), elems.end(), 0);
    array.copy_from_host(elems, stream);
    return array;
  }

  std::shared_ptr<runtime::Backend> backend;
};

}  // namespace jitc::tests
