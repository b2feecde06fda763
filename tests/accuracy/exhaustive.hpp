// Functions of one parameter on as many arguments as there can be: all that a type has, every n-th, or millions of
// random ones.
#pragma once

#include <functional>

#include "jitc/dtype.hpp"
#include "tests/unit/math/measure.hpp"

namespace jitc::accuracy {

struct SearchOptions {
  unsigned threads = 1;
  /// An error that is known to occur: results that are surely better are not looked at twice. Where none is worse, that
  /// of the search is 0.
  double least = 0;
  bool quick = true;                     ///< libm is asked before MPFR
  uint32_t step = 1;                     ///< from one bit pattern to the next that is tried
  uint64_t random_points = 0, seed = 0;  ///< f8, and functions of two parameters: in the place of bit patterns
  /// Called now and then, from any thread, with the points done since.
  std::function<void(uint64_t)> on_points = {};
};

/// Of the compiled function, against MPFR. Of f8 or two parameters: `random_points`, rounded up to 65,536.
math_test::Worst measure_all(const math_test::Reference& reference, DType dtype, const SearchOptions& options = {});

/// At one argument, which has the type.
double product_error_at(const math_test::Reference& reference, DType dtype, double x);

/// The published bound of a half: f4's, rounded once.
double bound_of_half(DType dtype, double f4_ulp);

}  // namespace jitc::accuracy
