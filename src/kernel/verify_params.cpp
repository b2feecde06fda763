// Rules about parameters: each is a part of an argument, with the type of that part.
#include "src/kernel/verify_rules.hpp"

namespace jitc::kernel {

namespace {

/// A scalar argument has one part and an array the others, or the launcher would pass the wrong thing.
void part_fits_argument(RuleReport& report, const Param& param, const ArgumentInfo& argument) {
  const bool is_scalar = param.part == ParamSlot::Part::scalar;
  report.require(is_scalar != argument.is_array, "the part does not belong to such an argument");
  report.require(!is_scalar || param.axis <= (is_complex(argument.dtype) ? 1U : 0U), "part {} of a scalar", param.axis);
  const bool has_axis = param.part == ParamSlot::Part::extent || param.part == ParamSlot::Part::stride;
  report.require(!has_axis || param.axis < static_cast<uint32_t>(argument.rank), "axis {} of an array of rank {}",
                 param.axis, argument.rank);
}

/// The types are those of the array ABI: a pointer into global memory, and i8 extents and byte strides. Complex numbers
/// are two reals.
void type_fits_part(RuleReport& report, const Param& param, const ArgumentInfo& argument) {
  Type wanted = scalar(DType::i8);
  if (param.part == ParamSlot::Part::scalar) wanted = scalar(part_type(argument.dtype));
  if (param.part == ParamSlot::Part::data) wanted = pointer(part_type(argument.dtype), MemorySpace::kGlobal);
  report.require(param.type == wanted, "the parameter is {}, not {}", param.type, wanted);
}

}  // namespace

void verify_params(RuleReport& report) {
  const KernelProgram& p = report.program();
  for (size_t i = 0; i < p.params.size(); ++i) {
    const Param& param = p.params[i];
    report.at("param", i);
    report.require(param.argument < p.arguments.size(), "argument {} does not exist", param.argument);
    if (param.argument >= p.arguments.size()) continue;
    part_fits_argument(report, param, p.arguments[param.argument]);
    type_fits_part(report, param, p.arguments[param.argument]);
  }
}

}  // namespace jitc::kernel
