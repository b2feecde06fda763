#pragma once

#include <cstdio>
#include <string>

namespace jitc::cases {

/// Keeps what the process writes to its standard output, from here until take() or the end of the scope: kernels print
/// from compiled code.
class CapturedOutput {
 public:
  CapturedOutput();
  ~CapturedOutput();
  CapturedOutput(const CapturedOutput&) = delete;
  CapturedOutput& operator=(const CapturedOutput&) = delete;

  /// Ends the capture.
  std::string take();

 private:
  void restore();

  std::FILE* file_;
  int terminal_;  ///< the real standard output; -1 when it is back in its place
};

}  // namespace jitc::cases
