#include "runtime/common/make_array.hpp"

#include <utility>

#include "runtime/common/buffer.hpp"
#include "runtime/common/layout.hpp"

namespace jitc::runtime {

Array make_array(const std::shared_ptr<Backend>& backend, const std::vector<int64_t>& shape, DType dtype,
                 const std::shared_ptr<Queue>& queue) {
  const auto size_bytes = static_cast<size_t>(checked_size_bytes(shape, dtype));
  auto buffer = std::make_shared<Buffer>(backend, size_bytes, queue);
  return {std::move(buffer), dtype, shape, c_strides(shape, jitc::size_bytes(dtype)), 0};
}

}  // namespace jitc::runtime
