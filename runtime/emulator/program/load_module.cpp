#include "runtime/emulator/program/load_module.hpp"

#include "runtime/emulator/program/launch_notes.hpp"
#include "runtime/emulator/program/program_maker.hpp"
#include "runtime/emulator/ptx/parse.hpp"

namespace jitc::emulator {
namespace {

/// Functions are decoded for each kernel that reaches them: a hostile text could ask for many of many.
constexpr size_t kMostSteps = size_t{1} << 22;

size_t count_steps(const Program& program) {
  size_t count = 0;
  for (const DecodedFunction& function : program.functions) count += function.steps.size();
  return count;
}

void check_target(const Module& module, const LoadTarget& target) {
  if (module.version > target.max_version) {
    throw TargetError({}, fmt::format("PTX ISA {}.{} is newer than the driver's {}.{}", module.version / 10,
                                      module.version % 10, target.max_version / 10, target.max_version % 10));
  }
  const bool is_exact = !module.target.empty() && module.target.back() == 'a';
  if (is_exact ? module.sm != target.sm : module.sm > target.sm) {
    throw TargetError({}, fmt::format("the text is for {}, the device is sm_{}", module.target, target.sm));
  }
}

void check_functions(const Module& module) {
  std::unordered_map<std::string_view, const Function*> defined;
  for (const Function& function : module.functions) {
    if (!function.has_body) continue;
    if (!defined.emplace(function.name, &function).second) {
      refuse(function.at, "duplicate definition of function '{}'", function.name);
    }
  }
}

std::unordered_map<std::string_view, const Variable*> shared_variables(const Module& module) {
  std::unordered_map<std::string_view, const Variable*> shared;
  for (const Variable& variable : module.variables) {
    if (variable.space != Space::shared) continue;
    if (!shared.emplace(variable.name, &variable).second) {
      refuse(variable.at, "duplicate definition of variable '{}'", variable.name);
    }
  }
  return shared;
}

}  // namespace

LoadedModule load_module(std::string text, const LoadTarget& target) {
  LoadedModule loaded = {parse(std::move(text)), {}, {}};
  check_target(loaded.module, target);
  check_functions(loaded.module);
  loaded.image = make_image(loaded.module);
  const ModuleContext context = {loaded.module,
                                 loaded.image,
                                 functions_by_name(loaded.module),
                                 shared_variables(loaded.module),
                                 {loaded.module.version, loaded.module.sm}};
  std::vector<bool> is_reached(loaded.module.functions.size());
  size_t count = 0;
  for (uint32_t i = 0; i < loaded.module.functions.size(); ++i) {
    if (!loaded.module.functions[i].is_entry || !loaded.module.functions[i].has_body) continue;
    loaded.programs.push_back(ProgramMaker(context).make(i));
    Program& program = loaded.programs.back();
    program.notes = read_launch_notes(loaded.module.functions[i].comment, program.functions[0].params);
    for (const DecodedFunction& function : loaded.programs.back().functions) is_reached[function.module_index] = true;
    count += count_steps(loaded.programs.back());
    if (count > kMostSteps) refuse(loaded.module.functions[i].at, "the module's kernels are too large");
  }
  for (uint32_t i = 0; i < loaded.module.functions.size(); ++i) {
    if (loaded.module.functions[i].has_body && !is_reached[i]) ProgramMaker(context).make(i);
  }
  return loaded;
}

}  // namespace jitc::emulator
