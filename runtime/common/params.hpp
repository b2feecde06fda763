// From the arguments of a launch to the bytes that the compiled entry reads.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "jitc/artifact.hpp"
#include "jitc/program.hpp"

namespace jitc::runtime {

/// The parameter block of `artifact`: scalars, addresses, extents and strides at the offsets of its slots. The
/// arguments fit the artifact's in number, kind, dtype and rank.
std::vector<std::byte> pack_params(const Artifact& artifact, std::span<const Argument> args);

/// Throws Error(argument) when an array, or host memory, is not laid out as its argument declares (f4[::1]). Same
/// precondition.
void check_layouts(std::string_view kernel, std::span<const ArgumentInfo> infos, std::span<const Argument> args);

/// Throws Error(argument) when extents of one name (f4[n,m]) differ. Same precondition.
void check_named_extents(std::string_view kernel, std::span<const ArgumentInfo> infos, std::span<const Argument> args);

}  // namespace jitc::runtime
