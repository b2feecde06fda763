#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace jitc::cases {

struct ProcessResult {
  int status = 0;      ///< exit status; 127 when the program could not be started, 128 + n for signal n
  std::string output;  ///< stdout and stderr together
};

/// Runs a program without a shell and waits for its end.
ProcessResult run_process(const std::vector<std::string>& command);

/// A folder that is removed with its contents in the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace jitc::cases
