#include "runtime/cpu/runtime_symbols.hpp"

#include "jitc/cpu_abi.hpp"
#include "runtime/cpu/print_line.hpp"

#include <strings.h>

#include <cmath>
#include <cstring>
#include <type_traits>

namespace jitc::runtime::cpu {

namespace {

template <class Function>
uintptr_t address_of(Function* function) {
  return reinterpret_cast<uintptr_t>(function);
}

struct RuntimeSymbol {
  std::string_view name;
  uintptr_t address;
};

const RuntimeSymbol kRuntimeSymbols[] = {
#define JITC_RUNTIME_SYMBOL(name, ...) {#name, address_of<__VA_ARGS__>(&::name)},
#include "runtime/cpu/runtime_symbols.def"
#undef JITC_RUNTIME_SYMBOL
    {"jitc_print_line", address_of<std::remove_pointer_t<CpuPrint>>(&print_line)},
};

}  // namespace

std::optional<uintptr_t> find_runtime_symbol(std::string_view name) {
  for (const RuntimeSymbol& symbol : kRuntimeSymbols) {
    if (symbol.name == name) return symbol.address;
  }
  return std::nullopt;
}

}  // namespace jitc::runtime::cpu
