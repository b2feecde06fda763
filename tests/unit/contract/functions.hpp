// The functions that the tests apply to elements and sums.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "tests/unit/sema/typed_text.hpp"

namespace jitc::contract {

inline const tests::Typed& functions() {
  static const tests::Typed typed(R"dsl(
import math
from numba import vectorize

@vectorize(["f4(f4)"])
def root(x):
    return math.sqrt(abs(x))

@vectorize(["f4(f4)"])
def grow(x):
    return math.exp(x)

@vectorize(["f4(f4, f4)"])
def both(x, y):
    return x + y

@vectorize(["f4(f4, i8)"])
def numbered(x, i):
    return x if i % 3 == 0 else -x

@vectorize(["f4(f4, f4)"])
def biased(s, c):
    t = s + c
    return t if t > 0 else t * 0

@vectorize(["f8(f4, f4, f8)"])
def scaled(s, c, factor):
    return s * factor + c
)dsl");
  return typed;
}

inline std::shared_ptr<const sema::TypedFunction> function(const std::string& name) {
  for (const sema::TypedKernel& kernel : functions().module.kernels) {
    if (kernel.name == name) return kernel.variants.at(0);
  }
  throw std::logic_error("no function " + name + "\n" + functions().messages());
}

}  // namespace jitc::contract
