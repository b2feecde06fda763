// What an action throws, as one line of text.
#pragma once

#include <string>

#include "src/io/input_error.hpp"

/// "message | help" of the InputError that `action` throws.
template <class Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const jitc::io::InputError& error) {
    return error.help().empty() ? error.what() : std::string(error.what()) + " | " + error.help();
  }
  return "nothing was thrown";
}
