#include "runtime/common/call_shapes.hpp"

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

struct Bytes {
  uintptr_t begin, end;
};
Bytes bytes_of(const Array& array) {
  const auto begin = reinterpret_cast<uintptr_t>(array.data());
  return {begin, begin + static_cast<uintptr_t>(array.size_bytes())};
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
  const Bytes stored = bytes_of(out);
  for (const Argument& arg : args) {
    const Array* array = std::get_if<Array>(&arg.value());
    if (array == nullptr) continue;
    const Bytes read = bytes_of(*array);
    const bool apart = read.end <= stored.begin || stored.end <= read.begin;
    const bool in_place = read.begin == stored.begin && size_bytes(array->dtype()) == size_bytes(out.dtype());
    if (!apart && !in_place) return false;
  }
  return true;
}

}  // namespace jitc::runtime
