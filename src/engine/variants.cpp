// Compiled forms of kernels, each made once.
#include "runtime/common/error.hpp"
#include "src/engine/guard.hpp"
#include "src/engine/state.hpp"
#include "src/engine/stopwatch.hpp"

namespace jitc::engine {

const pipeline::KernelVariant& variant_at(const FunctionState& function, size_t signature) {
  const std::vector<pipeline::KernelVariant>& variants = function.group->variants;
  if (signature >= variants.size()) {
    runtime::fail(ErrorCode::argument, "kernel '{}' has {} signature{}, there is no number {} (they count from 0)",
                  function.group->name, variants.size(), variants.size() == 1 ? "" : "s", signature);
  }
  return variants[signature];
}

const CompiledVariant& compile_variant(const FunctionState& function, const VariantKey& key) {
  const pipeline::KernelVariant& variant = variant_at(function, key.signature);
  return function.compiled.get(key, [&] {
    const Stopwatch watch;
    CompiledVariant out;
    const codegen::Target target{key.kind, key.sm};
    out.artifact = codegen::emit(key.contiguous ? variant.contiguous : variant.strided, target,
                                 function.program->emit_options, &out.times);
    out.artifact.file = function.program->module->file.name();
    out.compile_ms = watch.ms();
    return out;
  });
}

const CompiledVariant& compile_variant(const Function& function, const TargetOptions& target, size_t signature) {
  return guarded([&]() -> const CompiledVariant& {
    const codegen::Target parsed = codegen::parse_target(target.name);
    return compile_variant(Access::state(function), {signature, target.contiguous, parsed.kind, parsed.sm});
  });
}

}  // namespace jitc::engine
