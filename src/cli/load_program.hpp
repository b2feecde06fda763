// FILE to a checked program: what run, compile and inspect begin with.
#pragma once

#include <CLI/App.hpp>
#include <memory>
#include <optional>
#include <string>

#include "jitc/program.hpp"
#include "src/cli/stage_table.hpp"

namespace jitc::cli {

/// The options that all of them have.
struct ProgramOptions {
  std::string file;
  std::string kernel;
  std::string signature;  ///< a number: which of the kernel's own; other text: the signature itself
  bool check = false;
  bool line_info = false;
  std::string math;

  /// The number in `signature`, if it is one.
  std::optional<size_t> signature_number() const;
};

/// FILE, the first word of the command.
void add_file(CLI::App& command, ProgramOptions& options);

/// `--math`.
void add_math(CLI::App& command, std::string& math);

/// `--signature`, `--check`, `--lineinfo` and `--math`.
void add_program_options(CLI::App& command, ProgramOptions& options);

/// What the compiler is told about the text named `name`. Throws io::InputError for a signature without its kernel.
CompileOptions compile_options(const ProgramOptions& options, const std::string& name);

/// Reads and checks the text; its warnings go to stderr. Throws CompileError with all messages, io::InputError for an
/// unreadable file.
Program load_program(const ProgramOptions& options, StageTable& times);

/// All functions but those that may be there for others to call, or these where there are no others.
std::vector<std::string> functions_meant(const Program& program);

/// The function that `options` names, or the only one that is meant. Throws io::InputError.
Function pick_kernel(const Program& program, const ProgramOptions& options);

/// The signature that `options` names by number, or the only one. Throws io::InputError that lists them.
size_t pick_signature(const Function& function, const ProgramOptions& options);

/// "kernel axpy", "ufunc product", "reduction total".
std::string title_of(const Function& function);

/// "kernels", "ufuncs and reductions": what the program has.
std::string kinds_of(const Program& program);

/// Why a function whose types come from its calls cannot be compiled, and what to do. Throws io::InputError.
[[noreturn]] void fail_untyped(const Function& function);

/// "0: void(f4[:]), 1: void(f8[:])".
std::string list_signatures(const Function& function);

}  // namespace jitc::cli
