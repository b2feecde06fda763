#include <algorithm>

#include "runtime/emulator/alu/selectors.hpp"

namespace jitc::emulator {
namespace {

using Selector = AluFn (*)(const Form& form, AluRules& rules);

/// By the index of the row in the table; null for what is no function of its operands.
constexpr Selector kSelectors[] = {
#define ALU(opcode, modifiers, operands, ptx, sm, selector) &selector,
#define STEP(opcode, modifiers, operands, ptx, sm, action) nullptr,
#include "runtime/emulator/isa/instructions.def"
#undef STEP
#undef ALU
};

Rounding rounding_of(const Form& form) {
  if (!form.one_of({"rz", "rzi"}).empty()) return Rounding::toward_zero;
  if (!form.one_of({"rm", "rmi"}).empty()) return Rounding::down;
  if (!form.one_of({"rp", "rpi"}).empty()) return Rounding::up;
  return form.has("rna") ? Rounding::nearest_away : Rounding::nearest_even;
}

AluRules rules_of(const Form& form) {
  AluRules rules;
  rules.rounding = rounding_of(form);
  rules.to = form.types.empty() ? Type::b32 : form.type();
  rules.from = form.types.size() > 1 ? form.type(1) : rules.to;
  rules.ftz = form.has("ftz") || form.has("approx.ftz");
  rules.sat = form.has("sat");
  rules.third = form.types.size() > 2 ? form.type(2) : rules.from;
  rules.satfinite = form.has("satfinite");
  rules.relu = form.has("relu");
  rules.nan = form.has("NaN");
  rules.xorsign = form.has("xorsign.abs");
  return rules;
}

}  // namespace

Alu select_alu(const Form& form) {
  Alu alu = {nullptr, rules_of(form)};
  alu.run = kSelectors[form.row->index](form, alu.rules);
  return alu;
}

AluResult evaluate(const Alu& alu, std::initializer_list<Bits> operands, Bits carry) {
  AluResult result = {0, 0, carry};
  Bits values[5] = {};
  std::copy(operands.begin(), operands.end(), values);
  const AluRows rows = {&result.value,
                        &result.second,
                        &result.carry,
                        {&values[0], &values[1], &values[2], &values[3], &values[4]},
                        &alu.rules};
  alu.run(rows, 1);
  return result;
}

}  // namespace jitc::emulator
