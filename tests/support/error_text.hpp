// The error an action ends in.
#pragma once

#include <optional>
#include <string>

#include "jitc/error.hpp"

namespace jitc::tests {

struct ThrownError {
  std::optional<ErrorCode> code;  ///< nothing: no jitc::Error was thrown
  std::string text;
};

template <class Action>
ThrownError error_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) { return {error.code(), error.what()}; }
  return {};
}

}  // namespace jitc::tests

/// The action throws jitc::Error with exactly this code and text.
#define CHECK_ERROR(action, expected_code, expected_text)                 \
  do {                                                                    \
    const auto thrown = ::jitc::tests::error_of([&] { (void)(action); }); \
    CHECK(thrown.code == (expected_code));                                \
    CHECK(thrown.text == (expected_text));                                \
  } while (false)
