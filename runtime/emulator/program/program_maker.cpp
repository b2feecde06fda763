#include "runtime/emulator/program/program_maker.hpp"

#include "runtime/emulator/program/function_decoder.hpp"

namespace jitc::emulator {
namespace {

/// No chip has more; what a chip has is the launch's to check.
constexpr uint64_t kMostSharedBytes = 1 << 20;

LaunchBounds bounds_of(const Function& function) {
  LaunchBounds bounds;
  for (const TuningDirective& directive : function.tuning) {
    if (directive.name == "maxntid" || directive.name == "reqntid") {
      bounds.is_exact = directive.name == "reqntid";
      for (size_t i = 0; i < 3; ++i) bounds.max_threads[i] = i < directive.values.size() ? directive.values[i] : 1;
    }
    if (directive.name == "minnctapersm") bounds.min_blocks = directive.values.at(0);
    if (directive.name == "maxnreg") bounds.max_registers = directive.values.at(0);
  }
  return bounds;
}

}  // namespace

Program ProgramMaker::make(uint32_t entry) {
  const Function& function = context_.module.functions[entry];
  program_.name = function.name;
  program_.bounds = bounds_of(function);
  reach(entry);
  for (current_ = 0; current_ < reached_.size(); ++current_) {
    program_.functions.push_back(FunctionDecoder(*this, reached_[current_]).decode());
  }
  place_dynamic_shared();
  return std::move(program_);
}

uint32_t ProgramMaker::reach(uint32_t module_index) {
  const auto [place, is_new] = numbers_.emplace(module_index, static_cast<uint32_t>(reached_.size()));
  if (is_new) reached_.push_back(module_index);
  return place->second;
}

void ProgramMaker::reach_all() {
  for (uint32_t i = 0; i < context_.module.functions.size(); ++i) {
    const Function& function = context_.module.functions[i];
    if (function.has_body && !function.is_entry) reach(i);
  }
}

uint32_t ProgramMaker::place_shared(const Variable& variable) {
  const auto known = shared_offsets_.find(&variable);
  if (known != shared_offsets_.end()) return known->second;
  const uint64_t offset = shared_.place(variable);
  if (shared_.end() > kMostSharedBytes) refuse(variable.at, "'{}' does not fit shared memory", variable.name);
  return shared_offsets_[&variable] = static_cast<uint32_t>(offset);
}

void ProgramMaker::use_dynamic_shared(const Variable& variable, size_t constant, int64_t offset_bytes) {
  program_.has_dynamic_shared = true;
  dynamic_align_bytes_ = std::max(dynamic_align_bytes_, variable.align_bytes);
  dynamic_uses_.push_back({current_, constant, offset_bytes});
}

void ProgramMaker::use_address(size_t constant, uint32_t symbol, int64_t offset_bytes) {
  program_.addresses.push_back({current_, static_cast<uint32_t>(constant), symbol, offset_bytes});
}

/// All dynamic arrays begin where the others end, at the strictest of their alignments.
void ProgramMaker::place_dynamic_shared() {
  const uint64_t align = dynamic_align_bytes_;
  const uint64_t begin = (shared_.end() + align - 1) / align * align;
  program_.static_shared_bytes = static_cast<uint32_t>(program_.has_dynamic_shared ? begin : shared_.end());
  for (const DynamicUse& use : dynamic_uses_) {
    program_.functions[use.function].constants[use.constant] = begin + static_cast<uint64_t>(use.offset_bytes);
  }
}

}  // namespace jitc::emulator
