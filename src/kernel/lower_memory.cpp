// Arrays that the kernel declares. One place of the text makes one array, however often it runs; shared memory is the
// block's, so that a device function has one array however often it is called, and local memory the call's.
#include <algorithm>
#include <bit>

#include "src/kernel/lowerer.hpp"

namespace jitc::kernel {

namespace {

const char* fallback_name(MemorySpace space) {
  switch (space) {
    case MemorySpace::kShared: return "shared";
    case MemorySpace::kLocal: return "local";
    case MemorySpace::kConst: return "table";
    case MemorySpace::kGlobal: break;
  }
  return "memory";
}

}  // namespace

/// Its index in KernelProgram::memory, declared at the first use.
uint32_t Lowerer::memory_object(const sema::MemoryExpr& e, const std::string& name) {
  std::vector<uint64_t> place;
  if (e.values) {
    place = {reinterpret_cast<uintptr_t>(e.values.get())};
  } else {
    place = {e.site, static_cast<uint64_t>(e.dtype)};
    const auto also = [&](const auto& more) { place.insert(place.end(), more.begin(), more.end()); };
    also(e.shape);
    if (e.space == MemorySpace::kLocal) also(frame_->path);
  }
  const auto [it, is_new] = memory_.try_emplace(std::move(place), 0);
  if (!is_new) return it->second;
  MemoryObject object;
  object.name = name.empty() ? fallback_name(e.space) : name;
  object.space = e.space;
  object.dtype = part_type(e.dtype);
  object.dynamic = e.space == MemorySpace::kShared && e.shape == std::vector<uint64_t>{0};
  object.count_elems = is_complex(e.dtype) ? 2 : 1;
  for (uint64_t n : e.shape) object.count_elems *= n;
  object.align_bytes = e.align_bytes;
  if (e.values) object.init = e.values->bytes;
  return it->second = b_.add_memory(std::move(object));
}

/// Dynamic shared memory has as many elements as the launch gives it room for.
Value Lowerer::lower_memory(const sema::MemoryExpr& e, const std::string& name) {
  const uint32_t object = memory_object(e, name);
  ArrayValue out;
  out.name = b_.program().memory[object].name;
  out.dtype = e.dtype;
  out.data = b_.memory_base(object);
  const auto size = static_cast<int64_t>(size_bytes(e.dtype));
  if (b_.program().memory[object].dynamic) {
    const auto shift = static_cast<int64_t>(std::countr_zero(static_cast<uint64_t>(size)));
    const ExprId bytes = b_.thread(ThreadValue::kDynamicSharedBytes);
    out.extents.push_back(shift == 0 ? bytes : pin(b_.binary(BinaryOp::kShr, bytes, number(shift))));
    out.strides.push_back(number(size));
  } else {
    int64_t stride = size;
    for (size_t axis = e.shape.size(); axis-- > 0;) {
      const auto extent = static_cast<int64_t>(e.shape[axis]);
      out.extents.insert(out.extents.begin(), number(extent));
      out.strides.insert(out.strides.begin(), number(stride));
      stride *= extent;
    }
  }
  Value v;
  v.array = std::move(out);
  return v;
}

}  // namespace jitc::kernel
