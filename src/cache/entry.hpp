// The file of one cached value.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace jitc::cache {

/// What an entry holds. `key` is all that the value depends on but for the build.
struct Entry {
  std::string build;  ///< of the program that made the value
  std::string title;  ///< for people
  std::string key;
  std::string value;

  bool operator==(const Entry&) const = default;
};

/// The name of the file that holds the value of a key: 32 digits.
std::string entry_name(std::string_view build, std::string_view key);
bool is_entry_name(std::string_view name);

std::string encode(const Entry& entry);
/// Nothing where the bytes are not exactly those of an entry of this version.
std::optional<Entry> decode(std::string_view bytes);

}  // namespace jitc::cache
