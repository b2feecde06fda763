#include "runtime/emulator/driver/settings.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "runtime/emulator/driver/device_model.hpp"
#include "runtime/emulator/driver/ptx_versions.hpp"

namespace jitc::emulator::driver {
namespace {

template <class Number>
bool read(std::string_view text, Number& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

/// Takes the part before the separator off.
std::string_view take(std::string_view& text, char separator) {
  const std::string_view part = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(part.size() + 1, text.size()));
  return part;
}

bool read_fail(std::string_view text, FailRow& row) {
  const auto call = find_call(take(text, ':'));
  if (!call) return false;
  row.call = *call;
  int code = 0;
  if (!read(take(text, ':'), row.nth) || row.nth == 0 || !read(text, code)) return false;
  row.code = static_cast<CUresult>(code);
  return true;
}

bool read(std::string_view text, std::vector<FailRow>& rows) {
  auto read_rows = read_fails(text);
  if (read_rows) rows = std::move(*read_rows);
  return read_rows.has_value();
}

bool read(std::string_view text, bool& out) {
  out = text == "1";
  return text == "0" || text == "1";
}

bool read(std::string_view text, Checks& checks) {
  while (!text.empty()) {
    const std::string_view name = take(text, ',');
    if (name != "init" && name != "race") return false;
    (name == "init" ? checks.init : checks.race) = true;
  }
  return true;
}

class Reader {
 public:
  /// Sets a member from its variable, if there is one; `usable` says what the variable may be.
  template <class Value, class Check>
  void set(const char* variable, Value Settings::*member, std::string_view usable, Check is_good) {
    const char* text = std::getenv(variable);
    if (text == nullptr || (read(text, settings_.*member) && is_good(settings_.*member))) return;
    settings_.*member = Settings().*member;
    if (settings_.problem.empty()) settings_.problem = fmt::format("{}={} is not {}", variable, text, usable);
  }

  Settings finish() { return std::move(settings_); }

 private:
  Settings settings_;
};

}  // namespace

std::optional<std::vector<FailRow>> read_fails(std::string_view text) {
  std::vector<FailRow> rows;
  while (!text.empty()) {
    rows.emplace_back();
    if (!read_fail(take(text, ';'), rows.back())) return std::nullopt;
  }
  return rows;
}

Settings settings_of_environment() {
  const auto any = [](const auto&) { return true; };
  Reader reader;
  reader.set("JITC_EMU_DRIVER_VERSION", &Settings::driver_version, "a CUDA version such as 12040",
             [](int version) { return newest_ptx(version) != 0; });
  reader.set("JITC_EMU_DEVICES", &Settings::devices, "a number from 0 to 64",
             [](int count) { return count >= 0 && count <= 64; });
  reader.set("JITC_EMU_SM", &Settings::sm, "one of " + known_sms(), [](int sm) { return find_sm(sm) != nullptr; });
  reader.set("JITC_EMU_MEMORY", &Settings::memory_bytes, "a number of bytes below 2^50",
             [](uint64_t size) { return size != 0 && size >> 50 == 0; });
  reader.set("JITC_EMU_MULTIPROCESSORS", &Settings::multiprocessors, "a number from 1 to 1023",
             [](int count) { return count > 0 && count < 1024; });
  reader.set("JITC_EMU_THREADS", &Settings::host_threads, "a number from 1 to 256",
             [](int count) { return count > 0 && count <= 256; });
  reader.set("JITC_EMU_COUNTS", &Settings::counts, "0 or 1", any);
  reader.set("JITC_EMU_REPORT", &Settings::prints_reports, "0 or 1", any);
  reader.set("JITC_EMU_CHECK", &Settings::checks, "init, race or init,race", any);
  reader.set("JITC_EMU_FAIL", &Settings::fails, "function:nth:code with a function of the driver, again after each ;",
             any);
  return reader.finish();
}

}  // namespace jitc::emulator::driver
