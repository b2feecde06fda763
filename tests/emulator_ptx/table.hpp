// The tables in the comments of a PTX text: what a kernel is given and what it must make of it. README.md has the
// format.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace jitc::emulator_ptx {

/// A type of a column: its width, and for floating point how its values are ordered and written.
struct ColumnType {
  std::string name;
  unsigned width_bits;
  unsigned mantissa_bits;  ///< 0 for what is no floating-point number
};

/// What a result may be: any NaN, or a value from `low` to `high`.
struct Expected {
  bool is_nan = false;
  uint64_t low = 0;
  uint64_t high = 0;
};

struct Row {
  unsigned line;
  std::vector<uint64_t> inputs;
  std::vector<Expected> outputs;
};

/// One launch: a thread for each row.
struct Table {
  unsigned line;
  std::string kernel;
  std::vector<ColumnType> inputs;
  std::vector<ColumnType> outputs;
  unsigned block_threads = 0;  ///< 0 for all rows
  unsigned shared_bytes = 0;
  int result = 0;  ///< the driver's code when the kernel has ended
  std::vector<Row> rows;
};

/// Throws std::runtime_error with the line of a table that cannot be read, or of a kernel without a table.
std::vector<Table> read_tables(const std::string& text);

/// Whether the low bits of `bits` are what the column of that type allows.
bool is_as_expected(uint64_t bits, const Expected& expected, const ColumnType& type);

}  // namespace jitc::emulator_ptx
