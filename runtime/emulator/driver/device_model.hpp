// A device that is pretended, in numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/emulator/driver/calls.hpp"

namespace jitc::emulator::driver {

/// A row of sm_models.def; threads, blocks and shared bytes are of one multiprocessor.
struct SmModel {
  int number;
  int threads;
  int blocks;
  int shared_bytes;
  int shared_optin_bytes;
  int shared_reserved_bytes;
};

/// Null for a chip that is not known.
const SmModel* find_sm(int number);
/// "50, 52, …"
std::string known_sms();

struct DeviceModel {
  int ordinal = 0;
  const SmModel* sm = nullptr;
  int multiprocessors = 1;
  uint64_t memory_bytes = 0;

  std::string name() const;
  /// Nothing for an attribute that is not in the list.
  std::optional<int> attribute(CUdevice_attribute attribute) const;
};

}  // namespace jitc::emulator::driver
