#include "tests/accuracy/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace jitc::accuracy {

namespace {

constexpr int kBarWidth = 30;
constexpr double kSecondsBetween = 0.2;

double seconds(std::chrono::steady_clock::duration time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

Progress::Progress(uint64_t total) : total_(std::max<uint64_t>(total, 1)), is_terminal_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (is_terminal_) fmt::print(stderr, "\r\033[K");
}

void Progress::name(const std::string& what) {
  const std::lock_guard lock(mutex_);
  what_ = what;
}

void Progress::add(uint64_t done) {
  done_ += done;
  if (!is_terminal_) return;
  const std::lock_guard lock(mutex_);
  if (seconds(std::chrono::steady_clock::now() - drawn_) >= kSecondsBetween) draw();
}

void Progress::draw() {
  drawn_ = std::chrono::steady_clock::now();
  const double part = std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_));
  const auto left = static_cast<int64_t>(seconds(drawn_ - start_) * (1 - part) / std::max(part, 1e-6));
  const auto filled = static_cast<int>(part * kBarWidth);
  fmt::print(stderr, "\r[{:#<{}}{:{}}] {:3.0f} %  {}:{:02} left  {}\033[K", "", filled, "", kBarWidth - filled,
             100 * part, left / 60, left % 60, what_);
  std::fflush(stderr);
}

}  // namespace jitc::accuracy
