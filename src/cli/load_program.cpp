#include "src/cli/load_program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/cli/console.hpp"
#include "src/cli/failure.hpp"
#include "src/cli/text_input.hpp"
#include "src/engine/engine.hpp"
#include "src/io/scalar_text.hpp"

namespace jitc::cli {

std::optional<size_t> ProgramOptions::signature_number() const {
  if (signature.empty() || signature.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  const io::ScalarResult number = io::parse_scalar(signature, DType::u8);
  return number.value ? number.value->bits : SIZE_MAX;
}

void add_file(CLI::App& command, ProgramOptions& options) {
  command.add_option("FILE", options.file, "The kernel text; - reads standard input")->type_name("")->required();
}

void add_program_options(CLI::App& command, ProgramOptions& options) {
  command
      .add_option("--signature", options.signature,
                  "The N-th signature, counted from 0; or the signature itself, where the text has none")
      ->type_name("N|TEXT");
  command.add_flag("--check", options.check, "Check every index, and report the first one outside");
}

CompileOptions compile_options(const ProgramOptions& options, const std::string& name) {
  CompileOptions out;
  out.file_name = name;
  out.check = options.check;
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
  Program program = engine::make_program(module);
  for (const DiagnosticMessage& warning : program.warnings()) write_stderr(warning.rendered);
  return program;
}

Function pick_kernel(const Program& program, const ProgramOptions& options) {
  const std::vector<std::string> kernels = program.kernels();
  if (options.kernel.empty()) {
    if (kernels.size() == 1) return program[kernels.front()];
    fail(fmt::format("{} has {} kernels; name one", options.file, kernels.size()),
         fmt::format("the kernels are: {}", fmt::join(kernels, ", ")));
  }
  for (const std::string& name : kernels) {
    if (name == options.kernel) return program[name];
  }
  fail(fmt::format("{} has no kernel '{}'", options.file, options.kernel),
       suggest(options.kernel, kernels, "the kernels are"));
}

size_t pick_signature(const Function& function, const ProgramOptions& options) {
  const size_t count = function.signatures().size();
  const std::optional<size_t> number = options.signature_number();
  if (number && *number < count) return *number;
  if (number) {
    fail(fmt::format("kernel {} has no signature number {}", function.name(), options.signature),
         list_signatures(function));
  }
  if (count == 1) return 0;
  fail(fmt::format("kernel {} has {} signatures; choose one with --signature N", function.name(), count),
       list_signatures(function));
}

std::string list_signatures(const Function& function) {
  std::string out = "the signatures are ";
  const std::vector<std::string> signatures = function.signatures();
  for (size_t i = 0; i < signatures.size(); ++i) out += fmt::format("{}{}: {}", i == 0 ? "" : ", ", i, signatures[i]);
  return out;
}

}  // namespace jitc::cli
