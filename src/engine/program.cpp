// jitc::Program, and how one is made of a checked module.
#include "jitc/program.hpp"

#include <fmt/format.h>

#include <utility>

#include "runtime/common/error.hpp"
#include "src/engine/state.hpp"

namespace jitc {

namespace engine {

namespace {

/// Views into the module, which the program state keeps.
Signature view(const pipeline::KernelGroup& group, const pipeline::KernelVariant& variant) {
  std::span<const ArgumentInfo> arguments = variant.strided.arguments;
  // The kernel of what returns arrays has the results as further arguments.
  if (group.kind != pipeline::EntryKind::kKernel) arguments = arguments.first(group.params.size());
  return {variant.signature, arguments};
}

}  // namespace

Program make_program(std::shared_ptr<const pipeline::Module> module, Emit emit, codegen::EmitOptions emit_options) {
  return make_program(start_compiling(std::move(module), std::move(emit), std::move(emit_options)));
}

Program make_program(std::shared_ptr<const CompiledProgram> compiled) {
  auto state = std::make_shared<ProgramState>();
  state->compiled = std::move(compiled);
  const std::shared_ptr<const pipeline::Module>& module = state->compiled->module;
  for (size_t i = 0; i < module->kernels.size(); ++i) {
    const pipeline::KernelGroup& group = module->kernels[i];
    FunctionState& function = state->functions.emplace_back();
    function.code = &state->compiled->functions[i];
    function.program = state.get();
    function.group = &group;
    function.title = fmt::format("{} '{}'", spelling(group.kind), group.name);
    for (const pipeline::KernelVariant& variant : group.variants) {
      function.written.push_back(view(group, variant));
      function.signatures.append(TypedSignature{module, &variant});
    }
  }
  return Access::make(std::move(state));
}

const codegen::EmitOptions& emit_options_of(const Program& program) {
  return Access::state(program).compiled->emit_options;
}

std::shared_ptr<const pipeline::Module> module_of(const Program& program) {
  return Access::state(program).compiled->module;
}

}  // namespace engine

Function Program::operator[](std::string_view name) const {
  for (const engine::FunctionState& function : state_->functions) {
    if (function.group->name == name) return engine::Access::make(state_, function);
  }
  const std::vector<std::string> names = functions();
  if (names.empty()) runtime::fail(ErrorCode::argument, "there is no function '{}': the text has none to call", name);
  runtime::fail(ErrorCode::argument, "there is no {} '{}'; the text has {}",
                kernels().size() == names.size() ? "kernel" : "kernel or ufunc", name, fmt::join(names, ", "));
}

std::vector<std::string> Program::functions() const {
  std::vector<std::string> names;
  for (const engine::FunctionState& function : state_->functions) names.push_back(function.group->name);
  return names;
}

std::vector<std::string> Program::kernels() const {
  std::vector<std::string> names;
  for (const engine::FunctionState& function : state_->functions) {
    if (function.is_kernel()) names.push_back(function.group->name);
  }
  return names;
}

const std::vector<DiagnosticMessage>& Program::warnings() const { return state_->compiled->warnings; }

}  // namespace jitc
