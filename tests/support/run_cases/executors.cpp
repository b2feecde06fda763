#include "tests/support/run_cases/executors.hpp"

#include "src/base/match.hpp"
#include "tests/support/reference_interpreter.hpp"
#include "tests/support/run_cases/captured_output.hpp"

namespace jitc::cases {

namespace {

/// The arrays of a call, placed; scalars have an empty placement.
std::vector<Placement> place_all(const Call& call, Placing placing) {
  std::vector<Placement> placements(call.args.size());
  for (size_t i = 0; i < call.args.size(); ++i) {
    if (const auto* array = std::get_if<io::HostArray>(&call.args[i])) {
      placements[i] = place(*array, call.infos[i], placing);
    }
  }
  return placements;
}

uint64_t param_bits(const kernel::Param& param, const Call& call, const std::vector<Placement>& placements) {
  const Placement& p = placements[param.argument];
  switch (param.part) {
    case ParamSlot::Part::scalar: {
      const Scalar& scalar = std::get<Scalar>(call.args[param.argument]);
      return param.axis == 0 ? scalar.bits : scalar.imag_bits;
    }
    case ParamSlot::Part::data: return reinterpret_cast<uint64_t>(p.image.data() + p.offset_bytes);
    case ParamSlot::Part::extent: return static_cast<uint64_t>(p.shape[param.axis]);
    case ParamSlot::Part::stride: return static_cast<uint64_t>(p.strides_bytes[param.axis]);
  }
  throw std::logic_error("no such part");
}

/// From the first to the last byte of the elements; nothing for an array without any.
reference::Region region_of(const Placement& p) {
  int64_t first = p.offset_bytes, last = p.offset_bytes + static_cast<int64_t>(size_bytes(p.dtype));
  for (size_t axis = 0; axis < p.shape.size(); ++axis) {
    if (p.shape[axis] == 0) return {};
    const int64_t reach = (p.shape[axis] - 1) * p.strides_bytes[axis];
    (reach < 0 ? first : last) += reach;
  }
  return {p.image.data() + first, static_cast<size_t>(last - first)};
}

/// The array's bytes on a device, under the strides of its placement.
Array upload(const Device& device, const Placement& p, Array& image) {
  image = device.to_device(p.image.data(), {static_cast<int64_t>(p.image.size())}, DType::u1);
  return Array(image.buffer(), p.dtype, p.shape, p.strides_bytes, p.offset_bytes);
}

void collect(const Placement& p, const std::vector<std::byte>& image, size_t index, Outcome& out) {
  std::optional<std::string> problem;
  out.args[index] = read_back(p, image, problem);
  if (problem) out.problem = problem;
}

}  // namespace

Outcome run_reference(const kernel::KernelProgram& program, const Call& call, Placing placing, std::string executor,
                      bool backwards) {
  Outcome out{.executor = std::move(executor), .args = call.args};
  const std::vector<Placement> placements = place_all(call, placing);
  const Dim3 grid = call.config.grid, block = call.config.block;
  reference::ReferenceLaunch launch{.grid = {grid.x, grid.y, grid.z}, .block = {block.x, block.y, block.z}};
  launch.backwards = backwards;
  launch.dynamic_shared_bytes = call.config.dynamic_shared_bytes;
  for (const kernel::Param& param : program.params) launch.params.push_back(param_bits(param, call, placements));
  for (const Placement& p : placements) {
    if (!p.image.empty()) launch.memory.push_back(region_of(p));
  }
  try {
    const reference::ReferenceResult result = reference::run(program, launch);
    out.printed = result.printed;
    if (result.failure) out.failure = "a thread failed";
  } catch (const reference::ReferenceError& error) { out.problem = error.what(); }
  for (size_t i = 0; i < placements.size(); ++i) {
    if (!placements[i].image.empty()) collect(placements[i], placements[i].image, i, out);
  }
  return out;
}

Outcome run_on_device(const Device& device, const Function& function, const Call& call, Placing placing) {
  Outcome out{.executor = device.name() + ", " + name(placing) + " arrays", .args = call.args};
  const std::vector<Placement> placements = place_all(call, placing);
  std::vector<Array> images(call.args.size());
  std::vector<Argument> args;
  for (size_t i = 0; i < call.args.size(); ++i) {
    if (const auto* scalar = std::get_if<Scalar>(&call.args[i]))
      args.emplace_back(*scalar);
    else
      args.emplace_back(upload(device, placements[i], images[i]));
  }
  CapturedOutput output;
  try {
    function.launch_list(call.config, args);
    device.synchronize();
  } catch (const Error& error) {
    out.failure = error.what();
    out.refused = error.code() != ErrorCode::kernel;
  }
  out.printed = output.take();
  for (size_t i = 0; i < images.size(); ++i) {
    if (!images[i].valid()) continue;
    std::vector<std::byte> image(placements[i].image.size());
    images[i].copy_to_host(image.data(), image.size());
    collect(placements[i], image, i, out);
  }
  return out;
}

}  // namespace jitc::cases
