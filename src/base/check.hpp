// Checks of our own invariants. A failed one is a bug of jitc, never of the user's program.
#pragma once

#include <stdexcept>
#include <string>

namespace jitc::base {

/// "We are wrong": caught once, in src/engine, and shown as a bug report.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void fail_check(const char* file, int line, const char* condition, const std::string& why);

}  // namespace jitc::base

/// Throws InternalError when `condition` is false; stays on in release builds.
#define JITC_CHECK(condition, why)                                     \
  do {                                                                 \
    if (!(condition)) [[unlikely]]                                     \
      ::jitc::base::fail_check(__FILE__, __LINE__, #condition, (why)); \
  } while (false)
