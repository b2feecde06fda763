// Text with nested indentation, for the printers of the stages.
#pragma once

#include <string>
#include <string_view>

namespace jitc::base {

class IndentWriter {
 public:
  explicit IndentWriter(int spaces_per_level = 2) : spaces_(spaces_per_level) {}

  /// Writes one whole line at the current level.
  void line(std::string_view text) {
    if (!text.empty()) out_.append(static_cast<size_t>(level_ * spaces_), ' ');
    out_.append(text);
    out_.push_back('\n');
  }
  void indent() { ++level_; }
  void dedent() { --level_; }

  const std::string& text() const { return out_; }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
  int level_ = 0;
  int spaces_;
};

/// Indents the lines written during its lifetime.
class Indented {
 public:
  explicit Indented(IndentWriter& writer) : writer_(writer) { writer_.indent(); }
  ~Indented() { writer_.dedent(); }
  Indented(const Indented&) = delete;
  Indented& operator=(const Indented&) = delete;

 private:
  IndentWriter& writer_;
};

}  // namespace jitc::base
