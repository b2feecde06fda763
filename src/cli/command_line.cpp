#include "src/cli/command_line.hpp"

#include <fmt/format.h>

#include <new>

#include "jitc/error.hpp"
#include "src/base/check.hpp"
#include "src/cli/commands.hpp"
#include "src/cli/console.hpp"
#include "src/cli/failure.hpp"
#include "src/cli/version.hpp"
#include "src/codegen/codegen.hpp"
#include "src/io/input_error.hpp"

namespace jitc::cli {

namespace {

constexpr const char* kExamples = R"(
examples:
  jitc run axpy.dsl --arg a=2.5 --arg x=arange:f4[1000] --arg y=ones:f4[1000] --print y
  jitc compile axpy.dsl --target sm_80 -o axpy.ptx
  jitc inspect axpy.dsl --types
  jitc check *.dsl
`jitc COMMAND --help` tells all about one command.)";

std::string lower_first(std::string text) {
  if (text.size() > 1 && text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a' && text[1] <= 'z') text[0] += 'a' - 'A';
  return text;
}

/// The subcommand that was being parsed, or the whole app.
const CLI::App& innermost(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  return chosen.empty() ? app : *chosen.front();
}

/// "--print" for "--pritn"; for words that are no options, what the command takes.
std::string help_for_extra(const CLI::App& command, const std::string& word) {
  std::vector<std::string> candidates;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) candidates.push_back("--" + name);
  }
  for (const CLI::App* sub : command.get_subcommands([](const CLI::App*) { return true; })) {
    candidates.push_back(sub->get_name());
  }
  const std::string name = word.substr(0, word.find('='));
  return suggest(name, candidates, word[0] == '-' ? "the options are" : "it takes");
}

int report_bad_line(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = innermost(app);
  const bool is_sub = &command != &app;
  const std::string see = fmt::format("see `jitc {}--help`", is_sub ? command.get_name() + " " : "");
  const std::vector<std::string> extra = app.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !extra.empty()) {
    const bool is_option = extra.front()[0] == '-';
    const std::string what = is_option ? "there is no option" : is_sub ? "one word too many:" : "there is no command";
    report_error(fmt::format("{} {}", what, extra.front()),
                 is_option || !is_sub ? help_for_extra(command, extra.front()) : see);
    return kExitBadLine;
  }
  report_error(lower_first(error.what()), see);
  return kExitBadLine;
}

/// Parses, and runs the subcommand's action.
int parse_and_run(int argc, const char* const* argv) {
  CLI::App app("Compiles Numba-style kernels to PTX and to native code, and runs them.", "jitc");
  app.set_version_flag("--version", version_text(), "Show the version and exit");
  app.set_help_flag("-h,--help", "Show this help and exit");
  app.require_subcommand(1);
  app.footer(kExamples);
  Action action;
  add_run(app, action);
  add_compile(app, action);
  add_inspect(app, action);
  add_check(app, action);
  add_doctor(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    write_stdout(innermost(app).help());
    return kExitDone;
  } catch (const CLI::CallForVersion&) {
    write_stdout(version_text() + "\n");
    return kExitDone;
  } catch (const CLI::ParseError& error) { return report_bad_line(app, error); }
  return action();
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  try {
    return parse_and_run(argc, argv);
  } catch (const CompileError& error) { write_stderr(error.what()); } catch (const io::InputError& error) {
    report_error(error.what(), error.help());
  } catch (const Error& error) { report_error(error.what()); } catch (const codegen::TargetError& error) {
    report_error(error.what());
  } catch (const std::bad_alloc&) { report_error("out of memory"); } catch (const std::exception& error) {
    report_error(fmt::format("internal error: {}", error.what()), "this is a bug of jitc; please report it");
  }
  return kExitError;
}

}  // namespace jitc::cli
