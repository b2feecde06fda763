#include "bench/line_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <stdexcept>

namespace jitc::bench {
namespace {

struct Pipe {
  std::array<int, 2> ends{};
  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  }
};

}  // namespace

LineProcess::LineProcess(const std::vector<std::string>& command) {
  std::signal(SIGPIPE, SIG_IGN);
  const Pipe in, out;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.ends[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], STDOUT_FILENO);
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const int failed = posix_spawnp(&pid_, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(in.ends[0]);
  close(out.ends[1]);
  if (failed != 0) {
    close(in.ends[1]);
    close(out.ends[0]);
    throw std::runtime_error("cannot run " + command[0]);
  }
  to_ = fdopen(in.ends[1], "w");
  from_ = fdopen(out.ends[0], "r");
}

LineProcess::~LineProcess() {
  std::fclose(to_);  // the end of its input ends it
  std::fclose(from_);
  waitpid(pid_, nullptr, 0);
}

std::string LineProcess::ask(const std::string& line) {
  std::fputs((line + "\n").c_str(), to_);
  std::fflush(to_);
  std::string answer;
  for (int c = std::fgetc(from_); c != '\n'; c = std::fgetc(from_)) {
    if (c == EOF) throw std::runtime_error("no answer to " + line);
    answer += static_cast<char>(c);
  }
  return answer;
}

}  // namespace jitc::bench
