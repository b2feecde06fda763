// From a launch with arguments to a kernel that runs.
#include <algorithm>
#include <utility>

#include "runtime/common/buffer.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/host_arguments.hpp"
#include "runtime/common/launch_limits.hpp"
#include "runtime/common/params.hpp"
#include "runtime/common/queue_of.hpp"
#include "src/engine/guard.hpp"
#include "src/engine/prepared.hpp"
#include "src/engine/state.hpp"
#include "src/engine/stopwatch.hpp"
#include "src/kernel/memory_layout.hpp"
#include "src/kernel/regions.hpp"

namespace jitc::engine {

namespace {

/// Whether the contiguous program is right: it takes arrays of unspecified layout to be in C order.
bool may_run_contiguous(std::span<const ArgumentInfo> infos, std::span<const Argument> args) {
  for (size_t i = 0; i < infos.size(); ++i) {
    if (!infos[i].is_array || infos[i].layout != Layout::any) continue;
    if (!std::get<Array>(args[i].value()).is_c_contiguous()) return false;
  }
  return true;
}

/// A launch whose arguments were found to fit.
struct BoundLaunch {
  const FunctionState& function;
  Place place;
  runtime::HostArguments host;
  Resolution call;
  const kernel::KernelProgram& program;
  LaunchReport report;
  const LoadedVariant* loaded = nullptr;

  void validate(const LaunchConfig& config) const {
    runtime::validate_launch(
        program.name,
        {program.max_threads_per_block, kernel::static_shared_bytes(program), kernel::is_cooperative(program)}, config);
  }
  void check_arguments(std::span<const Argument> given) const {
    const std::string title = fmt::format("kernel '{}'", program.name);
    runtime::check_layouts(title, program.arguments, given);
    runtime::check_named_extents(title, program.arguments, call.args);
  }
  void load() {
    report.contiguous = may_run_contiguous(program.arguments, call.args);
    loaded = &load_variant(function, {}, place.backend, report);
  }
};

BoundLaunch bind(const FunctionState& function, const Stream& stream, std::span<const Argument> given) {
  if (!function.is_kernel()) {
    runtime::fail(ErrorCode::argument, "'{}' is a {}, launch() runs kernels: {}, and the result is returned",
                  function.group->name, spelling(function.group->kind),
                  function.is_reduction() ? "give its array to reduce()" : "call it with its arguments alone");
  }
  Place place = place_of(function, given, stream);
  Resolution call = choose_for(function, given);
  runtime::HostArguments host(given, place.backend, place.queue);
  host.put_arrays(call.args);
  const kernel::KernelProgram& program = variant_at(function, call.signature).strided;
  LaunchReport report;
  report.signature = call.signature;
  report.worker_threads = place.backend->worker_threads();
  return {function, std::move(place), std::move(host), std::move(call), program, report};
}

/// The launch itself, of a configuration that validate() passed.
LaunchReport run(BoundLaunch& bound, const LaunchConfig& config, const LaunchEvents* events = nullptr) {
  runtime::Backend& backend = *bound.place.backend;
  const std::span<const ArgumentInfo> infos = bound.program.arguments;
  backend.check_launch(*bound.loaded->kernel, config);
  bound.host.copy_in(infos, bound.call.args);
  use_arrays(bound.call.args, bound.place.queue);
  const std::vector<std::byte> params = runtime::pack_params(*bound.loaded->artifact, bound.call.args);
  bound.report.run_ms = give_to_device(bound.place, *bound.loaded->kernel, config, params, events);
  bound.host.copy_back(infos);
  return bound.report;
}

LaunchReport launch(const FunctionState& function, const LaunchConfig& config, std::span<const Argument> given,
                    const LaunchEvents* events) {
  BoundLaunch bound = bind(function, config.stream, given);
  bound.validate(config);
  bound.check_arguments(given);
  bound.load();
  return run(bound, config, events);
}

/// Enough blocks of `range.block` threads, or of what suits the device.
LaunchConfig cover(const BoundLaunch& bound, const ForAll& range) {
  LaunchConfig config{.dynamic_shared_bytes = range.dynamic_shared_bytes, .stream = range.stream};
  config.block.x = range.block != 0
                       ? range.block
                       : bound.place.backend->best_block(*bound.loaded->kernel, range.dynamic_shared_bytes);
  const std::optional<uint32_t> blocks = runtime::blocks_for(range.count, config.block.x);
  if (!blocks) {
    runtime::fail(ErrorCode::launch, "kernel '{}': {} threads in blocks of {} are more than one launch has",
                  bound.program.name, range.count, config.block.x);
  }
  config.grid.x = *blocks;
  return config;
}

void forall(const FunctionState& function, const ForAll& range, std::span<const Argument> given) {
  BoundLaunch bound = bind(function, range.stream, given);
  if (range.count < 0) {
    runtime::fail(ErrorCode::launch, "kernel '{}' cannot run for {} threads", bound.program.name, range.count);
  }
  bound.check_arguments(given);
  if (range.count == 0) return;
  bound.load();
  const LaunchConfig config = cover(bound, range);
  bound.validate(config);
  run(bound, config);
}

std::shared_ptr<const PreparedState> make_prepared(const Function& handle, const LaunchConfig& config,
                                                   std::span<const Argument> given) {
  for (const Argument& arg : given) {
    if (!std::holds_alternative<HostView>(arg.value())) continue;
    runtime::fail(ErrorCode::argument, "kernel '{}': host memory cannot be prepared for launches; copy it to a device",
                  handle.name());
  }
  BoundLaunch bound = bind(Access::state(handle), config.stream, given);
  bound.validate(config);
  bound.check_arguments(given);
  bound.load();
  bound.place.backend->check_launch(*bound.loaded->kernel, config);
  use_arrays(bound.call.args, bound.place.queue);
  std::vector<std::byte> params = runtime::pack_params(*bound.loaded->artifact, bound.call.args);
  return std::make_shared<PreparedState>(PreparedState{handle, config, bound.place.queue, bound.place.backend,
                                                       bound.loaded->kernel, std::move(params),
                                                       std::move(bound.call.args)});
}

}  // namespace

double give_to_device(const Place& place, const runtime::LoadedKernel& kernel, const LaunchConfig& config,
                      std::span<const std::byte> params, const LaunchEvents* events) {
  const Stream stream = Stream::of_queue(place.queue);
  if (events != nullptr) events->begin.record(stream);
  const Stopwatch watch;
  place.backend->launch(kernel, config, params, *place.queue);
  const double ms = watch.ms();
  if (events != nullptr) events->end.record(stream);
  ++place.backend->counters.launches;
  return ms;
}

void use_arrays(std::span<const Argument> args, const std::shared_ptr<runtime::Queue>& queue) {
  for (const Argument& arg : args) {
    if (const auto* array = std::get_if<Array>(&arg.value())) array->buffer()->use_on(queue);
  }
}

Resolution choose_for(const FunctionState& function, std::span<const Argument> given,
                      std::span<const Argument> results) {
  const auto is_host = [](const Argument& arg) { return std::holds_alternative<HostView>(arg.value()); };
  if (std::none_of(given.begin(), given.end(), is_host)) return choose_signature(function, given, results);
  // Types and layouts of host memory are the same on every device.
  return choose_signature(function, runtime::with_host_layouts(given, Device::open("cpu").backend()), results);
}

Place place_of(const FunctionState& function, std::span<const Argument> args, const Stream& stream,
               std::span<const Argument> results, std::span<const std::string> names) {
  if (names.empty()) names = function.group->params;
  // Results that were given come behind the arguments.
  const auto label = [&](size_t i) {
    return i < names.size() ? fmt::format("argument {} '{}'", i + 1, names[i]) : std::string("the result");
  };
  Place place;
  size_t owner = 0;
  const auto add = [&](size_t i, const Array& array) {
    if (!array.valid()) return;
    const std::shared_ptr<runtime::Backend>& own = array.buffer()->backend();
    if (place.backend == nullptr) {
      place.backend = own;
      owner = i;
    } else if (place.backend != own) {
      runtime::fail(ErrorCode::argument,
                    "{}: {} lies on device {} but {} on device {}; all arrays of a {} must be on one", function.title,
                    label(owner), place.backend->name(), label(i), own->name(),
                    function.is_kernel() ? "launch" : "call");
    }
  };
  for (size_t i = 0; i < args.size(); ++i) {
    if (const auto* array = std::get_if<Array>(&args[i].value())) add(i, *array);
  }
  for (size_t i = 0; i < results.size(); ++i) {
    if (const auto* array = std::get_if<Array>(&results[i].value())) add(args.size() + i, *array);
  }
  if (place.backend == nullptr) {
    place.backend = stream.is_default() ? Device::open("auto").backend() : stream.queue()->backend().shared_from_this();
  }
  // The message is made only where it is needed.
  const bool is_own = stream.is_default() || &stream.queue()->backend() == place.backend.get();
  place.queue = runtime::queue_of(stream, *place.backend, is_own ? "" : function.title + " with arrays");
  return place;
}

LaunchReport launch(const Function& function, const LaunchConfig& config, const std::vector<Argument>& args,
                    const LaunchEvents* events) {
  return guarded([&] { return launch(Access::state(function), config, args, events); });
}

void forall(const Function& function, const ForAll& range, const std::vector<Argument>& args) {
  guarded([&] { forall(Access::state(function), range, args); });
}

PreparedLaunch prepare(const Function& function, const LaunchConfig& config, const std::vector<Argument>& args) {
  return guarded([&] { return Access::make(make_prepared(function, config, args)); });
}

}  // namespace jitc::engine
