#include "tests/fakes/environment.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <type_traits>

#include "tests/fakes/functions.hpp"

namespace jitc::tests::fake {

namespace {

/// A test that is set up wrongly must not pass.
[[noreturn]] void give_up(const char* variable, std::string_view part) {
  std::fprintf(stderr, "libfake_cuda: %s: cannot read '%.*s'\n", variable, static_cast<int>(part.size()), part.data());
  std::abort();
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

template <class Number>
bool read(std::string_view text, Number& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

bool read(std::string_view text, bool& out) {
  out = text == "1";
  return text == "0" || text == "1";
}

bool read(std::string_view text, std::string& out) {
  out = text;
  return true;
}

template <auto Member>
bool set(FakeDevice& device, std::string_view value) {
  return read(value, device.*Member);
}

struct Key {
  std::string_view name;
  bool (*set)(FakeDevice& device, std::string_view value);
};

constexpr Key kKeys[] = {
    {"name", set<&FakeDevice::name>},
    {"sm", set<&FakeDevice::sm>},
    {"memory", set<&FakeDevice::memory_bytes>},
    {"multiprocessors", set<&FakeDevice::multiprocessors>},
    {"shared_optin", set<&FakeDevice::shared_optin_bytes>},
    {"pools", set<&FakeDevice::has_pools>},
    {"cooperative", set<&FakeDevice::has_cooperative_launch>},
    {"managed", set<&FakeDevice::has_managed_memory>},
};

constexpr std::string_view kAttribute = "attribute.";

bool set_key(FakeDevice& device, std::string_view name, std::string_view value) {
  int attribute = 0;
  if (name.starts_with(kAttribute))
    return read(name.substr(kAttribute.size()), attribute) && read(value, device.attributes[attribute]);
  for (const Key& key : kKeys) {
    if (key.name == name) return key.set(device, value);
  }
  return false;
}

/// "1.sm": takes the number off.
int device_number(std::string_view& name) {
  const size_t dot = name.find('.');
  int number = -1;
  if (dot == std::string_view::npos || !read(name.substr(0, dot), number)) return -1;
  name.remove_prefix(dot + 1);
  return number;
}

bool set_part(FakePose& pose, std::string_view part) {
  const size_t equals = part.find('=');
  if (equals == std::string_view::npos) return false;
  std::string_view name = part.substr(0, equals);
  const std::string_view value = part.substr(equals + 1);
  size_t count = 0;
  if (name == "version") return read(value, pose.driver_version);
  if (name == "devices") {
    if (!read(value, count)) return false;
    pose.devices.resize(count, pose.devices.empty() ? FakeDevice{} : pose.devices.front());
    return true;
  }
  const int number = device_number(name);
  if (number >= static_cast<int>(pose.devices.size())) return false;
  if (number >= 0) return set_key(pose.devices[static_cast<size_t>(number)], name, value);
  for (FakeDevice& device : pose.devices) {
    if (!set_key(device, name, value)) return false;
  }
  return true;
}

bool read_row(std::string_view part, FakeScript& row) {
  const std::vector<std::string_view> fields = split(part, ':');
  if (fields.size() < 3 || fields.size() > 4) return false;
  row.function = fields[0];
  if (row.function != "*" && !find_function(row.function)) return false;
  if (fields.size() == 4 && fields[3] != "once" && fields[3] != "forever") return false;
  if (fields.size() == 4) row.lasting = fields[3] == "once" ? FakeLasting::once : FakeLasting::forever;
  return read(fields[1], row.nth) && read(fields[2], row.code);
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

FakePose parse_pose(const std::string& text) {
  FakePose pose;
  for (const std::string_view part : split(text, ';')) {
    if (!set_part(pose, part)) give_up("JITC_FAKE_POSE", part);
  }
  return pose;
}

std::vector<FakeScript> parse_script(const std::string& text) {
  std::vector<FakeScript> rows;
  for (const std::string_view part : split(text, ';')) {
    rows.emplace_back();
    if (!read_row(part, rows.back())) give_up("JITC_FAKE_SCRIPT", part);
  }
  return rows;
}

FakePose pose_of_environment() { return parse_pose(variable("JITC_FAKE_POSE")); }

std::vector<FakeScript> script_of_environment() { return parse_script(variable("JITC_FAKE_SCRIPT")); }

}  // namespace jitc::tests::fake
