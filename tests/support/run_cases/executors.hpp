// The ways to run one launch: the reference interpreter, and a device through the public API.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jitc/jitc.hpp"
#include "src/io/array_spec.hpp"
#include "src/kernel/ir.hpp"
#include "tests/support/run_cases/placement.hpp"

namespace jitc::cases {

/// One call: its arguments in the order of the signature.
struct Call {
  LaunchConfig config;
  std::vector<ArgumentInfo> infos;
  std::vector<io::ArgValue> args;
};

/// What a run left behind.
struct Outcome {
  std::string executor;                ///< "cpu, reversed arrays"
  std::vector<io::ArgValue> args;      ///< arrays hold what they held afterwards
  std::string printed;                 ///< what the kernel wrote to standard output
  std::optional<std::string> failure;  ///< the kernel or the launch was refused or stopped, in words
  bool refused = false;                ///< the failure came before the first thread: it is the launch that was wrong
  std::optional<std::string> problem;  ///< something that no correct program does
};

/// `failure` has no words of its own here: the interpreter makes records, not messages.
/// `backwards`: see ReferenceLaunch.
Outcome run_reference(const kernel::KernelProgram& program, const Call& call, Placing placing, std::string executor,
                      bool backwards = false);

/// Chooses between the compiled forms as any caller's launch does.
Outcome run_on_device(const Device& device, const Function& function, const Call& call, Placing placing);

}  // namespace jitc::cases
