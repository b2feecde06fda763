// From a call with arguments to a kernel that has run.
#include <algorithm>
#include <utility>

#include "runtime/common/buffer.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/launch_limits.hpp"
#include "runtime/common/params.hpp"
#include "src/engine/guard.hpp"
#include "src/engine/state.hpp"
#include "src/engine/stopwatch.hpp"

namespace jitc::engine {

namespace {

/// The one device on which all arrays lie; without arrays, the best there is.
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
      runtime::fail(
          ErrorCode::argument,
          "kernel '{}': argument {} '{}' lies on device {} but argument {} '{}' on device {}; all arrays of a "
          "launch must be on one",
          function.group->name, owner + 1, infos[owner].name, backend->name(), i + 1, infos[i].name, own->name());
    }
  }
  return backend != nullptr ? backend : Device::open("auto").backend();
}

/// Whether the contiguous program is right: it takes arrays of unspecified layout to be in C order.
bool may_run_contiguous(std::span<const ArgumentInfo> infos, std::span<const Argument> args) {
  for (size_t i = 0; i < infos.size(); ++i) {
    if (!infos[i].is_array || infos[i].layout != Layout::any) continue;
    if (!std::get<Array>(args[i].value()).is_c_contiguous()) return false;
  }
  return true;
}

const LoadedVariant& load_variant(const FunctionState& function, const std::shared_ptr<runtime::Backend>& backend,
                                  LaunchReport& report) {
  const LoadKey key{report.signature, report.contiguous, backend.get()};
  return function.loaded.get(key, [&] {
    const codegen::Target target = codegen::parse_target(backend->target());
    const CompiledVariant& variant =
        compile_variant(function, {report.signature, report.contiguous, target.kind, target.sm});
    const Stopwatch watch;
    LoadedVariant out{backend, &variant.artifact, backend->load(variant.artifact)};
    report.compiled = true;
    report.compile_ms = variant.compile_ms;
    report.emit_times = variant.times;
    report.load_ms = watch.ms();
    return out;
  });
}

LaunchReport launch(const FunctionState& function, const LaunchConfig& config, std::span<const Argument> given) {
  const Resolution call = resolve(function.group->name, function.signatures, given);
  const kernel::KernelProgram& program = function.group->variants[call.signature].strided;
  const std::shared_ptr<runtime::Backend> backend = backend_of(function, program.arguments, call.args);
  runtime::validate_launch(program.name, program.max_threads_per_block, config);
  runtime::check_layouts(program.name, program.arguments, call.args);
  runtime::check_named_extents(program.name, program.arguments, call.args);

  LaunchReport report;
  report.signature = call.signature;
  report.contiguous = may_run_contiguous(program.arguments, call.args);
  report.worker_threads = backend->worker_threads();
  const LoadedVariant& loaded = load_variant(function, backend, report);
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
