// The memory that a module brings: where its variables lie, and what they hold first.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/emulator/ptx/module.hpp"

namespace jitc::emulator {

/// A .global or .const variable, in the segment of its space.
struct Symbol {
  std::string name;
  Space space;
  uint64_t offset_bytes;
  uint64_t size_bytes;
  uint32_t align_bytes;
  bool is_visible;
};

/// An address that stands in an initial value.
struct Relocation {
  Space space;  ///< of the segment it stands in
  uint64_t at_bytes;
  uint32_t width_bytes;
  uint64_t mask;
  bool is_function;
  uint32_t target;  ///< a symbol, or a function in the text's order
  int64_t addend_bytes;
};

/// Bytes of a segment that are not zero at first.
struct InitialBytes {
  Space space;
  uint64_t at_bytes;
  std::vector<std::byte> bytes;
};

struct Image {
  std::vector<Symbol> symbols;
  std::unordered_map<std::string, uint32_t> symbol_by_name;
  uint64_t global_bytes = 0;
  uint64_t constant_bytes = 0;
  std::vector<InitialBytes> initial;
  std::vector<Relocation> relocations;
};

/// By name, a function's index among the module's; of a declared and defined one that of the definition.
std::unordered_map<std::string_view, uint32_t> functions_by_name(const Module& module);

/// Lays the variables out in the text's order. Throws LoadError for a bad initial value, or segments that are too
/// large.
Image make_image(const Module& module);

/// Writes the initial values into segments that hold zeros, and the addresses that this place gives them.
void initialise(const Image& image, std::span<std::byte> global, std::span<std::byte> constant);

}  // namespace jitc::emulator
