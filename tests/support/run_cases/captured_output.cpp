#include "tests/support/run_cases/captured_output.hpp"

#include <unistd.h>

#include <stdexcept>

namespace jitc::cases {

CapturedOutput::CapturedOutput() : file_(std::tmpfile()), terminal_(-1) {
  if (file_ == nullptr) throw std::runtime_error("no temporary file");
  std::fflush(stdout);
  terminal_ = dup(STDOUT_FILENO);
  dup2(fileno(file_), STDOUT_FILENO);
}

CapturedOutput::~CapturedOutput() {
  restore();
  std::fclose(file_);
}

void CapturedOutput::restore() {
  if (terminal_ < 0) return;
  std::fflush(stdout);
  dup2(terminal_, STDOUT_FILENO);
  close(terminal_);
  terminal_ = -1;
}

std::string CapturedOutput::take() {
  restore();
  std::string text;
  std::rewind(file_);
  for (int c = std::fgetc(file_); c != EOF; c = std::fgetc(file_)) text += static_cast<char>(c);
  return text;
}

}  // namespace jitc::cases
