// Where the lines of a text begin.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace jitc::source {

/// Lines are counted from 1. A copy needs no text.
class LineTable {
 public:
  LineTable() = default;
  /// A byte order mark is before the first line. The text is shorter than 2^32.
  explicit LineTable(std::string_view text);

  uint32_t count() const { return static_cast<uint32_t>(starts_.size()); }
  /// The offset of the first byte of `line`, which there is.
  uint32_t start(uint32_t line) const { return starts_[line - 1]; }
  /// What lies before the first line is in it.
  uint32_t line_at(uint32_t offset) const;

 private:
  std::vector<uint32_t> starts_;
};

}  // namespace jitc::source
