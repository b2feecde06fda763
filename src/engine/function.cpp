// jitc::Function but for the launch itself.
#include "jitc/program.hpp"
#include "src/engine/guard.hpp"
#include "src/engine/state.hpp"

namespace jitc {

namespace engine {

std::shared_ptr<const pipeline::Module> module_of(const Function& function) {
  return Access::state(function).program->module;
}

const pipeline::KernelGroup& group_of(const Function& function) { return *Access::state(function).group; }

}  // namespace engine

const std::string& Function::name() const { return state_->group->name; }

std::vector<std::string> Function::signatures() const {
  std::vector<std::string> out;
  for (const pipeline::KernelVariant& variant : state_->group->variants) out.push_back(variant.signature);
  return out;
}

std::vector<ArgumentInfo> Function::arguments(size_t signature) const {
  return engine::variant_at(*state_, signature).strided.arguments;
}

size_t Function::resolve(const std::vector<Argument>& args) const {
  return engine::guarded([&] { return engine::resolve(name(), state_->signatures, args).signature; });
}

void Function::launch_list(const LaunchConfig& config, const std::vector<Argument>& args) const {
  engine::launch(*this, config, args);
}

const Artifact& Function::artifact(const TargetOptions& target, size_t signature) const {
  return engine::compile_variant(*this, target, signature).artifact;
}

std::string Function::ptx(const std::string& sm, size_t signature) const {
  const Artifact& compiled = artifact({.name = sm}, signature);
  if (compiled.kind != Artifact::Kind::ptx) throw Error(ErrorCode::target, "target '" + sm + "' has no PTX");
  return compiled.code;
}

}  // namespace jitc
