#include "src/cli/console.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "src/cli/failure.hpp"

namespace jitc::cli {

namespace {

/// 0, or errno.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(fd, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    text.remove_prefix(static_cast<size_t>(count));
  }
  return 0;
}

}  // namespace

void write_stdout(std::string_view text) {
  const int error = write_all(STDOUT_FILENO, text);
  if (error != 0 && error != EPIPE) fail(fmt::format("cannot write the output: {}", std::strerror(error)));
}

void write_stderr(std::string_view text) { write_all(STDERR_FILENO, text); }

void report_error(std::string_view message, std::string_view help) {
  write_stderr(fmt::format("jitc: error: {}\n", message));
  if (!help.empty()) write_stderr(fmt::format("  help: {}\n", help));
}

}  // namespace jitc::cli
