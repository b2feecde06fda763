// The closed table of symbols that machine code may refer to.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace jitc::runtime::cpu {

/// The address behind a name of runtime_symbols.def; nothing for any other name. The process is never searched.
std::optional<uintptr_t> find_runtime_symbol(std::string_view name);

}  // namespace jitc::runtime::cpu
