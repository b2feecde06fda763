// jitc::Function but for the launch itself.
#include "jitc/program.hpp"
#include "runtime/common/error.hpp"
#include "src/engine/guard.hpp"
#include "src/engine/state.hpp"

namespace jitc {

namespace engine {

std::shared_ptr<const pipeline::Module> module_of(const Function& function) {
  return Access::state(function).program->compiled->module;
}

const pipeline::KernelGroup& group_of(const Function& function) { return *Access::state(function).group; }

const pipeline::KernelVariant& variant_of(const Function& function, size_t signature) {
  return variant_at(Access::state(function), signature);
}

}  // namespace engine

const std::string& Function::name() const { return state_->group->name; }

FunctionKind Function::kind() const {
  if (state_->is_gufunc()) return FunctionKind::gufunc;
  if (state_->is_array_function()) return FunctionKind::array_function;
  if (state_->is_reduction()) return FunctionKind::reduction;
  return state_->is_ufunc() ? FunctionKind::ufunc : FunctionKind::kernel;
}

std::string Function::layout() const { return state_->is_gufunc() ? to_string(*state_->group->layout) : ""; }

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
  if (state_->is_kernel()) return out;
  out.resize(state_->group->params.size());
  if (state_->is_reduction() || state_->is_array_function()) return out;
  for (size_t i = 0; i < out.size(); ++i) {
    const int rank = state_->is_gufunc() ? state_->group->layout->inputs[i].rank() : 0;
    out[i] = {.name = out[i].name, .dtype = out[i].dtype, .is_array = rank != 0, .rank = rank, .read = true};
  }
  return out;
}

std::vector<DType> Function::results(size_t signature) const {
  std::vector<DType> out;
  for (const ArgumentInfo& info : engine::results_of(*state_, signature)) out.push_back(info.dtype);
  return out;
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

std::vector<Array> Function::call_list(const std::vector<Argument>& args, const CallOptions& options) const {
  return engine::call(*this, args, options).results;
}

Array Function::only_result(std::vector<Array> results) const {
  require_results(results.size(), 1);
  return std::move(results.front());
}

void Function::require_results(size_t count, size_t wanted) const {
  if (count == wanted) return;
  runtime::fail(ErrorCode::argument, "{} has {} result{}, and {} {} asked for: take them with call<{}>(…)",
                state_->title, count, count == 1 ? "" : "s", wanted, wanted == 1 ? "was" : "were", count);
}

KernelResources Function::resources(const Device& device, size_t signature) const {
  return engine::guarded([&] {
    const engine::TypedSignature& typed = engine::signature_at(*state_, signature);
    engine::LaunchReport report;
    report.signature = signature;
    if (state_->is_array_function()) {
      runtime::fail(ErrorCode::argument, "{} is no single kernel: 'jitc inspect --plan' shows those that a call runs",
                    state_->title);
    }
    const kernel::CallForm form = state_->is_kernel() ? kernel::CallForm{} : typed.variant->form;
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
