// Which signature of a kernel takes the arguments of a launch, and what all calls are checked for.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jitc/artifact.hpp"
#include "jitc/program.hpp"

namespace jitc::engine {

struct Signature {
  std::string_view text;  ///< canonical
  std::span<const ArgumentInfo> arguments;
};

struct Resolution {
  size_t signature = 0;
  std::vector<Argument> args;  ///< with the scalars in the signature's types
};

/// Arrays must have the signature's dtype and rank exactly. Among the signatures left, one whose scalar types are those
/// given wins; else the one into which all scalars convert without loss. Several that differ in layout alone: the most
/// specific that the arrays have. Throws Error(argument) that lists the signatures and what does not fit each.
Resolution resolve(std::string_view title, std::span<const Signature> signatures, std::span<const Argument> args);

/// As many arguments as `params`, and every array allocated; else throws Error(argument), which begins with `title`
/// ("kernel 'axpy'") and lists the signatures.
void check_given(std::string_view title, std::span<const std::string> params, std::span<const Signature> signatures,
                 std::span<const Argument> args);

/// For messages: "(f4[:], i8)", and a line for each signature.
std::string given_text(std::span<const Argument> args);
std::string list_text(std::span<const Signature> signatures);

}  // namespace jitc::engine
