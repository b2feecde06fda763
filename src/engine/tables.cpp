#include "src/engine/tables.hpp"

#include <memory>

#include "runtime/common/buffer.hpp"
#include "runtime/common/layout.hpp"
#include "runtime/common/make_array.hpp"

namespace jitc::engine {

namespace {

/// The memory of the constants as an array: nothing stores to it.
Array in_place(const std::shared_ptr<const sema::ConstantArray>& values, const std::vector<int64_t>& shape,
               const Place& place) {
  auto* data = const_cast<std::byte*>(values->bytes.data());
  auto owner = std::const_pointer_cast<sema::ConstantArray>(values);
  auto buffer = std::make_shared<runtime::Buffer>(place.backend, data, values->bytes.size(), std::move(owner));
  return {std::move(buffer), values->dtype, shape, runtime::c_strides(shape, size_bytes(values->dtype)), 0};
}

}  // namespace

Array table_array(const FunctionState& function, const array::Table& table, const Place& place) {
  return function.tables.get({table.values.get(), place.backend.get()}, [&] {
    const std::vector<int64_t> shape(table.values->shape.begin(), table.values->shape.end());
    if (place.backend->is_host()) return in_place(table.values, shape, place);
    const Array out = runtime::make_array(place.backend, shape, table.values->dtype, place.queue);
    out.copy_from_host(table.values->bytes.data(), table.values->bytes.size(), Stream::of_queue(place.queue));
    return out;
  });
}

}  // namespace jitc::engine
