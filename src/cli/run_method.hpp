// Runs of whatever is called: ufuncs and their methods, reductions.
#pragma once

#include "src/cli/run_arguments.hpp"
#include "src/engine/engine.hpp"

namespace jitc::cli {

/// prepare_run() for reductions, and for the methods that one array chooses the signature of. Throws io::InputError,
/// CompileError.
Run prepare_fold(Function function, const Method& method, const std::vector<std::string>& words,
                 const ProgramOptions& options, const Device& device, const Stream& stream);

/// The call or the method, with the run's arguments.
engine::CallReport call_method(const Run& run, const engine::LaunchEvents& events);

}  // namespace jitc::cli
