// The compiler on one page: what happens to a text, in this order.
//
//   parse      text -> syntax tree
//   analyze    syntax tree -> typed module      names, types, constants
//   lower      typed kernel -> kernel program   twice: for any strides, and for C-contiguous arrays
//   verify     after every lowering; a broken rule is a bug of ours
//
// Emission (kernel program -> artifact) is codegen::emit; the engine asks for it per target when first needed.
#include <fmt/format.h>

#include "src/kernel/kernel.hpp"
#include "src/kernel/lower.hpp"
#include "src/pipeline/pipeline.hpp"
#include "src/pipeline/stage_runner.hpp"
#include "src/sema/sema.hpp"
#include "src/syntax/parser.hpp"

namespace jitc::pipeline {

namespace {

/// What a file may have of faults before the rest is not worth reading.
constexpr size_t kMaxErrors = 50;

kernel::KernelProgram lower_verified(const source::SourceFile& file, const types::TypeTable& types,
                                     const sema::TypedFunction& kernel, bool contiguous, size_t max_nodes,
                                     StageRunner& runner) {
  kernel::KernelProgram program = runner.run("lower", [&] {
    return kernel::lower(file, types, kernel, {contiguous, max_nodes});
  });
  const std::vector<std::string> broken = runner.run("verify", [&] { return kernel::verify(program); });
  JITC_CHECK(broken.empty(), fmt::format("kernel '{}' breaks a rule of its IR: {}", kernel.name, broken.front()));
  return program;
}

/// Lowers every variant of a kernel; too large ones are reported.
KernelGroup lower_kernel(const source::SourceFile& file, const sema::TypedModule& typed,
                         const sema::TypedKernel& kernel, const Options& options, source::DiagnosticSink& sink,
                         StageRunner& runner) {
  KernelGroup group{kernel.name, kernel.span, {}};
  for (const auto& variant : kernel.variants) {
    try {
      group.variants.push_back({variant->signature,
                                lower_verified(file, *typed.types, *variant, false, options.max_nodes, runner),
                                lower_verified(file, *typed.types, *variant, true, options.max_nodes, runner)});
    } catch (const kernel::ProgramTooLarge&) {
      sink.report(source::DiagId::kKernelTooLarge, kernel.span, kernel.name, options.max_nodes)
          .help("call fewer or smaller device functions, or raise the limit (CompileOptions::max_nodes)");
    }
  }
  return group;
}

}  // namespace

std::shared_ptr<const Module> check(std::string_view text, const Options& options) {
  StageRunner runner;
  source::DiagnosticSink sink(kMaxErrors);
  auto module =
      std::make_shared<Module>(Module{source::SourceFile(options.file_name, std::string(text)), {}, false, {}, {}});
  const source::SourceFile& file = module->file;

  syntax::ParseLimits limits;
  limits.max_nesting = options.max_nesting;
  limits.max_source_bytes = options.max_source_bytes;
  limits.max_nodes = options.max_nodes;
  syntax::Ast ast = runner.run("parse", [&] { return syntax::parse(file, sink, limits); });
  if (!sink.has_errors()) {
    const sema::AnalyzeOptions analyze_options{options.entry, options.signature, options.check, options.warn_f64};
    const sema::TypedModule typed =
        runner.run("analyze", [&] { return sema::analyze(file, ast, analyze_options, sink); });
    if (!sink.has_errors()) {
      for (const sema::TypedKernel& kernel : typed.kernels) {
        module->kernels.push_back(lower_kernel(file, typed, kernel, options, sink, runner));
      }
    }
  }

  module->ok = !sink.has_errors();
  module->diagnostics = sink.all();
  module->times = runner.take();
  return module;
}

}  // namespace jitc::pipeline
