#include "src/kernel/line_table.hpp"

#include <algorithm>

namespace jitc::kernel {

LineTable::LineTable(const source::SourceFile& file) : file_(file.name()) {
  for (uint32_t line = 1; line <= file.line_count(); ++line) starts_.push_back(file.line_start(line));
}

LineTable::Position LineTable::position(uint32_t offset) const {
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
  return {static_cast<uint32_t>(next - starts_.begin()), offset - *(next - 1) + 1};
}

}  // namespace jitc::kernel
