// Which scalars a parameter of another type takes: those that lose nothing.
#pragma once

#include <optional>
#include <string>

#include "jitc/program.hpp"

namespace jitc::engine {

/// The scalar as a `wanted`, when that keeps its value exactly: integers and bools into integers that hold them,
/// integers into floats that represent them, floats into floats; nothing else.
std::optional<Scalar> convert_scalar(Scalar scalar, DType wanted);

/// As convert_scalar(), but into a float any number is rounded to the nearest: what NumPy does with a Python number
/// beside an array. A finite value beyond the float's range does not fit.
std::optional<Scalar> adopt_scalar(Scalar scalar, DType wanted);

/// "3", "-0.5", "True".
std::string value_text(Scalar scalar);

}  // namespace jitc::engine
