#include "src/cli/bind_arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "src/cli/failure.hpp"
#include "src/io/input_error.hpp"

namespace jitc::cli {

namespace {

void check_names(const std::vector<NamedSpec>& specs, const std::vector<std::string>& names, const std::string& title) {
  for (const NamedSpec& given : specs) {
    if (std::find(names.begin(), names.end(), given.name) != names.end()) continue;
    if (names.empty()) fail(fmt::format("{} takes no arguments, --arg {} is one", title, given.name));
    fail(fmt::format("{} has no argument '{}'", title, given.name), suggest(given.name, names, "its arguments are"));
  }
}

[[noreturn]] void fail_missing(const std::vector<std::string>& missing, const std::string& title,
                               const std::string& signature) {
  const bool one = missing.size() == 1;
  std::string help = fmt::format("add --arg {}=SPEC", fmt::join(missing, "=SPEC --arg "));
  if (!signature.empty()) help += "; the signature is " + signature;
  fail(fmt::format("{}: argument{} {} {} missing", title, one ? "" : "s", fmt::join(missing, ", "), one ? "is" : "are"),
       help);
}

/// Why the SPECs do not fit; empty when they do.
std::string misfit(const std::vector<NamedSpec>& specs, const std::vector<ArgumentInfo>& arguments) {
  try {
    for (size_t i = 0; i < specs.size(); ++i) io::check_argument(specs[i].spec, arguments[i]);
  } catch (const io::InputError& error) {
    // A file that cannot be read fits no signature.
    if (error.code() == ErrorCode::io) throw;
    return error.what();
  }
  return {};
}

bool differ_in_layout_alone(const std::vector<ArgumentInfo>& a, const std::vector<ArgumentInfo>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const ArgumentInfo& x, const ArgumentInfo& y) {
    return x.dtype == y.dtype && x.is_array == y.is_array && x.rank == y.rank;
  });
}

}  // namespace

std::vector<NamedText> parse_named(const std::vector<std::string>& words, const std::string& option) {
  std::vector<NamedText> out;
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == word.size()) {
      fail(fmt::format("{} {}: it is not NAME=VALUE", option, word), fmt::format("such as {} x=points.npy", option));
    }
    NamedText named{word.substr(0, equals), word.substr(equals + 1)};
    for (const NamedText& before : out) {
      if (before.name == named.name) fail(fmt::format("{} {} is given twice", option, named.name));
    }
    out.push_back(std::move(named));
  }
  return out;
}

std::vector<NamedSpec> parse_args(const std::vector<std::string>& words) {
  std::vector<NamedSpec> out;
  for (NamedText& named : parse_named(words, "--arg")) {
    try {
      out.push_back({named.name, io::parse_arg_spec(named.text)});
    } catch (const io::InputError& error) {
      throw io::InputError(error.code(), fmt::format("argument {}: {}", named.name, error.what()), error.help());
    }
  }
  return out;
}

std::vector<NamedSpec> order_args(std::vector<NamedSpec> specs, const std::vector<std::string>& names,
                                  const std::string& title, const std::string& signature) {
  check_names(specs, names, title);
  std::vector<NamedSpec> out;
  std::vector<std::string> missing;
  for (const std::string& name : names) {
    const auto given = std::find_if(specs.begin(), specs.end(), [&](const auto& s) { return s.name == name; });
    if (given == specs.end()) {
      missing.push_back(name);
    } else {
      out.push_back(std::move(*given));
    }
  }
  if (!missing.empty()) fail_missing(missing, title, signature);
  return out;
}

size_t match_signature(const std::vector<NamedSpec>& specs, const std::vector<std::vector<ArgumentInfo>>& signatures,
                       const std::vector<std::string>& texts, const std::string& title) {
  std::optional<size_t> chosen;
  std::string reasons;
  std::string others;
  for (size_t i = 0; i < signatures.size(); ++i) {
    const std::string reason = misfit(specs, signatures[i]);
    if (!reason.empty()) {
      reasons += fmt::format("\n  {}: {}: {}", i, texts[i], reason);
    } else if (!chosen) {
      chosen = i;
    } else if (!differ_in_layout_alone(signatures[*chosen], signatures[i])) {
      others += fmt::format("\n  {}: {}", i, texts[i]);
    }
  }
  if (!chosen) fail(fmt::format("the arguments fit no signature of {}:{}", title, reasons));
  if (!others.empty()) {
    fail(fmt::format("the arguments fit several signatures of {}:\n  {}: {}{}", title, *chosen, texts[*chosen], others),
         "choose one with --signature N, or give a scalar its type, such as f4(2)");
  }
  return *chosen;
}

}  // namespace jitc::cli
