#include "src/cache/settings.hpp"

#include <charconv>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string_view>

namespace jitc::cache {

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::optional<uint64_t> parse_size(std::string_view text) {
  uint64_t number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || rest == text.data()) return {};
  const std::string_view unit(rest, static_cast<size_t>(text.data() + text.size() - rest));
  int shift = 0;
  if (unit == "K") shift = 10;
  if (unit == "M") shift = 20;
  if (unit == "G") shift = 30;
  if (shift == 0 && !unit.empty()) return {};
  if (number > (UINT64_MAX >> shift)) return {};
  return number << shift;
}

std::string default_folder() {
  const std::string given = variable("JITC_CACHE_DIR");
  if (!given.empty()) return given;
  // The XDG Base Directory Specification: a path that is not absolute is ignored.
  const std::string caches = variable("XDG_CACHE_HOME");
  if (caches.starts_with('/')) return caches + "/jitc";
  const std::string home = variable("HOME");
  return home.starts_with('/') ? home + "/.cache/jitc" : "";
}

void add_problem(Settings& settings, const std::string& problem) {
  settings.problem += (settings.problem.empty() ? "" : "; ") + problem;
}

void read_switch(Settings& settings) {
  const std::string value = variable("JITC_CACHE");
  if (value == "off" || value == "0") {
    settings.folder.clear();
    settings.why_off = "JITC_CACHE=" + value;
  } else if (!value.empty() && value != "on" && value != "1") {
    add_problem(settings, "JITC_CACHE is '" + value + "'; it may be on or off, and was taken for on");
  }
}

void read_limit(Settings& settings) {
  const std::string value = variable("JITC_CACHE_LIMIT");
  if (value.empty()) return;
  const std::optional<uint64_t> limit = parse_size(value);
  if (limit) {
    settings.limit_bytes = *limit;
  } else {
    add_problem(settings, "JITC_CACHE_LIMIT is '" + value + "', which is no size like 800M or 2G; the limit is 512M");
  }
}

}  // namespace

Settings settings_of_environment() {
  Settings settings;
  settings.folder = default_folder();
  if (settings.folder.empty()) settings.why_off = "there is no home folder (set JITC_CACHE_DIR)";
  read_switch(settings);
  read_limit(settings);
  std::istringstream shared(variable("JITC_CACHE_SHARED"));
  for (std::string folder; settings.is_on() && std::getline(shared, folder, ':');) {
    if (!folder.empty()) settings.provided.push_back(folder);
  }
  return settings;
}

}  // namespace jitc::cache
