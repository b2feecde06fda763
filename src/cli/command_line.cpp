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
  jitc devices
`jitc COMMAND --help` tells all about one command.)";

std::string lower_first(std::string text) {
  if (text.size() > 1 && text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a' && text[1] <= 'z') text[0] += 'a' - 'A';
  return text;
}

/// The subcommand that was being parsed, of a subcommand even, or the whole app.
const CLI::App& innermost(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  return chosen.empty() ? app : innermost(*chosen.front());
}

/// "cache list"
std::string path_of(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  const bool is_inner = parent != nullptr && parent->get_parent() != nullptr;
  return is_inner ? path_of(*parent) + " " + command.get_name() : command.get_name();
}

/// Groups of options are nameless subcommands.
std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App* s) { return !s->get_name().empty(); }))
    out.push_back(sub->get_name());
  return out;
}

/// Options of the command and of its groups.
void append_option_names(const CLI::App& command, std::vector<std::string>& out) {
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) out.push_back("--" + name);
  }
}

int bad_line(const std::string& message, const std::string& help) {
  report_error(message, help);
  return kExitBadLine;
}

int report_extra_word(const CLI::App& command, const std::string& word, const std::string& see) {
  if (word[0] != '-') return bad_line(fmt::format("one word too many: {}", word), see);
  std::vector<std::string> options;
  append_option_names(command, options);
  const std::string name = word.substr(0, word.find('='));
  return bad_line(fmt::format("there is no option {}", name), suggest(name, options, "the options are"));
}

/// CLI11's exceptions in our words.
int report_bad_line(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = innermost(app);
  const std::vector<std::string> extra = app.remaining(true);
  if (const std::vector<std::string> inner = command_names(command); !inner.empty()) {
    const std::string of = &command == &app ? "" : fmt::format(" of `jitc {}`", path_of(command));
    if (extra.empty())
      return bad_line(fmt::format("a command{} is missing", of), suggest("", inner, "the commands are"));
    if (extra[0][0] == '-') return report_extra_word(command, extra[0], "");
    return bad_line(fmt::format("there is no command {}{}", extra[0], of),
                    suggest(extra[0], inner, "the commands are"));
  }
  const std::string see = fmt::format("see `jitc {} --help`", path_of(command));
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !extra.empty()) {
    return report_extra_word(command, extra[0], see);
  }
  const std::string text = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string option = text.substr(0, text.find(':'));
    const bool is_repeated = text.find("At Most") != std::string::npos;
    return bad_line(option + (is_repeated ? " is given more than once" : " needs a value"), see);
  }
  const bool names_choices = text.starts_with("Exactly");
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && !names_choices) {
    return bad_line(fmt::format("{} is missing", text.substr(0, text.find(' '))), see);
  }
  return bad_line(lower_first(text), see);
}

/// Parses, and runs the subcommand's action.
int parse_and_run(int argc, const char* const* argv) {
  CLI::App app(
      "Compiles Numba-style kernels, ufuncs and array functions for NVIDIA GPUs and for the CPU, and runs them.",
      "jitc");
  app.set_version_flag("--version", version_text(), "Show the version and exit");
  app.set_help_flag("-h,--help", "Show this help and exit");
  app.require_subcommand(1);
  app.footer(kExamples);
  app.get_formatter()->label("REQUIRED", "");
  app.get_formatter()->column_width(26);
  Action action;
  add_run(app, action);
  add_compile(app, action);
  add_inspect(app, action);
  add_check(app, action);
  add_devices(app, action);
  add_doctor(app, action);
  add_cache(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    write_stdout(app.help());
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
  } catch (const codegen::MathLibraryError& error) { report_error(error.what()); } catch (const std::bad_alloc&) {
    report_error("out of memory");
  } catch (const std::exception& error) {
    report_error(fmt::format("internal error: {}", error.what()), "this is a bug of jitc; please report it");
  }
  return kExitError;
}

}  // namespace jitc::cli
