// jitc::Program, and how one is made of a checked module.
#include "jitc/program.hpp"

#include <fmt/format.h>

#include <utility>

#include "runtime/common/error.hpp"
#include "src/engine/messages.hpp"
#include "src/engine/state.hpp"

namespace jitc {

namespace engine {

namespace {

/// The signatures view into the module, which the program state keeps.
std::vector<Signature> signatures_of(const pipeline::KernelGroup& group) {
  std::vector<Signature> out;
  for (const pipeline::KernelVariant& variant : group.variants) {
    out.push_back({variant.signature, variant.strided.arguments});
  }
  return out;
}

}  // namespace

Program make_program(std::shared_ptr<const pipeline::Module> module) {
  std::vector<DiagnosticMessage> messages = to_messages(module->file, module->diagnostics);
  if (!module->ok) throw CompileError(source::render_all(module->file, module->diagnostics), std::move(messages));

  auto state = std::make_shared<ProgramState>();
  state->module = std::move(module);
  state->warnings = std::move(messages);
  for (const pipeline::KernelGroup& group : state->module->kernels) {
    FunctionState& function = state->functions.emplace_back();
    function.program = state.get();
    function.group = &group;
    function.signatures = signatures_of(group);
  }
  return Access::make(std::move(state));
}

std::shared_ptr<const pipeline::Module> module_of(const Program& program) { return Access::state(program).module; }

}  // namespace engine

Function Program::operator[](std::string_view name) const {
  for (const engine::FunctionState& function : state_->functions) {
    if (function.group->name == name) return engine::Access::make(state_, function);
  }
  const std::vector<std::string> names = kernels();
  if (names.empty()) runtime::fail(ErrorCode::argument, "there is no kernel '{}': the text has no kernels", name);
  runtime::fail(ErrorCode::argument, "there is no kernel '{}'; the text has {}", name, fmt::join(names, ", "));
}

std::vector<std::string> Program::kernels() const {
  std::vector<std::string> names;
  for (const engine::FunctionState& function : state_->functions) names.push_back(function.group->name);
  return names;
}

const std::vector<DiagnosticMessage>& Program::warnings() const { return state_->warnings; }

}  // namespace jitc
