// Short PTX texts for tests, and what is wrong with them.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "runtime/emulator/ptx/parse.hpp"

namespace jitc::emulator_test {

/// The head of a module; its declarations begin in line 4.
inline std::string module_text(std::string_view declarations, std::string_view version = "8.0",
                               std::string_view target = "sm_90") {
  return fmt::format(".version {}\n.target {}\n.address_size 64\n{}", version, target, declarations);
}

/// An entry whose statements begin in line 6, with registers of every type: %p, %rs, %r, %rd, %h, %hh, %f, %fd.
inline std::string entry_text(std::string_view body, std::string_view version = "8.0",
                              std::string_view target = "sm_90") {
  return module_text(fmt::format(".entry k(.param .u64 k_param_0) {{\n"
                                 ".reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>;"
                                 ".reg .f32 %f<9>; .reg .f64 %fd<9>;\n{}\nret;\n}}\n",
                                 body),
                     version, target);
}

/// What `action` throws, or "no error".
template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const emulator::LoadError& error) { return error.what(); }
  return "no error";
}

inline std::string parse_error(const std::string& text) {
  return error_of([&] { emulator::parse(text); });
}

}  // namespace jitc::emulator_test
