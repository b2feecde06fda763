// `--arg NAME=SPEC` words to the values of a kernel's arguments.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "jitc/program.hpp"
#include "src/io/array_spec.hpp"

namespace jitc::cli {

/// One NAME=REST word, cut at the first '='.
struct NamedText {
  std::string name, text;
};
/// Throws io::InputError, naming `option`, for words without '=' or without a name, and for a name given twice.
std::vector<NamedText> parse_named(const std::vector<std::string>& words, const std::string& option);

struct NamedSpec {
  std::string name;
  io::ArgSpec spec;
};
/// The SPECs of `words`. Throws io::InputError that names the argument.
std::vector<NamedSpec> parse_args(const std::vector<std::string>& words);

/// One SPEC for each of the parameters `names`, in their order. Throws io::InputError for unknown and missing names,
/// which begins with `title` ("kernel axpy") and ends with the signature, where there is one.
std::vector<NamedSpec> order_args(std::vector<NamedSpec> specs, const std::vector<std::string>& names,
                                  const std::string& title, const std::string& signature);

/// The one signature that the ordered SPECs fit; of several that differ in layout alone, the first. Throws
/// io::InputError with what is wrong when there is one signature, and with a line for each when there are several.
size_t match_signature(const std::vector<NamedSpec>& specs, const std::vector<std::vector<ArgumentInfo>>& signatures,
                       const std::vector<std::string>& texts, const std::string& title);

}  // namespace jitc::cli
