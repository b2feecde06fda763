// jitc::HostView and jitc::HostArray.
#include "jitc/host_array.hpp"

#include <utility>

#include "jitc/array.hpp"
#include "runtime/common/buffer.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/host_block.hpp"
#include "runtime/common/layout.hpp"

namespace jitc {

using runtime::fail;
using runtime::tuple_text;

HostView::HostView(void* data, DType dtype, std::vector<int64_t> shape, std::vector<int64_t> strides_bytes,
                   HostAccess access)
    : data_(static_cast<std::byte*>(data)),
      dtype_(dtype),
      shape_(std::move(shape)),
      strides_(std::move(strides_bytes)),
      access_(access),
      is_const_(false) {
  const int64_t size_bytes = runtime::checked_size_bytes(shape_, dtype_);
  if (strides_.empty()) strides_ = runtime::c_strides(shape_, jitc::size_bytes(dtype_));
  if (strides_.size() != shape_.size()) {
    fail(ErrorCode::argument, "host memory: shape {} and strides {} differ in length", tuple_text(shape_),
         tuple_text(strides_));
  }
  if (data_ == nullptr && size_bytes != 0) {
    fail(ErrorCode::argument, "host memory of shape {} has a null address", tuple_text(shape_));
  }
}

HostView::HostView(const void* data, DType dtype, std::vector<int64_t> shape, std::vector<int64_t> strides_bytes)
    : HostView(const_cast<void*>(data), dtype, std::move(shape), std::move(strides_bytes), HostAccess::in) {
  is_const_ = true;
}

int64_t HostView::size() const { return runtime::count_elems(shape_); }

HostView HostView::with(HostAccess access) const {
  if (is_const_ && access != HostAccess::in) {
    fail(ErrorCode::argument, "const elements in host memory of shape {} cannot be written", tuple_text(shape_));
  }
  HostView out = *this;
  out.access_ = access;
  return out;
}

HostArray::HostArray(std::shared_ptr<runtime::HostBlock> block, DType dtype, std::vector<int64_t> shape)
    : block_(std::move(block)), dtype_(dtype), shape_(std::move(shape)) {}

void* HostArray::data() const { return block_ != nullptr ? block_->data() : nullptr; }

int64_t HostArray::size() const { return block_ != nullptr ? runtime::count_elems(shape_) : 0; }

HostMemoryKind HostArray::kind() const { return block_ != nullptr ? block_->kind() : HostMemoryKind::pinned; }

const runtime::HostBlock& HostArray::require_block() const {
  if (block_ == nullptr) fail(ErrorCode::argument, "the host array is empty: it was never allocated");
  return *block_;
}

HostView HostArray::view() const { return {require_block().data(), dtype_, shape_}; }

Array HostArray::on_device() const {
  require_block();
  const std::shared_ptr<runtime::Backend>& backend = block_->backend();
  if (block_->kind() == HostMemoryKind::pinned && !backend->is_host()) {
    fail(ErrorCode::argument, "kernels on {} do not reach pinned memory: copy it, or use mapped_array()",
         backend->name());
  }
  std::byte* data = block_->data() != nullptr ? backend->device_address(block_->data(), block_->kind()) : nullptr;
  auto buffer = std::make_shared<runtime::Buffer>(backend, data, block_->size_bytes(), block_);
  return {std::move(buffer), dtype_, shape_, runtime::c_strides(shape_, jitc::size_bytes(dtype_)), 0};
}

void HostArray::require_dtype(DType wanted) const {
  if (dtype_ != wanted) {
    fail(ErrorCode::argument, "the host array has elements of type {}, not {}", jitc::name(dtype_), jitc::name(wanted));
  }
}

}  // namespace jitc
