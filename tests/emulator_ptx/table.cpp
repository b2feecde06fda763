#include "tests/emulator_ptx/table.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <sstream>
#include <stdexcept>

namespace jitc::emulator_ptx {
namespace {

const ColumnType kTypes[] = {{"pred", 1, 0},  {"b8", 8, 0},    {"b16", 16, 0},  {"b32", 32, 0}, {"b64", 64, 0},
                             {"f16", 16, 10}, {"bf16", 16, 7}, {"f32", 32, 23}, {"f64", 64, 52}};

constexpr std::string_view kTableMark = "// table ", kRowMark = "//   ";

[[noreturn]] void fail(unsigned line, const std::string& message) {
  throw std::runtime_error("line " + std::to_string(line) + ": " + message);
}

uint64_t low_bits(uint64_t bits, unsigned width) { return width == 64 ? bits : bits & ((uint64_t{1} << width) - 1); }

/// 12, -1, 0x7f; of f32 and f64 also 1.5 and inf.
uint64_t read_value(const std::string& word, const ColumnType& type, unsigned line) {
  size_t length = 0;
  uint64_t bits = 0;
  try {
    const bool is_real = word.find_first_of(".i") != std::string::npos;
    if (is_real && type.name == "f32") {
      bits = std::bit_cast<uint32_t>(std::stof(word, &length));
    } else if (is_real && type.name == "f64") {
      bits = std::bit_cast<uint64_t>(std::stod(word, &length));
    } else {
      bits = word[0] == '-' ? static_cast<uint64_t>(std::stoll(word, &length, 0)) : std::stoull(word, &length, 0);
    }
  } catch (const std::exception&) { fail(line, "'" + word + "' is no number"); }
  if (length != word.size()) fail(line, "'" + word + "' is no ." + type.name);
  return low_bits(bits, type.width_bits);
}

/// value | value '..' value | 'nan'
Expected read_expected(const std::string& word, const ColumnType& type, unsigned line) {
  if (word == "nan") return {true, 0, 0};
  const size_t dots = word.find("..");
  if (dots == std::string::npos) {
    const uint64_t value = read_value(word, type, line);
    return {false, value, value};
  }
  return {false, read_value(word.substr(0, dots), type, line), read_value(word.substr(dots + 2), type, line)};
}

ColumnType read_type(const std::string& word, unsigned line) {
  for (const ColumnType& type : kTypes) {
    if (type.name == word) return type;
  }
  fail(line, "unknown column type '" + word + "'");
}

// table: kernel ':' type* '->' type* (option number)*
Table read_head(const std::string& text, unsigned line) {
  std::istringstream words(text);
  Table table = {};
  table.line = line;
  words >> table.kernel;
  if (table.kernel.empty() || table.kernel.back() != ':') fail(line, "expected 'kernel:'");
  table.kernel.pop_back();
  bool is_output = false;
  for (std::string word; words >> word;) {
    unsigned* option = word == "block" ? &table.block_threads : word == "shared" ? &table.shared_bytes : nullptr;
    if (word == "->") {
      is_output = true;
    } else if (option != nullptr) {
      words >> *option;
    } else if (word == "result") {
      words >> table.result;
    } else {
      (is_output ? table.outputs : table.inputs).push_back(read_type(word, line));
    }
  }
  if (!is_output) fail(line, "expected '->'");
  return table;
}

// row: value* '->' expected*
Row read_row(const std::string& text, const Table& table, unsigned line) {
  std::istringstream words(text);
  Row row = {line, {}, {}};
  std::string word;
  while (words >> word && word != "->" && row.inputs.size() < table.inputs.size()) {
    row.inputs.push_back(read_value(word, table.inputs[row.inputs.size()], line));
  }
  if (word != "->" || row.inputs.size() != table.inputs.size()) fail(line, "the row does not fit the table's inputs");
  while (words >> word && row.outputs.size() < table.outputs.size()) {
    row.outputs.push_back(read_expected(word, table.outputs[row.outputs.size()], line));
  }
  if (words || row.outputs.size() != table.outputs.size()) fail(line, "the row does not fit the table's outputs");
  return row;
}

/// As numbers in their order: -0 just below +0.
int64_t order_of(uint64_t bits, const ColumnType& type) {
  const uint64_t sign = uint64_t{1} << (type.width_bits - 1);
  const auto magnitude = static_cast<int64_t>(bits & (sign - 1));
  return (bits & sign) != 0 ? -1 - magnitude : magnitude;
}

bool is_nan(uint64_t bits, const ColumnType& type) {
  const uint64_t magnitude = low_bits(bits, type.width_bits - 1);
  const uint64_t infinity = low_bits(~uint64_t{0}, type.width_bits - 1) >> type.mantissa_bits << type.mantissa_bits;
  return magnitude > infinity;
}

void check_kernels(const std::vector<std::string>& kernels, const std::vector<Table>& tables) {
  for (const std::string& kernel : kernels) {
    const auto is_its = [&](const Table& table) { return table.kernel == kernel; };
    if (std::none_of(tables.begin(), tables.end(), is_its)) fail(0, "kernel '" + kernel + "' has no table");
  }
}

}  // namespace

std::vector<Table> read_tables(const std::string& text) {
  std::istringstream lines(text);
  std::vector<Table> tables;
  std::vector<std::string> kernels;
  bool is_in_table = false;
  unsigned number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const size_t entry = line.find(".entry ");
    if (entry != std::string::npos) kernels.push_back(line.substr(entry + 7, line.find('(') - entry - 7));
    if (line.starts_with(kTableMark)) {
      tables.push_back(read_head(line.substr(kTableMark.size()), number));
      is_in_table = true;
    } else if (is_in_table && line.starts_with(kRowMark)) {
      tables.back().rows.push_back(read_row(line.substr(kRowMark.size()), tables.back(), number));
    } else {
      is_in_table = false;
    }
  }
  check_kernels(kernels, tables);
  return tables;
}

bool is_as_expected(uint64_t bits, const Expected& expected, const ColumnType& type) {
  const uint64_t value = low_bits(bits, type.width_bits);
  if (type.mantissa_bits == 0) return value >= expected.low && value <= expected.high;
  if (expected.is_nan || is_nan(value, type)) return expected.is_nan ? is_nan(value, type) : value == expected.low;
  const int64_t at = order_of(value, type);
  return at >= order_of(expected.low, type) && at <= order_of(expected.high, type);
}

}  // namespace jitc::emulator_ptx
