// The options of calls that compile PTX: two buffers for logs, and where to write their lengths.
#pragma once

#include <optional>
#include <string>

#include "tests/fakes/functions.hpp"

namespace jitc::tests::fake {

/// Points into the arrays of the caller; valid as long as they are.
class JitOptions {
 public:
  JitOptions(unsigned count, CUjit_option* options, void** values)
      : count_(count), options_(options), values_(values) {}

  /// Writes as much as fits, with a zero behind it, and the length of that.
  void write_error_log(const std::string& text) const;
  void write_info_log(const std::string& text) const;

 private:
  void write(CUjit_option buffer, CUjit_option size, const std::string& text) const;
  /// Where the value of an option stands; null where it is not given.
  void** value_of(CUjit_option option) const;

  unsigned count_;
  CUjit_option* options_;
  void** values_;
};

}  // namespace jitc::tests::fake
