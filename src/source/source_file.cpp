#include "src/source/source_file.hpp"

#include "src/base/check.hpp"
#include "src/source/utf8.hpp"

namespace jitc::source {

SourceFile::SourceFile(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {
  // Offsets are 32 bits. The parser refuses texts far below this size, so what is cut here is never looked at.
  if (text_.size() >= UINT32_MAX) text_.resize(UINT32_MAX - 1);
  lines_ = LineTable(text_);
}

std::string_view SourceFile::text(Span span) const {
  JITC_CHECK(span.begin <= span.end && span.end <= text_.size(), "span outside its text");
  return text().substr(span.begin, span.end - span.begin);
}

LineColumn SourceFile::position(uint32_t offset) const {
  const uint32_t line = lines_.line_at(offset);
  const uint32_t start = line_start(line);
  const uint32_t end = std::min(std::max(offset, start), static_cast<uint32_t>(text_.size()));
  return {line, 1 + static_cast<uint32_t>(count_code_points(text().substr(start, end - start)))};
}

std::string_view SourceFile::line(uint32_t line) const {
  const uint32_t start = line_start(line);
  const size_t end = line < line_count() ? line_start(line + 1) : text_.size();
  std::string_view with_end = text().substr(start, end - start);
  while (with_end.ends_with('\n') || with_end.ends_with('\r')) with_end.remove_suffix(1);
  return with_end;
}

uint32_t SourceFile::line_start(uint32_t line) const {
  JITC_CHECK(line >= 1 && line <= line_count(), "no such line");
  return lines_.start(line);
}

}  // namespace jitc::source
