#include "src/codegen/param_comment.hpp"

#include "src/base/check.hpp"
#include "src/codegen/param_layout.hpp"

namespace jitc::codegen {
namespace {

/// As a signature writes it: f4, f4[:,::1], f4[n,m].
std::string type_text(const ArgumentInfo& argument) {
  std::string text(name(argument.dtype));
  for (int axis = 0; axis < argument.rank; ++axis) {
    const auto at = static_cast<size_t>(axis);
    const bool is_named = at < argument.extent_names.size() && !argument.extent_names[at].empty();
    const bool is_unit = (argument.layout == Layout::c && axis == argument.rank - 1) ||
                         (argument.layout == Layout::fortran && axis == 0);
    text += axis == 0 ? "[" : ",";
    text += is_unit ? "::1" : is_named ? argument.extent_names[at] : ":";
  }
  return argument.is_array ? text + "]" : text;
}

std::string head(const kernel::KernelProgram& program) {
  std::string text = "// " + program.name + "(";
  for (const ArgumentInfo& argument : program.arguments) {
    if (&argument != program.arguments.data()) text += ", ";
    text += argument.name + ": " + type_text(argument);
  }
  return text + ")\n";
}

/// NumPy's names.
std::string part_text(const kernel::KernelProgram& program, const ParamSlot& slot) {
  const std::string& name = program.arguments[slot.argument].name;
  const bool complex = is_complex(program.arguments[slot.argument].dtype);
  switch (slot.part) {
    case ParamSlot::Part::scalar: return complex ? name + (slot.axis == 0 ? ".real" : ".imag") : name;
    case ParamSlot::Part::data: return name + ".data";
    case ParamSlot::Part::extent: return name + ".shape[" + std::to_string(slot.axis) + "]";
    case ParamSlot::Part::stride: return name + ".strides[" + std::to_string(slot.axis) + "]";
  }
  return name;
}

}  // namespace

std::string param_comment(const kernel::KernelProgram& program) {
  const ParamLayout layout = lay_out_params(program);
  const bool in_memory = layout.size_bytes > kMaxParamSpaceBytes;
  std::string text = head(program);
  if (in_memory) text += "//   param 0: the address of these\n";
  for (size_t i = 0; i < layout.slots.size(); ++i) {
    const ParamSlot& slot = layout.slots[i];
    const std::string place = in_memory ? "byte " + std::to_string(slot.offset_bytes) : "param " + std::to_string(i);
    text += "//   " + place + ": " + part_text(program, slot) + "\n";
  }
  return text;
}

void add_param_comment(const kernel::KernelProgram& program, std::string& ptx) {
  const size_t entry = ptx.find("\n.visible .entry " + program.symbol + "(");
  JITC_CHECK(entry != std::string::npos, "the PTX has no entry " + program.symbol);
  ptx.insert(entry + 1, param_comment(program));
}

}  // namespace jitc::codegen
