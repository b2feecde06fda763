#include "runtime/emulator/driver/device_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace jitc::emulator::driver {
namespace {

constexpr SmModel kSms[] = {
#define SM(number, threads, blocks, shared, optin, reserved) {number, threads, blocks, shared, optin, reserved},
#include "runtime/emulator/driver/sm_models.def"
#undef SM
};

struct AttributeRow {
  CUdevice_attribute attribute;
  int (*value)(const DeviceModel& d);
};

constexpr AttributeRow kAttributes[] = {
#define ATTRIBUTE(attribute, value) {attribute, []([[maybe_unused]] const DeviceModel& d) -> int { return value; }},
#include "runtime/emulator/driver/device_attributes.def"
#undef ATTRIBUTE
};

}  // namespace

const SmModel* find_sm(int number) {
  const auto* row =
      std::find_if(std::begin(kSms), std::end(kSms), [&](const SmModel& r) { return r.number == number; });
  return row == std::end(kSms) ? nullptr : row;
}

std::string known_sms() {
  std::string text;
  for (const SmModel& sm : kSms) text += fmt::format("{}{}", text.empty() ? "" : ", ", sm.number);
  return text;
}

std::string DeviceModel::name() const { return "jitc emulator"; }

std::optional<int> DeviceModel::attribute(CUdevice_attribute attribute) const {
  const auto* row = std::find_if(std::begin(kAttributes), std::end(kAttributes),
                                 [&](const AttributeRow& r) { return r.attribute == attribute; });
  if (row == std::end(kAttributes)) return std::nullopt;
  return row->value(*this);
}

}  // namespace jitc::emulator::driver
