// What every math function is called with to compare its results bit by bit.
#pragma once

#include "tests/unit/math_bits/executors.hpp"

namespace jitc::math_bits {

/// All special values (of two parameters: pairs of many of them), then `random_count` others: half of them any bit
/// pattern, half where the function is not trivial. The same in every process.
Calls calls_of(kernel::MathFn fn, const std::string& name, int arity, DType type, size_t random_count);

/// The same calls in another order, so that other lanes of other vectors take them: call i is where call i·step mod the
/// count was.
Calls reordered(const Calls& calls, size_t step);
Bytes reordered(const Bytes& elems, size_t elem_bytes, size_t step);

/// Every n-th call alone, `count` of them at most.
Calls thinned(const Calls& calls, size_t count);
Bytes thinned(const Bytes& elems, size_t elem_bytes, size_t count);

}  // namespace jitc::math_bits
