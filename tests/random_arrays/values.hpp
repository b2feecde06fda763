// What expressions are while the plain evaluator walks over them: numbers, arrays, tuples.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "jitc/dtype.hpp"
#include "tests/support/scalar_ops.hpp"

namespace jitc::random_arrays {

using reference::Bits;

/// The call fails as the language has it: an index outside, shapes that do not fit.
class CallFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A number; the second part is that of a complex one.
struct Number {
  Bits real = 0, imag = 0;
};

using Shape = std::vector<int64_t>;

/// Numbers with a shape. Views share them.
struct Dense {
  DType dtype = DType::f8;
  std::shared_ptr<std::vector<Number>> numbers;
  Shape shape, strides;
  int64_t offset = 0;

  int64_t count() const;
  Number& at(const Shape& index) const;
};

/// In C order, all 0.
Dense new_dense(DType dtype, Shape shape);
/// Calls visit(index) for each, the last axis fastest.
void for_each_index(const Shape& shape, const std::function<void(const Shape&)>& visit);
/// The elements in C order.
std::vector<Number> elements_of(const Dense& array);

/// NumPy's rule; throws CallFailure.
Shape broadcast_shapes(const Shape& a, const Shape& b);
/// The element that stands at `index` of a shape that the array's broadcasts to.
Number broadcast_element(const Dense& array, const Shape& index);

struct Value {
  Number number;
  std::shared_ptr<const Dense> array;  ///< null: a number, or a tuple
  std::vector<Value> items;

  static Value of(Bits real, Bits imag = 0) { return {{real, imag}, nullptr, {}}; }
  static Value of(Dense dense) { return {{}, std::make_shared<const Dense>(std::move(dense)), {}}; }
};

}  // namespace jitc::random_arrays
