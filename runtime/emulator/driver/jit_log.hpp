// The options of calls that compile PTX: two buffers for logs, and where to write their lengths.
#pragma once

#include <string>

#include "runtime/emulator/driver/calls.hpp"

namespace jitc::emulator::driver {

/// Points into the arrays of the caller; valid as long as they are.
class JitLog {
 public:
  JitLog(unsigned count, CUjit_option* options, void** values) : count_(count), options_(options), values_(values) {}

  /// Writes as much as fits into the buffer, with a zero behind it, and the length of that.
  void write_errors(const std::string& text) const;
  void write_infos(const std::string& text) const;

 private:
  void write(CUjit_option buffer, CUjit_option size, const std::string& text) const;
  /// Where the value of an option stands; null where it is not given.
  void** value_of(CUjit_option option) const;

  unsigned count_;
  CUjit_option* options_;
  void** values_;
};

}  // namespace jitc::emulator::driver
