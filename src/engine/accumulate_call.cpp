// The results of a fold after each element along one axis.
#include "runtime/common/error.hpp"
#include "runtime/common/joint_axes.hpp"
#include "runtime/common/layout.hpp"
#include "runtime/common/reduce_plan.hpp"
#include "src/engine/fold_call.hpp"

namespace jitc::engine {

namespace {

using runtime::fail;

/// The array and the result over the joint axes of all lines, and then the axis along them.
struct Lines {
  KernelArray array, result;
  int64_t count = 1;
};

void set_first(KernelArray& out, const Array& array, int64_t first_bytes) {
  out.address = reinterpret_cast<uintptr_t>(array.data()) + static_cast<uintptr_t>(first_bytes);
}

Lines plan_lines(const Array& array, const Array& result, size_t along) {
  std::vector<int64_t> shape = array.shape(), from = array.strides(), to = result.strides();
  for (auto* values : {&shape, &from, &to}) values->erase(values->begin() + static_cast<std::ptrdiff_t>(along));
  const std::vector<std::span<const int64_t>> views{from, to};
  runtime::JointAxes joint = runtime::join_axes(shape, views);
  joint.axes.push_back({array.shape()[along], {array.strides()[along], result.strides()[along]}});
  Lines out;
  set_first(out.array, array, joint.first_bytes[0]);
  set_first(out.result, result, joint.first_bytes[1]);
  for (const runtime::JointAxis& axis : joint.axes) {
    for (auto* operand : {&out.array, &out.result}) operand->extents.push_back(axis.extent);
    out.array.strides_bytes.push_back(axis.strides_bytes[0]);
    out.result.strides_bytes.push_back(axis.strides_bytes[1]);
  }
  out.count = runtime::count_elems(shape);
  return out;
}

size_t find_axis(const std::string& title, int axis, size_t rank) {
  if (rank == 0) fail(ErrorCode::argument, "{}: the array has no axes, and one is needed", title);
  const std::vector<bool> named = runtime::folded_axes(title, std::vector{axis}, static_cast<int>(rank));
  size_t along = 0;
  while (!named[along]) ++along;
  return along;
}

void launch(const ArrayCall& call, const Lines& lines, const std::string& title, FormLaunches& launches) {
  const runtime::Backend& backend = call.backend();
  const auto spread = runtime::spread_lines(lines.count, backend.is_host(), backend.worker_threads());
  if (!spread) fail(ErrorCode::launch, "{}: {} lines are more than one launch covers", title, lines.count);
  const kernel::AccumulateForm form{static_cast<uint8_t>(lines.array.extents.size() - 1)};
  launches.add(form, spread->grid, spread->block, std::vector<KernelValue>{lines.array, lines.result});
}

}  // namespace

CallReport accumulate_call(const FunctionState& function, const Argument& array, int axis, const CallOptions& options,
                           const LaunchEvents* events) {
  const std::string title = method_title(function, "accumulate");
  const DType dtype = array_dtype(title, "array", array);
  const std::vector<int64_t> shape = array_shape(array);
  const int rank = static_cast<int>(shape.size());
  const size_t signature = fold_signature(function, dtype, "accumulate");
  const size_t along = find_axis(title, axis, shape.size());
  ArrayCall call(function, {array}, options, signature,
                 {{.name = "array", .dtype = dtype, .is_array = true, .rank = rank, .read = true},
                  {.name = "out", .dtype = dtype, .is_array = true, .rank = rank, .written = true}});
  call.set_result_shapes(std::span(&shape, 1));
  CallReport report;
  FormLaunches launches(call, report.launch);
  if (runtime::count_elems(shape) != 0) {
    // An element is read before the result in its place is stored, and not again.
    call.choose_targets(&shape);
    launch(call, plan_lines(std::get<Array>(call.inputs()[0].value()), call.targets()[0], along), title, launches);
  }
  launches.run(events);
  report.results = call.finish();
  return report;
}

}  // namespace jitc::engine
