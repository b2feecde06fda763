// target[indices[i]] = f(target[indices[i]], values[i]), one i after the other.
#include <cstring>

#include "runtime/common/broadcast.hpp"
#include "runtime/common/buffer.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/layout.hpp"
#include "runtime/common/make_array.hpp"
#include "runtime/common/memory_overlap.hpp"
#include "runtime/common/queue_of.hpp"
#include "runtime/common/reduce_plan.hpp"
#include "src/engine/fold_call.hpp"

namespace jitc::engine {

namespace {

using runtime::fail;
using runtime::tuple_text;

/// The elements in C order as i8, in host memory.
std::vector<int64_t> read_indices(const std::string& title, const Argument& indices, const Stream& stream) {
  const DType dtype = array_dtype(title, "indices", indices);
  if (!is_int(dtype)) fail(ErrorCode::argument, "{}: indices are {}, and must be integers", title, name(dtype));
  const std::vector<int64_t>& shape = array_shape(indices);
  const Array home = Device::open("cpu").empty(shape, dtype);
  const auto* array = std::get_if<Array>(&indices.value());
  if (array == nullptr) {
    home.copy_from_host(std::get<HostView>(indices.value()));
  } else {
    // Behind what the call's stream is still to do with them.
    const bool is_ordered = !stream.is_default() && &stream.queue()->backend() == array->buffer()->backend().get();
    array->copy_to_host({home.data(), dtype, shape}, is_ordered ? stream : Stream());
    if (is_ordered) stream.synchronize();
  }
  const std::byte* const data = home.data();
  std::vector<int64_t> out(static_cast<size_t>(runtime::count_elems(shape)));
  const size_t size = size_bytes(dtype), spare_bits = 64 - 8 * size;
  for (size_t i = 0; i < out.size(); ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, data + i * size, size);
    out[i] = static_cast<int64_t>(bits << spare_bits);
    out[i] = is_signed_int(dtype) ? out[i] >> spare_bits : static_cast<int64_t>(bits);
    // No array has an index above 2^63.
    if (!is_signed_int(dtype) && out[i] < 0) {
      fail(ErrorCode::argument, "{}: indices[{}] is {}, which is outside every array", title, i, bits);
    }
  }
  return out;
}

/// Negative ones counted from the end.
void place_indices(const std::string& title, std::vector<int64_t>& indices, const std::vector<int64_t>& target_shape) {
  const int64_t extent = target_shape[0];
  for (size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] < -extent || indices[i] >= extent) {
      fail(ErrorCode::argument, "{}: indices[{}] is {}, which is outside axis 0 of target, of shape {}", title, i,
           indices[i], tuple_text(target_shape));
    }
    if (indices[i] < 0) indices[i] += extent;
  }
}

void check_target(const std::string& title, const Argument& target) {
  if (array_shape(target).empty()) { fail(ErrorCode::argument, "{}: target has no axes, and indices need one", title); }
  if (const auto* host = std::get_if<HostView>(&target.value());
      host != nullptr && host->access() != HostAccess::in_out) {
    fail(ErrorCode::argument, "{}: target is read and stored to, but its host memory is not lent for both", title);
  }
}

/// Threads go along the columns, and must not meet.
void check_apart(const std::string& title, const Array& target) {
  if (!runtime::may_overlap_itself(runtime::operand_of("target", target))) return;
  fail(ErrorCode::argument,
       "{}: target lies over itself: of shape {} and strides {}, it has several elements at one place; work on a copy",
       title, tuple_text(target.shape()), tuple_text(target.strides()));
}

std::vector<ArgumentInfo> infos_of(const Argument& target, const Argument& values, DType dtype) {
  const bool is_array = !std::holds_alternative<Scalar>(values.value());
  const auto rank = [](const Argument& arg) { return static_cast<int>(array_shape(arg).size()); };
  return {{.name = "target", .dtype = dtype, .is_array = true, .rank = rank(target), .written = true, .read = true},
          {.name = "values", .dtype = dtype, .is_array = is_array, .rank = is_array ? rank(values) : 0, .read = true}};
}

/// The values with all axes of the indices as one; copied where they do not lie so, or lie over the target.
Array spread_values(const ArrayCall& call, const std::string& title, const std::vector<int64_t>& indices_shape) {
  const auto& target = std::get<Array>(call.inputs()[0].value());
  const auto& values = std::get<Array>(call.inputs()[1].value());
  std::vector<int64_t> shape = indices_shape;
  shape.insert(shape.end(), target.shape().begin() + 1, target.shape().end());
  const runtime::Operand operand = runtime::operand_of("values", values);
  const std::vector<int64_t> no_strides(shape.size());
  const runtime::Operand wanted{"indices with the other axes of target", shape, no_strides, 0, 0};
  runtime::broadcast_shapes(title, std::vector{operand}, std::vector{wanted});
  const int64_t offset = values.size() == 0 ? 0 : values.data() - values.buffer()->data();
  Array out(values.buffer(), values.dtype(), shape, runtime::broadcast_strides(operand, shape), offset);
  const bool overlaps = out.size() != 0 && target.size() != 0 &&
                        runtime::may_overlap(runtime::operand_of("", target), runtime::operand_of("", out));
  if (overlaps || indices_shape.size() != 1) out = out.copy(Stream::of_queue(call.place().queue));
  std::vector<int64_t> joint{runtime::count_elems(indices_shape)};
  joint.insert(joint.end(), target.shape().begin() + 1, target.shape().end());
  return out.reshape(joint);
}

KernelArray kernel_array(const Array& array) {
  return {reinterpret_cast<uintptr_t>(array.data()), array.shape(), array.strides()};
}

void add_launch(const ArrayCall& call, const std::string& title, const Array& indices, const KernelValue& values,
                FormLaunches& launches) {
  const auto& target = std::get<Array>(call.inputs()[0].value());
  const int64_t columns = target.size() / target.shape()[0];
  const runtime::Backend& backend = call.backend();
  const auto spread = runtime::spread_lines(columns, backend.is_host(), backend.worker_threads());
  if (!spread) fail(ErrorCode::launch, "{}: {} columns are more than one launch covers", title, columns);
  const kernel::AtForm form{static_cast<uint8_t>(target.rank() - 1), std::holds_alternative<Scalar>(values)};
  launches.add(form, spread->grid, spread->block,
               std::vector<KernelValue>{kernel_array(target), kernel_array(indices), values});
}

/// The values as the kernel has them: a scalar of the target's type, or an array of it.
Argument check_values(const std::string& title, const Argument& values, DType dtype) {
  if (std::holds_alternative<Scalar>(values.value())) return scalar_of(title, "values", values, dtype);
  const DType own = array_dtype(title, "values", values);
  if (own == dtype) return values;
  fail(ErrorCode::argument, "{}: values are {} and target is {}; cast them to it", title, name(own), name(dtype));
}

/// The whole call, of indices that are in the target.
CallReport run(const ArrayCall& call, const std::string& title, const std::vector<int64_t>& indices_shape,
               const std::vector<int64_t>& places, const LaunchEvents* events) {
  CallReport report;
  FormLaunches launches(call, report.launch);
  Array values, on_device;
  const auto* scalar = std::get_if<Scalar>(&call.inputs()[1].value());
  if (scalar == nullptr) values = spread_values(call, title, indices_shape);
  if (!places.empty() && std::get<Array>(call.inputs()[0].value()).size() != 0) {
    const std::vector<int64_t> shape{static_cast<int64_t>(places.size())};
    on_device = runtime::make_array(call.place().backend, shape, DType::i8, call.place().queue);
    on_device.copy_from_host(places.data(), places.size() * sizeof(int64_t), Stream::of_queue(call.place().queue));
    // What is copied is memory of this call.
    call.place().queue->synchronize();
    add_launch(call, title, on_device, scalar == nullptr ? KernelValue(kernel_array(values)) : KernelValue(*scalar),
               launches);
  }
  launches.run(events);
  return report;
}

}  // namespace

CallReport at_call(const FunctionState& function, const Argument& target, const Argument& indices,
                   const Argument& values, const Stream& stream, const LaunchEvents* events) {
  const std::string title = method_title(function, "at");
  const DType dtype = array_dtype(title, "target", target);
  const size_t signature = fold_signature(function, dtype, "at");
  check_target(title, target);
  std::vector<int64_t> places = read_indices(title, indices, stream);
  place_indices(title, places, array_shape(target));
  const Argument given = check_values(title, values, dtype);
  ArrayCall call(function, {target, given}, {.stream = stream}, signature, infos_of(target, given, dtype));
  call.set_result_shapes({});
  check_apart(title, std::get<Array>(call.inputs()[0].value()));
  CallReport report = run(call, title, array_shape(indices), places, events);
  call.finish();
  return report;
}

}  // namespace jitc::engine
