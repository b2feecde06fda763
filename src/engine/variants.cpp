// Compiled forms of functions, each made once.
#include <fmt/format.h>

#include "runtime/common/error.hpp"
#include "src/engine/guard.hpp"
#include "src/engine/state.hpp"
#include "src/engine/stopwatch.hpp"

namespace jitc::engine {

const TypedSignature& signature_at(const FunctionState& function, size_t signature) {
  const TypedSignature* found =
      function.signatures.find([&](size_t index, const TypedSignature&) { return index == signature; });
  if (found != nullptr) return *found;
  const size_t count = function.signatures.size();
  if (count == 0) {
    runtime::fail(ErrorCode::argument,
                  "{} has no signature in its text and was not called yet: it is typed by its first call; give it a "
                  "signature (CompileOptions::signature) to compile it before",
                  function.title);
  }
  runtime::fail(ErrorCode::argument, "{} has {} signature{}, there is no number {} (they count from 0)", function.title,
                count, count == 1 ? "" : "s", signature);
}

const pipeline::KernelVariant& variant_at(const FunctionState& function, size_t signature) {
  return *signature_at(function, signature).variant;
}

std::span<const ArgumentInfo> results_of(const FunctionState& function, size_t signature) {
  const std::span<const ArgumentInfo> arguments = variant_at(function, signature).strided.arguments;
  return function.is_kernel() ? std::span<const ArgumentInfo>() : arguments.subspan(function.group->params.size());
}

const kernel::KernelProgram& program_of(const FunctionState& function, const VariantKey& key) {
  const TypedSignature& typed = signature_at(function, key.signature);
  const pipeline::KernelVariant& variant = *typed.variant;
  if (function.is_kernel()) return key.contiguous ? variant.contiguous : variant.strided;
  if (!function.is_array_function() && key.form == variant.form) return variant.strided;
  return function.code->forms.get({key.signature, key.part, key.form}, [&] {
    try {
      if (function.is_array_function()) return pipeline::lower_part(*typed.module, variant, key.part, key.form);
      return pipeline::lower_form(*typed.module, variant, key.form);
    } catch (const kernel::ProgramTooLarge&) {
      throw CompileError(fmt::format("{}: the kernel for this call is larger than {} nodes; make the function smaller, "
                                     "or raise the limit (CompileOptions::max_nodes)",
                                     function.title, typed.module->options.max_nodes),
                         {});
    }
  });
}

const CompiledVariant& compile_variant(const FunctionState& function, const VariantKey& key) {
  const kernel::KernelProgram& program = program_of(function, key);
  return function.code->compiled.get(key, [&] {
    const Stopwatch watch;
    CompiledVariant out;
    const CompiledProgram& compiled = *function.program->compiled;
    out.artifact = compiled.emit(program, {key.kind, key.sm}, compiled.emit_options, &out.times);
    out.artifact.file = compiled.module->file.name();
    out.compile_ms = watch.ms();
    return out;
  });
}

const CompiledVariant& compile_variant(const Function& function, const TargetOptions& target, size_t signature) {
  return guarded([&]() -> const CompiledVariant& {
    const FunctionState& state = Access::state(function);
    if (state.is_array_function()) {
      runtime::fail(ErrorCode::argument,
                    "{} is made of several kernels, each in the form that a call needs: see them with 'jitc inspect "
                    "--ptx', and what a call runs with --plan",
                    state.title);
    }
    const codegen::Target parsed = codegen::parse_target(target.name);
    VariantKey key{signature, 0, target.contiguous, {}, parsed.kind, parsed.sm};
    if (!state.is_kernel()) {
      key.contiguous = false;
      const TypedSignature& typed = signature_at(state, signature);
      key.form = typed.variant->form;
    }
    return compile_variant(state, key);
  });
}

const LoadedVariant& load_variant(const FunctionState& function, const kernel::CallForm& form,
                                  const std::shared_ptr<runtime::Backend>& backend, LaunchReport& report,
                                  uint32_t part) {
  const LoadKey key{report.signature, part, report.contiguous, form, backend.get()};
  return function.loaded.get(key, [&] {
    const codegen::Target target = codegen::device_target(backend->target());
    const CompiledVariant& variant =
        compile_variant(function, {report.signature, part, report.contiguous, form, target.kind, target.sm});
    const Stopwatch watch;
    LoadedVariant out{backend, &variant.artifact, backend->load(variant.artifact)};
    report.compiled = true;
    report.compile_ms = variant.compile_ms;
    report.emit_times = variant.times;
    report.load_ms = watch.ms();
    return out;
  });
}

}  // namespace jitc::engine
