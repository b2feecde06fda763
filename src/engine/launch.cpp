// From a launch with arguments to a kernel that has run.
#include <utility>

#include "runtime/common/buffer.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/launch_limits.hpp"
#include "runtime/common/params.hpp"
#include "src/engine/guard.hpp"
#include "src/engine/state.hpp"
#include "src/engine/stopwatch.hpp"
#include "src/kernel/memory_layout.hpp"
#include "src/kernel/regions.hpp"

namespace jitc::engine {

std::shared_ptr<runtime::Backend> backend_of(const FunctionState& function, std::span<const ArgumentInfo> infos,
                                             std::span<const Argument> args) {
  std::shared_ptr<runtime::Backend> backend;
  size_t owner = 0;
  for (size_t i = 0; i < args.size(); ++i) {
    const Array* array = std::get_if<Array>(&args[i].value());
    if (array == nullptr) continue;
    const std::shared_ptr<runtime::Backend>& own = array->buffer()->backend();
    if (backend == nullptr) {
      backend = own;
      owner = i;
    } else if (backend != own) {
      runtime::fail(ErrorCode::argument,
                    "{}: argument {} '{}' lies on device {} but argument {} '{}' on device {}; all arrays of a {} must "
                    "be on one",
                    function.title(), owner + 1, infos[owner].name, backend->name(), i + 1, infos[i].name, own->name(),
                    function.is_ufunc() ? "call" : "launch");
    }
  }
  return backend != nullptr ? backend : Device::open("auto").backend();
}

namespace {

/// Whether the contiguous program is right: it takes arrays of unspecified layout to be in C order.
bool may_run_contiguous(std::span<const ArgumentInfo> infos, std::span<const Argument> args) {
  for (size_t i = 0; i < infos.size(); ++i) {
    if (!infos[i].is_array || infos[i].layout != Layout::any) continue;
    if (!std::get<Array>(args[i].value()).is_c_contiguous()) return false;
  }
  return true;
}

LaunchReport launch(const FunctionState& function, const LaunchConfig& config, std::span<const Argument> given) {
  if (function.is_ufunc()) {
    runtime::fail(
        ErrorCode::argument,
        "'{}' is a ufunc, launch() runs kernels: call it with its arguments alone, and the result is returned",
        function.group->name);
  }
  const Resolution call = choose_signature(function, given);
  const kernel::KernelProgram& program = variant_at(function, call.signature).strided;
  const std::shared_ptr<runtime::Backend> backend = backend_of(function, program.arguments, call.args);
  runtime::validate_launch(
      program.name,
      {program.max_threads_per_block, kernel::static_shared_bytes(program), kernel::is_cooperative(program)}, config);
  runtime::check_layouts(program.name, program.arguments, call.args);
  runtime::check_named_extents(program.name, program.arguments, call.args);

  LaunchReport report;
  report.signature = call.signature;
  report.contiguous = may_run_contiguous(program.arguments, call.args);
  report.worker_threads = backend->worker_threads();
  const LoadedVariant& loaded = load_variant(function, {}, backend, report);
  const std::vector<std::byte> params = runtime::pack_params(*loaded.artifact, call.args);
  const Stopwatch watch;
  backend->launch(*loaded.kernel, config, params);
  report.run_ms = watch.ms();
  return report;
}

}  // namespace

LaunchReport launch(const Function& function, const LaunchConfig& config, const std::vector<Argument>& args) {
  return guarded([&] { return launch(Access::state(function), config, args); });
}

}  // namespace jitc::engine
