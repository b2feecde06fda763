#include <csignal>

#include "src/cli/command_line.hpp"

int main(int argc, char** argv) {
  // `jitc … | head` closes our output early: write() then says so, and files that are still to be written get written.
  std::signal(SIGPIPE, SIG_IGN);
  return jitc::cli::run_command_line(argc, argv);
}
