// What stands behind the handles of the public API.
#pragma once

#include <compare>
#include <deque>
#include <memory>
#include <vector>

#include "jitc/program.hpp"
#include "runtime/common/backend.hpp"
#include "src/engine/engine.hpp"
#include "src/engine/once_map.hpp"
#include "src/engine/resolve.hpp"

namespace jitc::engine {

/// One compiled form of a kernel.
struct VariantKey {
  size_t signature = 0;
  bool contiguous = false;
  codegen::Target::Kind kind = codegen::Target::Kind::cpu;
  int sm = 0;

  auto operator<=>(const VariantKey&) const = default;
};

/// One compiled form on one device. The device is named by its address, which LoadedVariant keeps from being reused.
struct LoadKey {
  size_t signature = 0;
  bool contiguous = false;
  const runtime::Backend* backend = nullptr;

  auto operator<=>(const LoadKey&) const = default;
};

struct LoadedVariant {
  std::shared_ptr<runtime::Backend> backend;
  const Artifact* artifact = nullptr;  ///< in FunctionState::compiled
  std::shared_ptr<runtime::LoadedKernel> kernel;
};

/// One kernel of a program, with what was compiled and loaded of it so far.
struct FunctionState {
  const ProgramState* program = nullptr;
  const pipeline::KernelGroup* group = nullptr;
  std::vector<Signature> signatures;
  mutable OnceMap<VariantKey, CompiledVariant> compiled;
  mutable OnceMap<LoadKey, LoadedVariant> loaded;
};

struct ProgramState {
  std::shared_ptr<const pipeline::Module> module;
  codegen::EmitOptions emit_options;
  std::vector<DiagnosticMessage> warnings;
  std::deque<FunctionState> functions;  ///< source order, as in the module
};

/// The way from handles to states and back.
struct Access {
  static Program make(std::shared_ptr<const ProgramState> state) { return Program(std::move(state)); }
  /// The handle keeps the whole program alive.
  static Function make(const std::shared_ptr<const ProgramState>& program, const FunctionState& function) {
    return Function(std::shared_ptr<const FunctionState>(program, &function));
  }
  static const ProgramState& state(const Program& program) { return *program.state_; }
  static const FunctionState& state(const Function& function) { return *function.state_; }
};

/// Throws Error(argument) when the kernel has no signature of that number.
const pipeline::KernelVariant& variant_at(const FunctionState& function, size_t signature);

/// Compiles when no one has yet.
const CompiledVariant& compile_variant(const FunctionState& function, const VariantKey& key);

}  // namespace jitc::engine
