#include "tests/random_arrays/forked_check.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

namespace jitc::random_arrays {

namespace {

[[noreturn]] void check_and_exit(const Program& program, const std::vector<Where>& wheres, Mistake mistake, int pipe) {
  Checker checker(mistake);
  const auto found = checker.check(program, wheres);
  const std::string out = found ? found->kind + '\0' + found->text : "";
  size_t done = 0;
  while (done < out.size()) {
    const ssize_t count = ::write(pipe, out.data() + done, out.size() - done);
    if (count <= 0) break;
    done += static_cast<size_t>(count);
  }
  ::_exit(0);
}

}  // namespace

std::optional<Difference> forked_check(const Program& program, const std::vector<Where>& wheres, Mistake mistake) {
  int ends[2] = {};
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = ::fork();
  if (child == 0) check_and_exit(program, wheres, mistake, ends[1]);
  ::close(ends[1]);
  std::string out;
  char bytes[4096];
  for (ssize_t count = 0; (count = ::read(ends[0], bytes, sizeof bytes)) > 0;)
    out.append(bytes, static_cast<size_t>(count));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) {
    const std::string text = fmt::format("signal {} ended the process", WTERMSIG(status));
    return Difference{text, text};
  }
  if (out.empty()) return std::nullopt;
  return Difference{out.substr(0, out.find('\0')), out.substr(out.find('\0') + 1)};
}

}  // namespace jitc::random_arrays
