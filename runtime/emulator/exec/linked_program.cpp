#include "runtime/emulator/exec/linked_program.hpp"

#include "runtime/emulator/program/address_space.hpp"

namespace jitc::emulator {
namespace {

std::vector<std::vector<Bits>> linked_constants(const Program& program, const Image& image, uint64_t global,
                                                uint64_t constant) {
  std::vector<std::vector<Bits>> constants;
  for (const DecodedFunction& function : program.functions) constants.push_back(function.constants);
  for (const AddressUse& use : program.addresses) {
    const Symbol& symbol = image.symbols[use.symbol];
    const uint64_t segment = symbol.space == Space::constant ? constant : global;
    constants[use.function][use.constant] = segment + symbol.offset_bytes + static_cast<uint64_t>(use.offset_bytes);
  }
  return constants;
}

std::vector<Bits> as_rows(const std::vector<Bits>& constants) {
  std::vector<Bits> rows;
  rows.reserve(constants.size() * kLanes);
  for (Bits bits : constants) rows.insert(rows.end(), kLanes, bits);
  return rows;
}

}  // namespace

LinkedProgram link(const Program& program, const Image& image, uint64_t global, uint64_t constant) {
  LinkedProgram linked = {&program, {}, {}};
  const auto constants = linked_constants(program, image, global, constant);
  for (uint32_t i = 0; i < program.functions.size(); ++i) {
    const DecodedFunction& function = program.functions[i];
    linked.functions.push_back({&function, as_rows(constants[i])});
    linked.function_by_address[kFunctionWindow.base + kFunctionBytes * function.module_index] = i;
  }
  return linked;
}

}  // namespace jitc::emulator
