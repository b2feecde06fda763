#include "runtime/common/buffer.hpp"

#include <utility>

namespace jitc::runtime {

Buffer::Buffer(std::shared_ptr<Backend> backend, size_t size_bytes)
    : backend_(std::move(backend)), size_bytes_(size_bytes), data_(backend_->allocate(size_bytes)) {}

Buffer::~Buffer() { backend_->deallocate(data_, size_bytes_); }

}  // namespace jitc::runtime
