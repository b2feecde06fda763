// Where the lines of a text begin: what code needs to say which line it is from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/source/source_file.hpp"

namespace jitc::kernel {

class LineTable {
 public:
  explicit LineTable(const source::SourceFile& file);

  struct Position {
    uint32_t line, column;  ///< from 1; columns count bytes, as line tables do
  };
  Position position(uint32_t offset) const;
  const std::string& file() const { return file_; }

 private:
  std::string file_;
  std::vector<uint32_t> starts_;  ///< offsets of lines 1, 2, …
};

}  // namespace jitc::kernel
