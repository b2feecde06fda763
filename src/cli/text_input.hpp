// FILE: the kernel text that a command works on.
#pragma once

#include <string>

namespace jitc::cli {

struct TextInput {
  std::string name;  ///< as messages show it
  std::string text;
  double read_ms = 0;
};

/// A path, or "-" for standard input. Throws io::InputError(io).
TextInput read_text(const std::string& file);

}  // namespace jitc::cli
