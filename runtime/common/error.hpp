// The one place where the runtime's errors are made.
#pragma once

#include <fmt/format.h>

#include <utility>

#include "jitc/error.hpp"

namespace jitc::runtime {

/// Throws Error(code) with the formatted message.
template <class... Args>
[[noreturn]] void fail(ErrorCode code, fmt::format_string<Args...> text, Args&&... args) {
  throw Error(code, fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace jitc::runtime
