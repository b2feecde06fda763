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

const pipeline::KernelVariant& variant_of(const Function& function, size_t signature) {
  return variant_at(Access::state(function), signature);
}

}  // namespace engine

const std::string& Function::name() const { return state_->group->name; }

FunctionKind Function::kind() const { return state_->is_ufunc() ? FunctionKind::ufunc : FunctionKind::kernel; }

const std::vector<std::string>& Function::parameters() const { return state_->group->params; }

bool Function::is_typed_by_calls() const { return state_->group->is_typed_by_calls(); }

std::vector<std::string> Function::signatures() const {
  std::vector<std::string> out;
  const size_t count = state_->signatures.size();
  for (size_t i = 0; i < count; ++i) out.push_back(engine::variant_at(*state_, i).signature);
  return out;
}

std::vector<ArgumentInfo> Function::arguments(size_t signature) const {
  std::vector<ArgumentInfo> out = engine::variant_at(*state_, signature).strided.arguments;
  if (!state_->is_ufunc()) return out;
  out.pop_back();
  for (ArgumentInfo& info : out) info = {.name = info.name, .dtype = info.dtype, .read = true};
  return out;
}

std::optional<DType> Function::result(size_t signature) const {
  const std::vector<ArgumentInfo>& arguments = engine::variant_at(*state_, signature).strided.arguments;
  return state_->is_ufunc() ? std::optional(arguments.back().dtype) : std::nullopt;
}

size_t Function::resolve(const std::vector<Argument>& args) const {
  return engine::guarded([&] { return engine::choose_for(*state_, args).signature; });
}

void Function::launch_list(const LaunchConfig& config, const std::vector<Argument>& args) const {
  engine::launch(*this, config, args);
}

void Function::forall_list(const ForAll& range, const std::vector<Argument>& args) const {
  engine::forall(*this, range, args);
}

PreparedLaunch Function::prepare_list(const LaunchConfig& config, const std::vector<Argument>& args) const {
  return engine::prepare(*this, config, args);
}

Array Function::call_list(const std::vector<Argument>& args, const Stream& stream) const {
  return engine::call(*this, args, nullptr, stream).result;
}

void Function::call_list_into(const Array& out, const std::vector<Argument>& args, const Stream& stream) const {
  engine::call(*this, args, &out, stream);
}

KernelResources Function::resources(const Device& device, size_t signature) const {
  return engine::guarded([&] {
    const pipeline::KernelVariant& variant = engine::variant_at(*state_, signature);
    engine::LaunchReport report;
    report.signature = signature;
    const kernel::UfuncForm form =
        state_->is_ufunc() ? kernel::all_arrays(*variant.scalar_function) : kernel::UfuncForm{};
    return engine::load_variant(*state_, form, device.backend(), report).kernel->resources();
  });
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
