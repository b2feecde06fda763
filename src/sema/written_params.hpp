// Which array parameters a function may store to.
#pragma once

#include <map>

#include "src/sema/typed.hpp"

namespace jitc::sema {

/// The parameters, by their places, whose elements the function or one that it calls may write: directly, through a
/// view or through another name; and where the first such store stands in its own text.
std::map<uint32_t, Span> written_params(const TypedFunction& function);

}  // namespace jitc::sema
