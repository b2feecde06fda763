// What the command line may know of programs beyond the public API: the compiler's view of them, and how a launch went.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "jitc/program.hpp"
#include "src/codegen/codegen.hpp"
#include "src/engine/kernel_cache.hpp"
#include "src/pipeline/pipeline.hpp"

namespace jitc::engine {

/// One kernel with one signature, compiled for one target.
struct CompiledVariant {
  Artifact artifact;
  codegen::EmitTimes times;
  double compile_ms = 0;  ///< wall time of the whole emission
};

/// How one launch, or the launch inside a call, went.
struct LaunchReport {
  size_t signature = 0;           ///< index of the chosen signature
  bool contiguous = false;        ///< the contiguous program ran, else the strided one
  bool compiled = false;          ///< this launch had to compile or load; else both times below are 0
  double compile_ms = 0;          ///< kernel IR to machine code
  double load_ms = 0;             ///< machine code into the device
  double run_ms = 0;              ///< giving the launch to the device, wall time on the host
  unsigned worker_threads = 0;    ///< threads the device may use
  codegen::EmitTimes emit_times;  ///< parts of compile_ms
};

/// Recorded on the stream of a launch right before and right after the launch is given to it.
struct LaunchEvents {
  explicit LaunchEvents(const Device& device) : begin(device), end(device) {}
  Event begin, end;
};

/// While it lives, the device memory that calls of its thread allocate: results, and what is between.
class CallMeter {
 public:
  CallMeter();
  ~CallMeter();
  CallMeter(const CallMeter&) = delete;
  CallMeter& operator=(const CallMeter&) = delete;

  /// The most that was allocated at once.
  uint64_t peak_bytes() const;
  uint64_t allocations() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// What a call gave. Results without elements take no launch.
struct CallReport {
  std::vector<Array> results;
  LaunchReport launch;
};

/// Options of the compiler's front half, from those of the public API.
pipeline::Options to_pipeline_options(const CompileOptions& options);

/// Options of its last step. Throws Error(argument) for options that there are not, codegen::MathLibraryError.
codegen::EmitOptions to_emit_options(const CompileOptions& options);

/// The last step of the compiler: codegen::emit() by way of the cache, or what stands in for it. Called from several
/// threads at once.
using Emit = std::function<Artifact(const kernel::KernelProgram&, const codegen::Target&, const codegen::EmitOptions&,
                                    codegen::EmitTimes*)>;

/// A program from a module that was checked already, whose kernels are made by `emit`; what it is given lives as long
/// as the program. Throws CompileError when `module->ok` is false.
Program make_program(std::shared_ptr<const pipeline::Module> module, Emit emit = emit_once,
                     codegen::EmitOptions emit_options = {});

/// What the kernels of a program are made with.
const codegen::EmitOptions& emit_options_of(const Program& program);

/// The module behind a program or a function; never null.
std::shared_ptr<const pipeline::Module> module_of(const Program& program);
std::shared_ptr<const pipeline::Module> module_of(const Function& function);
/// What the text says of a function; lives as long as its module.
const pipeline::KernelGroup& group_of(const Function& function);
/// The kernel programs of one signature, written or typed by a call. Throws Error(argument) when there is none.
const pipeline::KernelVariant& variant_of(const Function& function, size_t signature);

/// Function::artifact() with the times it took; compiles at most once. The reference lives as long as the program.
const CompiledVariant& compile_variant(const Function& function, const TargetOptions& target, size_t signature = 0);

/// Function::launch_list() that reports how it went.
LaunchReport launch(const Function& function, const LaunchConfig& config, const std::vector<Argument>& args,
                    const LaunchEvents* events = nullptr);

/// Function::forall_list(), Function::prepare_list().
void forall(const Function& function, const ForAll& range, const std::vector<Argument>& args);
PreparedLaunch prepare(const Function& function, const LaunchConfig& config, const std::vector<Argument>& args);

/// Function::call_list() that reports how it went.
CallReport call(const Function& function, const std::vector<Argument>& args, const CallOptions& options = {},
                const LaunchEvents* events = nullptr);

/// The signature that reduce(), accumulate() or at() of a ufunc would take for arrays of this type; `method` is the
/// name in messages. Throws Error(argument), CompileError.
size_t fold_signature(const Function& function, DType dtype, std::string_view method);

/// Function::reduce(), accumulate(), outer() and at() that report how they went; of several launches, all together.
CallReport reduce(const Function& function, const Argument& array, const ReduceOptions& options = {},
                  const LaunchEvents* events = nullptr);
CallReport accumulate(const Function& function, const Argument& array, int axis = 0, const CallOptions& options = {},
                      const LaunchEvents* events = nullptr);
CallReport outer(const Function& function, const Argument& a, const Argument& b, const CallOptions& options = {},
                 const LaunchEvents* events = nullptr);
CallReport at(const Function& function, const Argument& target, const Argument& indices, const Argument& values,
              const Stream& stream = {}, const LaunchEvents* events = nullptr);

}  // namespace jitc::engine
