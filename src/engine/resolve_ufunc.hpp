// Which signature of a ufunc takes the arguments of a call.
#pragma once

#include "src/engine/resolve.hpp"

namespace jitc::engine {

/// The dtypes of arrays must be the signature's exactly. Among the signatures left, one whose scalar types are those
/// given wins; else scalars adopt the types of the one that takes their values (see adopt_scalar()). Throws
/// Error(argument) that lists the signatures with the casts that would help, or those among which the scalars do not
/// decide. `title` begins the messages: "ufunc 'product'".
Resolution resolve_ufunc(std::string_view title, std::span<const std::string> params,
                         std::span<const Signature> signatures, std::span<const Argument> args);

}  // namespace jitc::engine
