// What a checked kernel's fail record means, in words.
#pragma once

#include <string>

#include "jitc/artifact.hpp"
#include "jitc/cpu_abi.hpp"

namespace jitc::runtime {

/// `case.dsl:7:5: index 12 is outside array 'x' (axis 0 has extent 10) in kernel 'k', thread (3,0,0) block (1,0,0)`.
std::string describe_failure(const Artifact& artifact, const FailRecord& record);

/// Throws Error(kernel) with that text when the launch left a complete record.
void throw_if_failed(const Artifact& artifact, const FailRecord& record);

}  // namespace jitc::runtime
