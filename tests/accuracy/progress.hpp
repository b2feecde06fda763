// A bar on stderr where that is a terminal: [#####     ]  48 %  1:07 left  sin f4
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace jitc::accuracy {

class Progress {
 public:
  explicit Progress(uint64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// What is being done, shown behind the bar. From any thread, as add().
  void name(const std::string& what);
  void add(uint64_t done);

 private:
  void draw();

  const uint64_t total_;
  const bool is_terminal_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<uint64_t> done_ = 0;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point drawn_ = start_;
  std::string what_;
};

}  // namespace jitc::accuracy
