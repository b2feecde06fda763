// jitc inspect: what the compiler made of the text, stage by stage.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "src/array/print.hpp"
#include "src/cli/commands.hpp"
#include "src/cli/console.hpp"
#include "src/cli/failure.hpp"
#include "src/cli/load_program.hpp"
#include "src/cli/text_input.hpp"
#include "src/engine/engine.hpp"
#include "src/kernel/kernel.hpp"

namespace jitc::cli {

namespace {

enum class Stage { tokens, ast, types, array, plan, ir, llvm, ptx, as };

struct StageOption {
  Stage stage;
  const char* option;
  const char* what;
};
constexpr std::array<StageOption, 9> kStages = {
    {{Stage::tokens, "--tokens", "The words of the text"},
     {Stage::ast, "--ast", "The syntax tree"},
     {Stage::types, "--types", "The type of every expression"},
     {Stage::array, "--array", "The operations of array functions, and what was fused"},
     {Stage::plan, "--plan", "What a call of an array function runs"},
     {Stage::ir, "--ir", "The kernel IR"},
     {Stage::llvm, "--llvm", "LLVM IR after optimization"},
     {Stage::ptx, "--ptx", "PTX"},
     {Stage::as, "--asm", "This machine's assembly"}}};

struct InspectOptions {
  ProgramOptions program;
  std::array<bool, kStages.size()> chosen{};
  std::string target;
  bool contiguous = false;

  Stage stage() const {
    const auto at = std::find(chosen.begin(), chosen.end(), true);
    return kStages[static_cast<size_t>(at - chosen.begin())].stage;
  }
};

// --- the stages before kernel programs -------------------------------------------------------------------------------

void choose_function(const InspectOptions& options, pipeline::Options& chosen) {
  if (options.program.signature_number()) {
    fail("--types shows all signatures of a function", "leave --signature out, or give one as text");
  }
  chosen.entry = options.program.kernel;
  chosen.only_entry = !chosen.entry.empty();
}

int inspect_early(const InspectOptions& options, pipeline::EarlyDump what) {
  const TextInput input = read_text(options.program.file);
  const CompileOptions compile = compile_options(options.program, input.name);
  pipeline::Options chosen = engine::to_pipeline_options(compile);
  if (what == pipeline::EarlyDump::kTypes) choose_function(options, chosen);
  std::string diagnostics;
  const std::string out = pipeline::dump(input.text, chosen, what, diagnostics);
  if (out.empty() && diagnostics.empty()) {
    fail(fmt::format("there is no kernel or ufunc '{}' in {}", chosen.entry, input.name));
  }
  write_stdout(out);
  write_stderr(diagnostics);
  // Warnings leave the later dumps whole; the tokens are shown around the errors.
  const bool failed = !diagnostics.empty() && (what == pipeline::EarlyDump::kTokens || out.empty());
  return failed ? kExitError : kExitDone;
}

// --- from kernel programs on -----------------------------------------------------------------------------------------

codegen::Target target_of(const InspectOptions& options, Stage stage) {
  const std::string fallback = stage == Stage::ptx ? "sm_75" : "cpu";
  const codegen::Target target = codegen::parse_target(options.target.empty() ? fallback : options.target);
  const bool is_cpu = target.kind == codegen::Target::Kind::cpu;
  if (stage == Stage::ptx && is_cpu) fail("--ptx needs a GPU target", "use --asm for this machine's assembly");
  if (stage == Stage::as && !is_cpu) fail("--asm shows this machine's assembly", "use --ptx for a GPU target");
  return target;
}

std::string dump_program(const kernel::KernelProgram& program, Stage stage, const InspectOptions& options,
                         const codegen::EmitOptions& emit) {
  if (stage == Stage::ir) return kernel::print(program);
  const codegen::Target target = target_of(options, stage);
  return stage == Stage::llvm ? codegen::llvm_ir(program, target, emit) : codegen::assembly(program, target, emit);
}

/// Array functions have several kernels, each of which has several forms: one of each stands for all.
std::string dump_variant(const Program& program, const pipeline::KernelVariant& variant, Stage stage,
                         const InspectOptions& options) {
  const codegen::EmitOptions& emit = engine::emit_options_of(program);
  const bool is_array_stage = stage == Stage::array || stage == Stage::plan;
  if (variant.plan == nullptr) {
    if (is_array_stage) fail(fmt::format("{} is no array function", variant.strided.name), "try --types or --ir");
    return dump_program(options.contiguous ? variant.contiguous : variant.strided, stage, options, emit);
  }
  const std::shared_ptr<const pipeline::Module> module = engine::module_of(program);
  if (stage == Stage::array) return array::print_program(module->file, *variant.plan);
  if (stage == Stage::plan) return array::print_plan(module->file, *variant.plan);
  const bool is_host = stage != Stage::ptx && (options.target.empty() || options.target == "cpu");
  std::string out;
  for (uint32_t part = 0; part < variant.plan->kernels.size(); ++part) {
    if (!out.empty()) out += '\n';
    const kernel::CallForm form = pipeline::plain_part(variant, part, is_host);
    out += dump_program(pipeline::lower_part(*module, variant, part, form), stage, options, emit);
  }
  return out;
}

int inspect_late(const InspectOptions& options, Stage stage) {
  StageTable times;
  const Program program = load_program(options.program, times);
  std::vector<std::string> names = functions_meant(program);
  if (!options.program.kernel.empty()) names = {pick_kernel(program, options.program).name()};
  std::string out;
  for (const std::string& name : names) {
    const Function function = program[name];
    if (function.is_typed_by_calls()) {
      if (names.size() == 1) fail_untyped(function);
      write_stderr(fmt::format("jitc: {} has no signature and is left out\n", title_of(function)));
    }
    const auto& variants = engine::group_of(function).variants;
    const bool is_one = options.program.signature_number().has_value();
    const size_t first = is_one ? pick_signature(function, options.program) : 0;
    for (size_t i = first; i < (is_one ? first + 1 : variants.size()); ++i) {
      if (!out.empty()) out += '\n';
      out += dump_variant(program, variants[i], stage, options);
    }
  }
  write_stdout(out);
  return kExitDone;
}

int inspect(const InspectOptions& options) {
  const Stage stage = options.stage();
  switch (stage) {
    case Stage::tokens: return inspect_early(options, pipeline::EarlyDump::kTokens);
    case Stage::ast: return inspect_early(options, pipeline::EarlyDump::kAst);
    case Stage::types: return inspect_early(options, pipeline::EarlyDump::kTypes);
    case Stage::array:
    case Stage::plan:
    case Stage::ir:
    case Stage::llvm:
    case Stage::ptx:
    case Stage::as: return inspect_late(options, stage);
  }
  return kExitError;
}

constexpr const char* kHelp = R"(
All kernels, ufuncs and signatures are shown one after the other; --kernel and --signature N choose one.

examples:
  jitc inspect axpy.dsl --types
  jitc inspect axpy.dsl --ptx --target sm_90
  jitc inspect axpy.dsl --llvm --contiguous
  jitc inspect softmax.dsl --array)";

}  // namespace

void add_inspect(CLI::App& app, Action& action) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App& command = *app.add_subcommand("inspect", "Show what the compiler made of a file");
  add_file(command, options->program);
  CLI::Option_group& stages = *command.add_option_group("STAGE", "One of");
  for (size_t i = 0; i < kStages.size(); ++i) {
    stages.add_flag(kStages[i].option, options->chosen[i], kStages[i].what);
  }
  stages.require_option(1);
  command.add_option("--kernel", options->program.kernel, "One kernel or ufunc only")->type_name("NAME");
  command.add_option("--target", options->target, "sm_50 to sm_90, or cpu (--llvm and --asm without it)")
      ->type_name("NAME");
  command.add_flag("--contiguous", options->contiguous, "The form for C-contiguous arrays");
  add_program_options(command, options->program);
  command.footer(kHelp);
  command.callback([options, &action] { action = [options] { return inspect(*options); }; });
}

}  // namespace jitc::cli
