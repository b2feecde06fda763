#include "src/engine/given_results.hpp"

#include <utility>

#include "runtime/common/buffer.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/layout.hpp"
#include "runtime/common/memory_overlap.hpp"
#include "src/engine/array_call.hpp"

namespace jitc::engine {

namespace {

using runtime::fail;
using runtime::Operand;
using runtime::tuple_text;

struct TypeAndPlace {
  DType dtype;
  Operand operand;
};

TypeAndPlace look_into(const Argument& given) {
  if (const auto* host = std::get_if<HostView>(&given.value())) {
    return {host->dtype(),
            {{}, host->shape(), host->strides(), reinterpret_cast<uintptr_t>(host->data()), size_bytes(host->dtype())}};
  }
  const Array& array = std::get<Array>(given.value());
  return {array.dtype(), runtime::operand_of({}, array)};
}

/// Of a GPU and of the host: addresses of the two say nothing about each other.
bool are_in_one_memory(const Argument& a, const Argument& b) {
  const auto is_host_memory = [](const Argument& given) {
    const auto* array = std::get_if<Array>(&given.value());
    return array == nullptr || array->buffer()->backend()->is_host();
  };
  return is_host_memory(a) == is_host_memory(b);
}

}  // namespace

GivenResults::GivenResults(const FunctionState& function, std::span<const ArgumentInfo> infos,
                           const std::vector<Argument>& given)
    : function_(function), infos_(infos), given_(given) {
  check_out_count(function, infos.size(), given);
  for (size_t i = 0; i < given_.size(); ++i) check_one(i);
  check_apart();
}

void GivenResults::check_one(size_t index) const {
  const ArgumentInfo& info = infos_[index];
  const auto* host = std::get_if<HostView>(&given_[index].value());
  const auto* array = std::get_if<Array>(&given_[index].value());
  if (host == nullptr && array == nullptr) {
    fail(ErrorCode::argument, "{}: {} is a number, and must be an array", function_.title, info.name);
  }
  if (array != nullptr && !array->valid()) {
    fail(ErrorCode::argument, "{}: {} is an array that was never allocated", function_.title, info.name);
  }
  if (host != nullptr && host->access() == HostAccess::in) {
    fail(ErrorCode::argument, "{}: {} is host memory that is lent for reading alone (const, or jitc::in)",
         function_.title, info.name);
  }
  const auto [dtype, operand] = look_into(given_[index]);
  if (dtype != info.dtype) {
    fail(ErrorCode::argument, "{}: {} is {}, but the result is {}", function_.title, info.name, name(dtype),
         name(info.dtype));
  }
  if (static_cast<int>(operand.shape.size()) != info.rank) {
    fail(ErrorCode::argument, "{}: {} has shape {}, the result has {} ax{}", function_.title, info.name,
         tuple_text(operand.shape), info.rank, info.rank == 1 ? "is" : "es");
  }
  if (!runtime::may_overlap_itself(operand)) return;
  fail(ErrorCode::argument,
       "{}: {} lies over itself: of shape {} and strides {}, it has several elements at one place; store to a copy",
       function_.title, info.name, tuple_text(operand.shape), tuple_text(operand.strides_bytes));
}

void GivenResults::check_apart() const {
  for (size_t i = 0; i < given_.size(); ++i) {
    for (size_t k = i + 1; k < given_.size(); ++k) {
      if (!are_in_one_memory(given_[i], given_[k])) continue;
      if (!runtime::may_overlap(look_into(given_[i]).operand, look_into(given_[k]).operand)) continue;
      fail(ErrorCode::argument, "{}: {} and {} share memory; each result needs its own", function_.title,
           infos_[i].name, infos_[k].name);
    }
  }
}

void GivenResults::check_shapes(std::span<const std::vector<int64_t>> shapes) const {
  for (size_t i = 0; i < given_.size(); ++i) {
    const std::span<const int64_t> shape = look_into(given_[i]).operand.shape;
    if (std::equal(shape.begin(), shape.end(), shapes[i].begin(), shapes[i].end())) continue;
    fail(ErrorCode::argument, "{}: {} has shape {}, the result has {}", function_.title, infos_[i].name,
         tuple_text(shape), tuple_text(shapes[i]));
  }
}

bool GivenResults::may_disturb(const Array& result, size_t index) const {
  const Operand read = runtime::operand_of({}, result);
  for (size_t k = 0; k < given_.size(); ++k) {
    const bool same_memory = are_in_one_memory(given_[k], Argument(result));
    if (k != index && same_memory && runtime::may_overlap(look_into(given_[k]).operand, read)) return true;
  }
  return false;
}

Array GivenResults::store(const Array& result, size_t index, const Place& place) const {
  const Stream stream = Stream::of_queue(place.queue);
  if (const auto* host = std::get_if<HostView>(&given_[index].value())) {
    result.copy_to_host(*host, stream);
    place.queue->synchronize();
    return {};
  }
  const Array& array = std::get<Array>(given_[index].value());
  if (array.data() != result.data() || array.strides() != result.strides()) array.copy_from(result, stream);
  return array;
}

}  // namespace jitc::engine
