// Every row of the instruction table is used by a kernel of tests/emulator_ptx/families, whose tables say what it must
// give.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "runtime/emulator/isa/form.hpp"
#include "runtime/emulator/ptx/parse.hpp"

namespace jitc::emulator_test {
namespace {

using namespace jitc::emulator;

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void add_rows_of(const Module& module, std::set<size_t>& rows) {
  const Target target = {module.version, module.sm};
  for (const Function& function : module.functions) {
    for (const Statement& statement : function.body) {
      const auto* instruction = std::get_if<Instruction>(&statement);
      if (instruction != nullptr) rows.insert(choose_form(*instruction, target).row->index);
    }
  }
}

/// The row with the first alternative at each place.
std::string name_of(const InstructionRow& row) {
  std::string name(row.opcode);
  for (const ModifierSlot& slot : row.modifiers) {
    if (!slot.is_optional) name += "." + std::string(slot.alternatives.front());
  }
  return name + ", " + std::to_string(row.operands.size()) + " operands";
}

TEST_CASE("A table of results covers every row of the instruction table") {
  std::set<size_t> used;
  for (const auto& file : std::filesystem::directory_iterator(JITC_PTX_FAMILIES)) {
    add_rows_of(parse(text_of(file.path())), used);
  }
  std::vector<std::string> unused;
  for (const InstructionRow& row : all_instructions()) {
    if (!used.contains(row.index)) unused.push_back(name_of(row));
  }
  CHECK(unused == std::vector<std::string>{});
}

TEST_CASE("The manual names every opcode of the instruction table") {
  const std::string manual = text_of(JITC_PTX_MANUAL);
  std::set<std::string> missing;
  for (const InstructionRow& row : all_instructions()) {
    const std::string opcode = "`" + std::string(row.opcode);
    if (manual.find(opcode + "`") == std::string::npos) missing.insert(opcode);
  }
  CHECK(missing == std::set<std::string>{});
}

}  // namespace
}  // namespace jitc::emulator_test
