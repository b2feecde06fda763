#include "src/source/line_table.hpp"

#include <algorithm>

#include "src/source/utf8.hpp"

namespace jitc::source {

/// Lines begin just behind each "\n", "\r\n" and lone "\r": the three line ends of Python.
LineTable::LineTable(std::string_view text) : starts_{text.starts_with(kByteOrderMark) ? uint32_t{3} : uint32_t{0}} {
  for (size_t i = text.find_first_of("\r\n"); i != std::string_view::npos; i = text.find_first_of("\r\n", i + 1)) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') ++i;
    starts_.push_back(static_cast<uint32_t>(i + 1));
  }
}

uint32_t LineTable::line_at(uint32_t offset) const {
  const auto next = std::upper_bound(starts_.begin() + 1, starts_.end(), offset);
  return static_cast<uint32_t>(next - starts_.begin());
}

}  // namespace jitc::source
