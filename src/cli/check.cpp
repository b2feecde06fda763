// jitc check: diagnostics only.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "src/cli/commands.hpp"
#include "src/cli/console.hpp"
#include "src/cli/load_program.hpp"
#include "src/cli/output_format.hpp"
#include "src/cli/text_input.hpp"
#include "src/engine/engine.hpp"
#include "src/io/input_error.hpp"
#include "src/pipeline/pipeline.hpp"

namespace jitc::cli {

namespace {

struct CheckOptions {
  std::vector<std::string> files;
  std::string format = "text";
  std::string math;
  bool warn_f64 = false;
};

/// Checks the files one by one and remembers whether any is wrong.
class Checker {
 public:
  explicit Checker(const CheckOptions& options) : options_(options) {}

  int run() {
    static_cast<void>(engine::to_emit_options({.math = options_.math}));
    for (const std::string& file : options_.files) check(file);
    if (is_json()) write_json(all_);
    return failed_ ? kExitError : kExitDone;
  }

 private:
  bool is_json() const { return options_.format == "json"; }

  /// An unreadable file does not keep the others from being checked.
  void check(const std::string& file) {
    try {
      const TextInput input = read_text(file);
      pipeline::Options options;
      options.file_name = input.name;
      options.warn_f64 = options_.warn_f64;
      report(*pipeline::check(input.text, options));
    } catch (const io::InputError& error) {
      failed_ = true;
      report_error(error.what(), error.help());
    }
  }

  void report(const pipeline::Module& module) {
    failed_ = failed_ || !module.ok;
    note_untyped(module);
    if (!is_json()) return write_stderr(source::render_all(module.file, module.diagnostics));
    const auto found = nlohmann::ordered_json::parse(source::to_json(module.file, module.diagnostics));
    for (const auto& diagnostic : found) all_.push_back(diagnostic);
  }

  /// Without types only names and form can be wrong.
  static void note_untyped(const pipeline::Module& module) {
    for (const pipeline::KernelGroup& group : module.kernels) {
      if (!group.is_typed_by_calls() || group.only_by_name) continue;
      write_stderr(fmt::format("jitc: {}: {} {} has no signature: it was checked without types\n", module.file.name(),
                               spelling(group.kind), group.name));
    }
  }

  const CheckOptions& options_;
  bool failed_ = false;
  nlohmann::ordered_json all_ = nlohmann::ordered_json::array();
};

constexpr const char* kHelp = R"(
Exit code 0: no errors (there may be warnings); 1: errors, or a file that cannot be read.

examples:
  jitc check *.dsl
  jitc check kernels.dsl --format=json | python3 -m json.tool)";

}  // namespace

void add_check(CLI::App& app, Action& action) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App& command = *app.add_subcommand("check", "Report what is wrong with files, and nothing else");
  command.add_option("FILE", options->files, "Kernel texts; - reads standard input")->type_name("")->required();
  add_format(command, options->format, "text on standard error, or json on standard output");
  command.add_flag("--warn-f64", options->warn_f64, "Warn where f4 or integer operands become f8");
  add_math(command, options->math);
  command.footer(kHelp);
  command.callback([options, &action] { action = [options] { return Checker(*options).run(); }; });
}

}  // namespace jitc::cli
