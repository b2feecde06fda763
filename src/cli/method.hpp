// What `jitc run` does with a function: calls it, or `add.reduce` and the like.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/cli/load_program.hpp"

namespace jitc::cli {

enum class MethodKind : uint8_t { call, reduce, accumulate, outer, at };

/// As written.
struct MethodOptions {
  std::string axis, initial;
  bool keepdims = false;
};

struct Method {
  MethodKind kind = MethodKind::call;
  std::vector<int> axes{0};
  bool all_axes = false;
  bool keepdims = false;
  std::string initial;  ///< empty: none

  /// The type of its first array alone chooses the signature.
  bool is_fold() const { return kind != MethodKind::call && kind != MethodKind::outer; }
};

/// "reduce"; empty for a call.
std::string_view name(MethodKind kind);

/// Cuts ".reduce" or the like from the kernel's name. Throws io::InputError for an unknown method, and for options that
/// it does not have.
Method take_method(ProgramOptions& program, const MethodOptions& options);

}  // namespace jitc::cli
