// What stands behind the handles of the public API.
#pragma once

#include <compare>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "jitc/program.hpp"
#include "runtime/common/backend.hpp"
#include "src/engine/append_list.hpp"
#include "src/engine/engine.hpp"
#include "src/engine/once_map.hpp"
#include "src/engine/program_cache.hpp"
#include "src/engine/resolve.hpp"

namespace jitc::engine {

/// One compiled form on one device. The device is named by its address, which LoadedVariant keeps from being reused.
struct LoadKey {
  size_t signature = 0;
  uint32_t part = 0;
  bool contiguous = false;
  kernel::CallForm form;
  const runtime::Backend* backend = nullptr;

  auto operator<=>(const LoadKey&) const = default;
};

/// Constants of an array function on one device. The array keeps the device from being another.
struct TableKey {
  const sema::ConstantArray* values = nullptr;
  const runtime::Backend* backend = nullptr;

  auto operator<=>(const TableKey&) const = default;
};

struct LoadedVariant {
  std::shared_ptr<runtime::Backend> backend;
  const Artifact* artifact = nullptr;  ///< in FunctionState::code
  std::shared_ptr<runtime::LoadedKernel> kernel;
};

/// One signature of a function and the module that it was typed in.
struct TypedSignature {
  std::shared_ptr<const pipeline::Module> module;
  const pipeline::KernelVariant* variant = nullptr;
};

/// One function of a program, with what was typed, compiled and loaded of it so far.
struct FunctionState {
  const ProgramState* program = nullptr;
  const pipeline::KernelGroup* group = nullptr;
  std::string title;                                    ///< for messages: "kernel 'axpy'", "reduction 'sum'"
  std::vector<Signature> written;                       ///< those of the text; fixed
  mutable AppendList<const TypedSignature> signatures;  ///< the same, or those that calls have made
  mutable OnceMap<std::string, size_t> by_types;        ///< of calls, to the place in `signatures`
  const CompiledFunction* code = nullptr;               ///< in the program's `compiled`
  mutable OnceMap<LoadKey, LoadedVariant> loaded;
  mutable OnceMap<TableKey, Array> tables;

  bool is_kernel() const { return group->kind == pipeline::EntryKind::kKernel; }
  bool is_ufunc() const { return group->kind == pipeline::EntryKind::kUfunc; }
  bool is_gufunc() const { return group->kind == pipeline::EntryKind::kGufunc; }
  bool is_array_function() const { return group->kind == pipeline::EntryKind::kArray; }
  bool is_reduction() const { return group->kind == pipeline::EntryKind::kReduction; }
};

struct ProgramState {
  std::shared_ptr<const CompiledProgram> compiled;  ///< never null
  std::deque<FunctionState> functions;              ///< source order, as in the module
};

/// The way from handles to states and back.
struct Access {
  static Program make(std::shared_ptr<const ProgramState> state) { return Program(std::move(state)); }
  /// The handle keeps the whole program alive.
  static Function make(const std::shared_ptr<const ProgramState>& program, const FunctionState& function) {
    return Function(std::shared_ptr<const FunctionState>(program, &function));
  }
  static PreparedLaunch make(std::shared_ptr<const PreparedState> state) { return PreparedLaunch(std::move(state)); }
  static const ProgramState& state(const Program& program) { return *program.state_; }
  static const FunctionState& state(const Function& function) { return *function.state_; }
};

/// The signature that takes these arguments; one that the text does not write is typed here. Throws Error(argument),
/// CompileError where the function cannot have these types.
Resolution choose_signature(const FunctionState& function, std::span<const Argument> args,
                            std::span<const Argument> results = {});

/// The same for arguments with host memory among them, whose places in the result are to be filled. A gufunc without a
/// signature takes the types of its results from those that are given.
Resolution choose_for(const FunctionState& function, std::span<const Argument> given,
                      std::span<const Argument> results = {});

/// Throws Error(argument) when the function has no signature of that number (yet).
const TypedSignature& signature_at(const FunctionState& function, size_t signature);
const pipeline::KernelVariant& variant_at(const FunctionState& function, size_t signature);

/// Where a call runs.
struct Place {
  std::shared_ptr<runtime::Backend> backend;
  std::shared_ptr<runtime::Queue> queue;
};

/// The one device on which all arrays lie, those for results among them; without arrays the stream's, or the best there
/// is. Throws Error(argument) where they are several, by the names of the function's parameters unless others are
/// given.
Place place_of(const FunctionState& function, std::span<const Argument> args, const Stream& stream,
               std::span<const Argument> results = {}, std::span<const std::string> names = {});

/// The arguments of a function's kernel that are the results of a call.
std::span<const ArgumentInfo> results_of(const FunctionState& function, size_t signature);

/// engine::call() of a ufunc.
CallReport call_ufunc(const FunctionState& function, const std::vector<Argument>& given, const CallOptions& options,
                      const LaunchEvents* events);

/// engine::call() of a gufunc.
CallReport call_gufunc(const FunctionState& function, const std::vector<Argument>& given, const CallOptions& options,
                       const LaunchEvents* events);

/// engine::call() of an array function.
CallReport call_array_function(const FunctionState& function, const std::vector<Argument>& given,
                               const CallOptions& options, const LaunchEvents* events);

/// engine::reduce(), engine::accumulate() and engine::at().
CallReport reduce_call(const FunctionState& function, const Argument& array, const ReduceOptions& options,
                       const LaunchEvents* events);
CallReport accumulate_call(const FunctionState& function, const Argument& array, int axis, const CallOptions& options,
                           const LaunchEvents* events);
CallReport at_call(const FunctionState& function, const Argument& target, const Argument& indices,
                   const Argument& values, const Stream& stream, const LaunchEvents* events);

/// Notes that the queue is about to work with the arrays.
void use_arrays(std::span<const Argument> args, const std::shared_ptr<runtime::Queue>& queue);

/// Launches a kernel whose arrays were noted; the milliseconds on the host.
double give_to_device(const Place& place, const runtime::LoadedKernel& kernel, const LaunchConfig& config,
                      std::span<const std::byte> params, const LaunchEvents* events);

/// The program that a key stands for.
const kernel::KernelProgram& program_of(const FunctionState& function, const VariantKey& key);
/// Compiles when no one has yet.
const CompiledVariant& compile_variant(const FunctionState& function, const VariantKey& key);
/// Compiles and loads when no one has yet, and notes in `report` what that took.
const LoadedVariant& load_variant(const FunctionState& function, const kernel::CallForm& form,
                                  const std::shared_ptr<runtime::Backend>& backend, LaunchReport& report,
                                  uint32_t part = 0);

}  // namespace jitc::engine
