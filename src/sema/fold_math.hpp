// Math functions of weak constants, evaluated in f8 when the kernel is compiled.
#pragma once

#include <optional>
#include <vector>

#include "src/kernel/ir.hpp"
#include "src/sema/builtins.hpp"

namespace jitc::sema {

double number_value(Number number);
/// Multiplier of degrees() and radians().
double scale_factor(Scale scale);

std::optional<double> fold_math(kernel::MathFn fn, const std::vector<double>& args);
std::optional<double> fold_unary_float(kernel::UnaryOp op, double x);

}  // namespace jitc::sema
