// The text of one compile, with its name and line table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/source/line_table.hpp"
#include "src/source/span.hpp"

namespace jitc::source {

/// 1-based line and column; the column counts characters (UTF-8 code points), as editors do.
struct LineColumn {
  uint32_t line = 1;
  uint32_t column = 1;
};

class SourceFile {
 public:
  SourceFile(std::string name, std::string text);

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  std::string_view text(Span span) const;

  LineColumn position(uint32_t offset) const;
  uint32_t line_count() const { return lines_.count(); }
  const LineTable& lines() const { return lines_; }
  /// The line without its newline; `line` is 1-based.
  std::string_view line(uint32_t line) const;
  uint32_t line_start(uint32_t line) const;

 private:
  std::string name_;
  std::string text_;
  LineTable lines_;
};

}  // namespace jitc::source
