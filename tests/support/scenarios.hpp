// Tests whose subject is the end of a process: a program with scenarios, run as a process for each.
#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

namespace jitc::tests {

struct Scenario {
  std::string_view name;
  void (*run)();
};

/// What the program's main() returns, once the scenario that its one argument names has returned; 2 for other
/// arguments.
inline int run_scenario(int argc, char** argv, std::span<const Scenario> scenarios) {
  for (const Scenario& scenario : scenarios) {
    if (argc != 2 || scenario.name != argv[1]) continue;
    scenario.run();
    return 0;
  }
  std::fprintf(stderr, "there is no such scenario\n");
  return 2;
}

/// The exit status of a scenario of `program`; 124 when it hung, -1 when a signal ended it.
inline int exit_status(const std::string& program, const std::string& scenario) {
  const int status = std::system(("timeout 120 '" + program + "' " + scenario).c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace jitc::tests
