// A program that answers each line with one.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <string>
#include <vector>

namespace jitc::bench {

class LineProcess {
 public:
  /// Throws std::runtime_error where it cannot be started.
  explicit LineProcess(const std::vector<std::string>& command);
  ~LineProcess();
  LineProcess(const LineProcess&) = delete;
  LineProcess& operator=(const LineProcess&) = delete;

  /// Throws std::runtime_error where the program has ended.
  std::string ask(const std::string& line);

 private:
  pid_t pid_ = 0;
  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
};

}  // namespace jitc::bench
