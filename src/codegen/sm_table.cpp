// Target names, and the reader of sm_table.def.
#include "src/codegen/sm_table.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "src/codegen/codegen.hpp"

namespace jitc::codegen {

namespace {

struct SmRow {
  int sm;
  int ptx_isa;
};
constexpr SmRow kRows[] = {
#define JITC_SM(sm, ptx_isa) {sm, ptx_isa},
#include "src/codegen/sm_table.def"
#undef JITC_SM
};

std::string known_names() {
  std::string text = "cpu";
  for (const SmRow& row : kRows) text += ", sm_" + std::to_string(row.sm);
  return text;
}

[[noreturn]] void fail_unknown(const std::string& name, const std::string& why) {
  throw TargetError("unknown target '" + name + "'" + why + "; the targets are " + known_names());
}

/// "sm_80" or "compute_80" without suffix.
std::optional<int> sm_number(const std::string& name) {
  for (const std::string prefix : {"sm_", "compute_"}) {
    if (name.rfind(prefix, 0) != 0) continue;
    int sm = 0;
    const char* end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data() + prefix.size(), end, sm);
    if (error == std::errc{} && stop == end && sm > 0) return sm;
  }
  return std::nullopt;
}

bool has_family_suffix(const std::string& name) {
  return !name.empty() && (name.back() == 'a' || name.back() == 'f') &&
         sm_number(name.substr(0, name.size() - 1)).has_value();
}

}  // namespace

int min_ptx_isa(int sm) {
  for (const SmRow& row : kRows) {
    if (row.sm == sm) return row.ptx_isa;
  }
  fail_unknown("sm_" + std::to_string(sm), "");
}

int clamp_sm(int device_sm) {
  int newest = 0;
  for (const SmRow& row : kRows) {
    if (row.sm <= device_sm) newest = row.sm;
  }
  if (newest == 0) fail_unknown("sm_" + std::to_string(device_sm), " (older than all that jitc knows)");
  return newest;
}

std::vector<int> known_sms() {
  std::vector<int> sms;
  for (const SmRow& row : kRows) sms.push_back(row.sm);
  return sms;
}

Target parse_target(const std::string& name) {
  if (name == "cpu") return {Target::Kind::cpu};
  if (has_family_suffix(name)) fail_unknown(name, " (code for one architecture alone is not made)");
  const std::optional<int> sm = sm_number(name);
  if (!sm) fail_unknown(name, "");
  if (*sm > std::end(kRows)[-1].sm) return {Target::Kind::nvptx, clamp_sm(*sm)};
  const auto same = [&](const SmRow& row) { return row.sm == *sm; };
  if (std::none_of(std::begin(kRows), std::end(kRows), same)) fail_unknown(name, "");
  return {Target::Kind::nvptx, *sm};
}

Target device_target(const std::string& name) {
  const std::optional<int> sm = sm_number(name);
  return sm ? Target{Target::Kind::nvptx, clamp_sm(*sm)} : parse_target(name);
}

}  // namespace jitc::codegen
