// The subcommands of jitc. Each adds its options to the command line and, when it is the one asked for, sets `action`.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <functional>

namespace jitc::cli {

/// The work of a subcommand; returns the exit code, throws what src/io and src/engine throw.
using Action = std::function<int()>;

constexpr int kExitDone = 0;
constexpr int kExitError = 1;    ///< the program, the use of it, or the world is wrong
constexpr int kExitBadLine = 2;  ///< the command line does not parse

void add_run(CLI::App& app, Action& action);
void add_compile(CLI::App& app, Action& action);
void add_inspect(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_devices(CLI::App& app, Action& action);
void add_doctor(CLI::App& app, Action& action);
void add_cache(CLI::App& app, Action& action);

}  // namespace jitc::cli
