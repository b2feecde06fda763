// jitc::Device but for open(), which knows the backends and lives with the engine.
#include "jitc/device.hpp"

#include <utility>

#include "runtime/common/buffer.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/layout.hpp"

namespace jitc {

Device::Device(std::shared_ptr<runtime::Backend> backend, std::string why)
    : backend_(std::move(backend)), why_(std::move(why)) {}

const std::string& Device::name() const { return backend_->name(); }
const std::string& Device::why() const { return why_; }
std::string Device::description() const { return backend_->description(); }

Array Device::empty(const std::vector<int64_t>& shape, DType dtype) const {
  const int64_t size_bytes = runtime::checked_size_bytes(shape, dtype);
  auto buffer = std::make_shared<runtime::Buffer>(backend_, static_cast<size_t>(size_bytes));
  return {std::move(buffer), dtype, shape, runtime::c_strides(shape, jitc::size_bytes(dtype)), 0};
}

Array Device::zeros(const std::vector<int64_t>& shape, DType dtype) const {
  Array out = empty(shape, dtype);
  if (out.size() != 0) backend_->fill_zero(out.data(), static_cast<size_t>(out.size_bytes()));
  return out;
}

Array Device::to_device(const void* source, const std::vector<int64_t>& shape, DType dtype) const {
  Array out = empty(shape, dtype);
  out.copy_from_host(source, static_cast<size_t>(out.size_bytes()));
  return out;
}

void Device::check_count(size_t count_elems, const std::vector<int64_t>& shape) {
  const int64_t wanted = runtime::checked_size_bytes(shape, DType::b1);
  if (std::cmp_not_equal(count_elems, wanted)) {
    runtime::fail(ErrorCode::argument, "{} elements were given for an array of shape {}, which has {}", count_elems,
                  runtime::tuple_text(shape), wanted);
  }
}

}  // namespace jitc
