// The compiler on one page: what happens to a text, in this order.
//
//   parse      text -> syntax tree
//   analyze    syntax tree -> typed module      names, types, constants
//   lower      typed kernel -> kernel program   twice: for any strides, and for C-contiguous arrays
//              ufunc -> kernel around it        for calls with arrays alone; for others when first needed
//              gufunc -> kernel around it       likewise
//              reduction -> kernel around it    for one contiguous array; for others when first needed
//   build      array function -> array program   maps, views, folds and contractions of whole arrays
//   push_views views of maps become maps of views
//   schedule   array program -> launch plan      what one kernel computes, what is freed when; kernels as for ufuncs
//   verify     after every lowering; a broken rule is a bug of ours
//
// Emission (kernel program -> artifact) is codegen::emit; the engine asks for it per target when first needed.
#include <fmt/format.h>

#include "src/array/build.hpp"
#include "src/array/free_values.hpp"
#include "src/array/parts.hpp"
#include "src/array/push_views.hpp"
#include "src/array/verify.hpp"
#include "src/base/match.hpp"
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

/// Runs one lowering and holds its result against the rules.
template <class Lower>
kernel::KernelProgram verified(const std::string& name, StageRunner& runner, const Lower& lower) {
  kernel::KernelProgram program = runner.run("lower", lower);
  const std::vector<std::string> broken = runner.run("verify", [&] { return kernel::verify(program); });
  JITC_CHECK(broken.empty(), fmt::format("kernel '{}' breaks a rule of its IR: {}", name, broken.front()));
  return program;
}

kernel::LowerOptions lower_options(const Options& options, bool contiguous) {
  return {contiguous, options.max_nodes, options.line_info};
}

/// What all lowerings of one text share.
struct Lowering {
  const source::SourceFile& file;
  types::TypeTable& types;
  const Options& options;
  StageRunner& runner;

  KernelVariant kernel(const sema::TypedFunction& kernel) const {
    const auto program = [&](bool contiguous) {
      return verified(kernel.name, runner,
                      [&] { return kernel::lower(file, types, kernel, lower_options(options, contiguous)); });
    };
    return {kernel.signature, program(false), program(true)};
  }

  kernel::KernelProgram form(const sema::TypedFunction& function, const kernel::CallForm& form) const {
    return verified(function.name, runner,
                    [&] { return kernel::lower_call(file, types, function, form, lower_options(options, false)); });
  }

  /// Of the ufunc's, gufunc's or reduction's kernel that stands for all of them.
  kernel::CallForm plain_form(EntryKind kind, const sema::TypedFunction& function) const {
    switch (kind) {
      case EntryKind::kKernel:
      case EntryKind::kArray: break;
      case EntryKind::kUfunc: return kernel::plain_form(types, function);
      case EntryKind::kGufunc: return kernel::plain_gufunc_form(function);
      case EntryKind::kReduction: return kernel::plain_reduction();
    }
    return {};
  }

  /// Its programs have the arguments of a call, and then the results.
  KernelVariant array_function(const sema::TypedFunction& function) const {
    const auto checked = [&](const char* pass, const auto& run) {
      array::Program out = runner.run(pass, run);
      const std::vector<std::string> broken = runner.run("verify", [&] { return array::verify(out); });
      JITC_CHECK(broken.empty(),
                 fmt::format("{} breaks a rule of the array IR of '{}': {}", pass, function.name, broken.front()));
      return out;
    };
    array::Program program = checked("build", [&] { return array::build(file, types, function); });
    program = checked("parts", [&] { return array::settle_parts(std::move(program)); });
    program = checked("push_views", [&] { return array::push_views(std::move(program)); });
    auto plan = std::make_shared<const array::Plan>(
        runner.run("schedule", [&] { return array::free_values(array::schedule(types, std::move(program))); }));
    KernelVariant out{function.signature, {}, {}};
    out.strided.name = function.name;
    out.strided.signature = function.signature;
    out.strided.arguments = plan->program.params;
    out.strided.arguments.insert(out.strided.arguments.end(), plan->program.results.begin(),
                                 plan->program.results.end());
    out.contiguous = out.strided;
    out.plan = std::move(plan);
    return out;
  }

  KernelVariant variant(EntryKind kind, const std::shared_ptr<const sema::TypedFunction>& function) const {
    if (kind == EntryKind::kKernel) return kernel(*function);
    if (kind == EntryKind::kArray) return array_function(*function);
    const kernel::CallForm plain = plain_form(kind, *function);
    kernel::KernelProgram program = form(*function, plain);
    KernelVariant out{function->signature, program, program, function, plain};
    if (kind == EntryKind::kUfunc) out.elems_in_group = kernel::elems_in_group(types, *function);
    return out;
  }
};

/// Lowers every variant of a kernel or of what is called with arrays; too large ones are reported.
KernelGroup lower_entry(const Lowering& lowering, const sema::TypedKernel& entry, source::DiagnosticSink& sink) {
  KernelGroup group{entry.name,     entry.span,        {}, entry.kind, entry.params, entry.layout,
                    entry.identity, entry.only_by_name};
  if (entry.kind == EntryKind::kReduction) group.params = {"array"};
  for (const auto& variant : entry.variants) {
    try {
      group.variants.push_back(lowering.variant(entry.kind, variant));
    } catch (const kernel::ProgramTooLarge&) {
      sink.report(source::DiagId::kKernelTooLarge, entry.span, entry.name, lowering.options.max_nodes)
          .help("call fewer or smaller device functions, or raise the limit (CompileOptions::max_nodes)");
    } catch (const array::NotAnArrayProgram& problem) {
      sink.report(source::DiagId::kUnsupportedArray, problem.span(), problem.what());
    }
  }
  return group;
}

}  // namespace

std::shared_ptr<const Module> check(std::string_view text, const Options& options) {
  StageRunner runner;
  source::DiagnosticSink sink(kMaxErrors);
  auto module = std::make_shared<Module>(Module{source::SourceFile(options.file_name, std::string(text)), {}, false});
  module->options = options;
  const source::SourceFile& file = module->file;

  syntax::ParseLimits limits;
  limits.max_nesting = options.max_nesting;
  limits.max_source_bytes = options.max_source_bytes;
  limits.max_nodes = options.max_nodes;
  syntax::Ast ast = runner.run("parse", [&] { return syntax::parse(file, sink, limits); });
  if (!sink.has_errors()) {
    const sema::AnalyzeOptions analyze_options{options.entry, options.signature, options.only_entry, options.check,
                                               options.warn_f64};
    const sema::TypedModule typed =
        runner.run("analyze", [&] { return sema::analyze(file, ast, analyze_options, sink); });
    if (!sink.has_errors()) {
      module->types = typed.types;
      const Lowering lowering{file, *typed.types, options, runner};
      for (const sema::TypedKernel& entry : typed.kernels) {
        module->kernels.push_back(lower_entry(lowering, entry, sink));
      }
    }
  }

  module->ok = !sink.has_errors();
  module->diagnostics = sink.all();
  module->times = runner.take();
  return module;
}

std::shared_ptr<const Module> specialize(const Module& module, const std::string& name, const std::string& signature) {
  Options options = module.options;
  options.entry = name;
  options.signature = signature;
  options.only_entry = true;
  return check(module.file.text(), options);
}

kernel::KernelProgram lower_form(const Module& module, const KernelVariant& variant, const kernel::CallForm& form) {
  StageRunner runner;
  const kernel::LowerOptions options = lower_options(module.options, false);
  return verified(variant.scalar_function->name, runner, [&] {
    return kernel::lower_call(module.file, *module.types, *variant.scalar_function, form, options);
  });
}

kernel::KernelProgram lower_part(const Module& module, const KernelVariant& variant, uint32_t part,
                                 const kernel::CallForm& form) {
  StageRunner runner;
  const kernel::LowerOptions options = lower_options(module.options, false);
  const array::Kernel& kernel = variant.plan->kernels.at(part);
  kernel::KernelProgram program = verified(kernel.name, runner, [&] {
    return base::match(
        kernel.kind,
        [&](const array::MapKernel& k) {
          return kernel::lower_call(module.file, *module.types, *k.function, form, options);
        },
        [&](const array::RowsKernel& k) {
          return kernel::lower_rows(module.file, *module.types, k.rows, std::get<kernel::RowsForm>(form), options);
        },
        [&](const array::ContractLaunch& k) {
          return kernel::lower_contract(module.file, *module.types, k.contract, std::get<kernel::ContractForm>(form),
                                        options);
        });
  });
  program.name = variant.plan->program.name;
  program.symbol = kernel::mangle(kernel.name, program.arguments);
  return program;
}

namespace {

using kernel::KernelOperand;
using kernel::Walk;

Walk plain_walk(const KernelOperand& operand) {
  if (operand.kind == KernelOperand::Kind::scalar) return Walk::scalar;
  return operand.per_row ? Walk::same : Walk::next;
}

kernel::RowsForm plain_rows(const array::RowsKernel& rows, bool is_host) {
  kernel::RowsForm form;
  form.shape = is_host ? kernel::RowsForm::Shape::along : kernel::RowsForm::Shape::block;
  form.count = is_host ? 8 : 16;
  for (const KernelOperand& o : rows.rows.operands) form.reads.push_back(plain_walk(o));
  for (const array::Result& r : rows.results) form.writes.push_back(r.of_elements ? Walk::next : Walk::same);
  return form;
}

kernel::ElementwiseForm plain_map(const array::MapKernel& map) {
  kernel::ElementwiseForm form;
  for (const KernelOperand& o : map.kinds) {
    form.params.push_back(o.kind == KernelOperand::Kind::index ? Walk::index : plain_walk(o));
  }
  form.results.assign(map.results.size(), Walk::next);
  return form;
}

kernel::ContractForm plain_contract(const array::ContractLaunch& launch, bool is_host) {
  kernel::ContractForm form;
  form.machine = is_host ? kernel::ContractForm::Machine::host : kernel::ContractForm::Machine::device;
  form.a.assign(launch.contract.a.operands.size(), kernel::Neighbours::second);
  form.b.assign(launch.contract.b.operands.size(), kernel::Neighbours::second);
  form.epilogue.assign(launch.contract.epilogue_operands.size(), Walk::next);
  form.outputs.assign(launch.contract.outputs.size(), Walk::next);
  form.tile = is_host ? kernel::ContractTile{96, 256, 256, 6, 16} : kernel::ContractTile{64, 64, 16, 4, 4};
  return form;
}

}  // namespace

kernel::CallForm plain_part(const KernelVariant& variant, uint32_t part, bool is_host) {
  return base::match(
      variant.plan->kernels.at(part).kind, [](const array::MapKernel& k) -> kernel::CallForm { return plain_map(k); },
      [&](const array::RowsKernel& k) -> kernel::CallForm { return plain_rows(k, is_host); },
      [&](const array::ContractLaunch& k) -> kernel::CallForm { return plain_contract(k, is_host); });
}

}  // namespace jitc::pipeline
