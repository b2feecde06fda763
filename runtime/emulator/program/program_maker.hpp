// What the functions of one program share while they are decoded.
#pragma once

#include <unordered_map>

#include "runtime/emulator/isa/form.hpp"
#include "runtime/emulator/program/frame_layout.hpp"
#include "runtime/emulator/program/image.hpp"
#include "runtime/emulator/program/program.hpp"

namespace jitc::emulator {

/// The text and what is known of it as a whole.
struct ModuleContext {
  const Module& module;
  const Image& image;
  std::unordered_map<std::string_view, uint32_t> functions;
  std::unordered_map<std::string_view, const Variable*> shared;  ///< the .shared variables of the module
  Target target;
};

/// Decodes an entry and all it reaches. Functions are numbered as they are met; shared variables that any of them names
/// are placed as they are met.
class ProgramMaker {
 public:
  explicit ProgramMaker(const ModuleContext& context) : context_(context) {}

  /// `entry` is an index among the module's functions; one without callers makes a program too, which only checks it.
  Program make(uint32_t entry);

  const ModuleContext& context() const { return context_; }
  /// Its number in the program; it will be decoded.
  uint32_t reach(uint32_t module_index);
  /// A call of a function that only its address names may reach any.
  void reach_all();
  /// In the shared memory of the block. Not of a variable without a size: that is dynamic_shared's.
  uint32_t place_shared(const Variable& variable);
  /// A constant of the function being decoded is to become the address of the dynamic shared memory plus an offset.
  void use_dynamic_shared(const Variable& variable, size_t constant, int64_t offset_bytes);
  /// A constant of the function being decoded is to become the address of a symbol plus an offset.
  void use_address(size_t constant, uint32_t symbol, int64_t offset_bytes);

 private:
  struct DynamicUse {
    uint32_t function;
    size_t constant;
    int64_t offset_bytes;
  };

  void place_dynamic_shared();

  const ModuleContext& context_;
  Program program_;
  std::unordered_map<uint32_t, uint32_t> numbers_;
  std::vector<uint32_t> reached_;
  FrameLayout shared_;
  std::unordered_map<const Variable*, uint32_t> shared_offsets_;
  uint32_t dynamic_align_bytes_ = 1;
  std::vector<DynamicUse> dynamic_uses_;
  uint32_t current_ = 0;
};

}  // namespace jitc::emulator
