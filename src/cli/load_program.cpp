#include "src/cli/load_program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "src/cli/console.hpp"
#include "src/cli/failure.hpp"
#include "src/cli/text_input.hpp"
#include "src/engine/engine.hpp"
#include "src/io/scalar_text.hpp"

namespace jitc::cli {

namespace {

/// Those of the program, with `ending`.
std::vector<std::string> kind_words(const Program& program, const std::string& ending) {
  std::set<pipeline::EntryKind> kinds;
  for (const std::string& name : program.functions()) kinds.insert(engine::group_of(program[name]).kind);
  std::vector<std::string> out;
  for (const pipeline::EntryKind kind : kinds) out.push_back(spelling(kind) + ending);
  return out;
}

}  // namespace

std::optional<size_t> ProgramOptions::signature_number() const {
  if (signature.empty() || signature.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  const io::ScalarResult number = io::parse_scalar(signature, DType::u8);
  return number.value ? number.value->bits : SIZE_MAX;
}

void add_file(CLI::App& command, ProgramOptions& options) {
  command.add_option("FILE", options.file, "The kernel text; - reads standard input")->type_name("")->required();
}

void add_math(CLI::App& command, std::string& math) {
  command.add_option("--math", math, "libdevice:PATH takes math functions of GPUs from that file of a CUDA toolkit")
      ->type_name("LIBRARY");
}

void add_program_options(CLI::App& command, ProgramOptions& options) {
  command
      .add_option("--signature", options.signature,
                  "The N-th signature, counted from 0; or the signature itself, where the text has none")
      ->type_name("N|TEXT");
  command.add_flag("--check", options.check, "Check indices, assertions and barriers; report the first that fails");
  command.add_flag("--lineinfo", options.line_info,
                   "Say in PTX which line each instruction is from, for profilers and reports");
  add_math(command, options.math);
}

CompileOptions compile_options(const ProgramOptions& options, const std::string& name) {
  CompileOptions out;
  out.file_name = name;
  out.check = options.check;
  out.line_info = options.line_info;
  out.math = options.math;
  if (!options.signature.empty() && !options.signature_number()) {
    if (options.kernel.empty()) fail("--signature with a text needs the name of its kernel");
    out.entry = options.kernel;
    out.signature = options.signature;
  }
  return out;
}

Program load_program(const ProgramOptions& options, StageTable& times) {
  const TextInput input = read_text(options.file);
  times.add("read", input.read_ms);
  const CompileOptions compile = compile_options(options, input.name);
  const auto module = pipeline::check(input.text, engine::to_pipeline_options(compile));
  times.add(module->times);
  Program program = engine::make_program(module, engine::emit_once, engine::to_emit_options(compile));
  for (const DiagnosticMessage& warning : program.warnings()) write_stderr(warning.rendered);
  return program;
}

std::vector<std::string> functions_meant(const Program& program) {
  std::vector<std::string> all = program.functions(), out;
  std::ranges::copy_if(all, std::back_inserter(out),
                       [&](const std::string& name) { return !engine::group_of(program[name]).only_by_name; });
  return out.empty() ? all : out;
}

Function pick_kernel(const Program& program, const ProgramOptions& options) {
  const std::vector<std::string> names = program.functions();
  const std::string kinds = kinds_of(program);
  if (options.kernel.empty()) {
    const std::vector<std::string> meant = functions_meant(program);
    if (meant.size() == 1) return program[meant.front()];
    fail(fmt::format("{} has {} {}; name one", options.file, names.size(), kinds),
         fmt::format("the {} are: {}", kinds, fmt::join(names, ", ")));
  }
  for (const std::string& name : names) {
    if (name == options.kernel) return program[name];
  }
  fail(fmt::format("{} has no {} '{}'", options.file, fmt::join(kind_words(program, ""), " or "), options.kernel),
       suggest(options.kernel, names, fmt::format("the {} are", kinds)));
}

size_t pick_signature(const Function& function, const ProgramOptions& options) {
  const size_t count = function.signatures().size();
  if (count == 0) fail_untyped(function);
  const std::optional<size_t> number = options.signature_number();
  if (number && *number < count) return *number;
  if (number) {
    fail(fmt::format("{} has no signature number {}", title_of(function), options.signature),
         list_signatures(function));
  }
  if (count == 1) return 0;
  fail(fmt::format("{} has {} signatures; choose one with --signature N", title_of(function), count),
       list_signatures(function));
}

std::string title_of(const Function& function) {
  return fmt::format("{} {}", spelling(engine::group_of(function).kind), function.name());
}

std::string kinds_of(const Program& program) {
  const std::vector<std::string> words = kind_words(program, "s");
  if (words.size() < 3) return fmt::format("{}", fmt::join(words, " and "));
  return fmt::format("{}, {} and {}", words[0], words[1], words[2]);
}

namespace {

/// A type for each parameter of a gufunc.
std::vector<std::string> types_of(const sema::CoreLayout& layout) {
  std::vector<std::string> out;
  for (size_t k = 0; k < layout.param_count(); ++k) {
    const int least = k < layout.inputs.size() ? 0 : 1;
    const int rank = std::max(layout.shape(k).rank(), least);
    out.push_back(rank == 0 ? "f4" : rank == 1 ? "f4[:]" : rank == 2 ? "f4[:,:]" : "f4[:,:,:]");
  }
  return out;
}

}  // namespace

void fail_untyped(const Function& function) {
  const bool is_reduction = function.kind() == FunctionKind::reduction;
  const bool is_scalar = is_reduction || function.kind() == FunctionKind::ufunc;
  const size_t count = is_reduction ? 2 : function.parameters().size();
  std::vector<std::string> types(count, is_scalar ? "f4" : "f4[:]");
  if (const auto& layout = engine::group_of(function).layout) types = types_of(*layout);
  const char* result = is_scalar ? "f4" : function.kind() == FunctionKind::array_function ? "" : "void";
  fail(fmt::format("{} has no signature: its types come from its arguments, and here are none", title_of(function)),
       fmt::format("give it one, such as --kernel {} --signature \"{}({})\"", function.name(), result,
                   fmt::join(types, ", ")));
}

std::string list_signatures(const Function& function) {
  std::string out = "the signatures are ";
  const std::vector<std::string> signatures = function.signatures();
  for (size_t i = 0; i < signatures.size(); ++i) out += fmt::format("{}{}: {}", i == 0 ? "" : ", ", i, signatures[i]);
  return out;
}

}  // namespace jitc::cli
