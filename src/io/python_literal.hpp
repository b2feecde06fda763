// The Python literals of a .npy header: strings, integers, True, False, None, tuples, lists and dicts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace jitc::io {

struct PyValue;

struct PyNone {};
struct PySequence {
  std::vector<PyValue> items;
};
struct PyDict {
  std::vector<std::pair<PyValue, PyValue>> items;  ///< as written, duplicates included
};
/// Integers that do not fit i8 are PyHugeInt: well-formed, and of no use here.
struct PyHugeInt {};

struct PyValue {
  std::variant<PyNone, bool, int64_t, PyHugeInt, std::string, PySequence, PyDict> value;
};

/// The one literal that `text` holds between white space; nullopt, with `problem` set, for anything else.
std::optional<PyValue> parse_python_literal(std::string_view text, std::string& problem);

}  // namespace jitc::io
