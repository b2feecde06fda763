#include "tests/unit/emulator/table_text.hpp"

#include <set>
#include <vector>

#include "runtime/emulator/isa/form.hpp"
#include "tests/unit/emulator/texts.hpp"

namespace jitc::emulator_test {

using namespace jitc::emulator;

namespace {

/// A register of entry_text that the type may stand in.
std::string register_of(Type type, size_t number) {
  const uint32_t width = width_bits(type);
  const std::string prefix = type == Type::pred  ? "%p"
                             : type == Type::f32 ? "%f"
                             : type == Type::f64 ? "%fd"
                             : width <= 16       ? "%rs"
                             : width == 32       ? "%r"
                             : width == 64       ? "%rd"
                                                 : "%q";
  return prefix + std::to_string(number + 1);
}

/// A barrier's number is small and its count of threads whole warps; elsewhere any register does.
std::string value_operand(const InstructionRow& row, const OperandSlot& slot, Type type, size_t number) {
  const bool is_barrier = row.opcode == "bar" || row.opcode == "barrier";
  if (is_barrier && !slot.is_written && type == Type::u32 && row.action != Action::warp_sync) {
    return number == (row.operands[0].is_written ? 1 : 0) ? "0" : "64";
  }
  return register_of(type, number) + (slot.may_be_pair ? "|%p8" : "");
}

/// As many registers as the form's vector modifier says.
std::string vector_operand(const Form& form, size_t number) {
  const std::string first = register_of(form.type(), number);
  if (form.has("v2")) return "{" + first + ", " + first + "}";
  return form.has("v4") ? fmt::format("{{{0}, {0}, {0}, {0}}}", first) : first;
}

/// shfl and vote without .sync: the newest target does not have them.
bool is_retired(const InstructionRow& row) {
  return (row.opcode == "shfl" || row.opcode == "vote") && row.modifiers[0].alternatives[0] != "sync";
}

std::string operand_text(const Form& form, size_t number) {
  const OperandSlot& slot = form.row->operands[number];
  switch (slot.kind) {
    case OperandKind::address: return "[%rd8]";
    case OperandKind::immediate:
      return form.row->opcode == "discard" || form.row->opcode == "applypriority" ? "128" : "5";
    case OperandKind::vector: return vector_operand(form, number);
    case OperandKind::label: return form.row->opcode == "brx" ? "targets" : "end";
    case OperandKind::call: return "function";
    default: return value_operand(*form.row, slot, form.type_of(slot), number);
  }
}

/// The row with one alternative chosen for each place that must be filled.
std::string instruction_text(const InstructionRow& row, const std::vector<size_t>& choices) {
  std::string text(row.opcode);
  Form form = {&row, {}, {}};
  for (size_t i = 0; i < row.modifiers.size(); ++i) {
    if (row.modifiers[i].is_optional) continue;
    const std::string_view word = row.modifiers[i].alternatives[choices[i]];
    text += "." + std::string(word);
    if (const auto type = type_named(word)) {
      form.types.push_back(*type);
    } else {
      form.modifiers.push_back(word);
    }
  }
  std::string separator = " ";
  for (size_t i = 0; i < row.operands.size(); ++i) {
    if (row.operands[i].is_optional) continue;
    text += separator + operand_text(form, i);
    separator = ", ";
  }
  return text + ";\n";
}

void add_row(const InstructionRow& row, std::set<std::string>& seen, std::string& body) {
  for (size_t varied = 0; varied <= row.modifiers.size(); ++varied) {
    const size_t count = varied < row.modifiers.size() ? row.modifiers[varied].alternatives.size() : 1;
    for (size_t choice = 0; choice < count; ++choice) {
      std::vector<size_t> choices(row.modifiers.size());
      if (varied < row.modifiers.size()) choices[varied] = choice;
      const std::string text = instruction_text(row, choices);
      if (seen.insert(text).second) body += text;
    }
  }
}

}  // namespace

std::string table_text() {
  std::set<std::string> seen;
  std::string body = ".reg .b128 %q<9>;\ntargets: .branchtargets end, end;\n";
  for (const InstructionRow& row : all_instructions()) {
    if (!is_retired(row)) add_row(row, seen, body);
  }
  const std::string entry = entry_text(body + "end:", "9.0");
  const size_t head = entry.find(".entry");
  return entry.substr(0, head) + ".func function() { ret; }\n" + entry.substr(head);
}

}  // namespace jitc::emulator_test
