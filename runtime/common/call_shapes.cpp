#include "runtime/common/call_shapes.hpp"

#include "runtime/common/byte_range.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/layout.hpp"

namespace jitc::runtime {

namespace {

[[noreturn]] void fail_shapes(std::string_view title, std::span<const std::string> names,
                              std::span<const Argument> args) {
  std::string list;
  for (size_t i = 0; i < args.size(); ++i) {
    const Array* array = std::get_if<Array>(&args[i].value());
    if (array == nullptr) continue;
    list += fmt::format("{}'{}' is {}", list.empty() ? "" : ", ", names[i], tuple_text(array->shape()));
  }
  fail(ErrorCode::argument, "{}: the arrays must have one shape: {} (shapes are not broadcast yet)", title, list);
}

}  // namespace

std::vector<int64_t> elementwise_shape(std::string_view title, std::span<const std::string> names,
                                       std::span<const Argument> args) {
  const Array* first = nullptr;
  for (const Argument& arg : args) {
    const Array* array = std::get_if<Array>(&arg.value());
    if (array == nullptr) continue;
    if (first == nullptr) first = array;
    if (array->shape() != first->shape()) fail_shapes(title, names, args);
  }
  return first != nullptr ? first->shape() : std::vector<int64_t>{};
}

bool may_store_directly(const Array& out, std::span<const Argument> args) {
  const ByteRange stored = byte_range(out);
  for (const Argument& arg : args) {
    const Array* array = std::get_if<Array>(&arg.value());
    if (array == nullptr) continue;
    const ByteRange read = byte_range(*array);
    const bool in_place = read.begin == stored.begin && size_bytes(array->dtype()) == size_bytes(out.dtype());
    if (read.overlaps(stored) && !in_place) return false;
  }
  return true;
}

}  // namespace jitc::runtime
