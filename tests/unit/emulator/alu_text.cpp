#include "tests/unit/emulator/alu_text.hpp"

#include <random>
#include <stdexcept>

namespace jitc::emulator_test {

using namespace jitc::emulator;

namespace {

Instruction instruction_spelled(std::string_view spelling) {
  Instruction instruction;
  size_t end = std::min(spelling.find('.'), spelling.size());
  instruction.opcode = spelling.substr(0, end);
  while (end < spelling.size()) {
    const size_t next = std::min(spelling.find('.', end + 1), spelling.size());
    instruction.modifiers.push_back(spelling.substr(end + 1, next - end - 1));
    end = next;
  }
  return instruction;
}

}  // namespace

Form form_spelled(std::string_view spelling) {
  constexpr Target kNewest = {90, 90};
  Instruction instruction = instruction_spelled(spelling);
  for (int count = 0; count < 7; ++count) {
    try {
      return choose_form(instruction, kNewest);
    } catch (const LoadError&) { instruction.operands.push_back({{}, IntegerOperand{0}}); }
  }
  throw std::invalid_argument("no such instruction: " + std::string(spelling));
}

Computation::Computation(std::string_view spelling) {
  const Form form = form_spelled(spelling);
  alu_ = select_alu(form);
  mask_ = low_bits(~Bits{0}, width_bits(form.type_of(form.row->operands[0])));
}

AluResult Computation::evaluate(std::initializer_list<Bits> operands, Bits carry) const {
  AluResult result = emulator::evaluate(alu_, operands, carry);
  result.value &= mask_;
  return result;
}

std::vector<Bits> integer_samples(int count_random) {
  std::vector<Bits> samples = {0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256};
  for (int width : {8, 16, 24, 32, 64}) {
    const Bits top = Bits{1} << (width - 1);
    for (Bits near : {top - 2, top - 1, top, top + 1, 2 * top - 2, 2 * top - 1}) samples.push_back(near);
  }
  for (Bits pattern : {0x5555555555555555u, 0xaaaaaaaaaaaaaaaau, 0x0123456789abcdefu}) samples.push_back(pattern);
  for (Bits small = 1; small < 4; ++small) samples.push_back(0 - small);
  std::mt19937_64 chance(7);
  for (int i = 0; i < count_random; ++i) samples.push_back(chance() >> (chance() % 64));
  return samples;
}

}  // namespace jitc::emulator_test
