#include "tests/random_arrays/values.hpp"

#include <algorithm>

namespace jitc::random_arrays {

int64_t Dense::count() const {
  int64_t out = 1;
  for (const int64_t extent : shape) out *= extent;
  return out;
}

Number& Dense::at(const Shape& index) const {
  int64_t place = offset;
  for (size_t k = 0; k < shape.size(); ++k) place += index[k] * strides[k];
  return numbers->at(static_cast<size_t>(place));
}

Dense new_dense(DType dtype, Shape shape) {
  Dense out{dtype, nullptr, std::move(shape), {}, 0};
  out.strides.assign(out.shape.size(), 0);
  int64_t count = 1;
  for (size_t k = out.shape.size(); k-- > 0;) {
    if (out.shape[k] < 0) throw CallFailure("a negative extent");
    out.strides[k] = count;
    count *= out.shape[k];
  }
  out.numbers = std::make_shared<std::vector<Number>>(static_cast<size_t>(count));
  return out;
}

void for_each_index(const Shape& shape, const std::function<void(const Shape&)>& visit) {
  if (std::any_of(shape.begin(), shape.end(), [](int64_t extent) { return extent == 0; })) return;
  Shape index(shape.size(), 0);
  for (;;) {
    visit(index);
    size_t axis = shape.size();
    while (axis > 0 && ++index[axis - 1] == shape[axis - 1]) index[--axis] = 0;
    if (axis == 0) return;
  }
}

std::vector<Number> elements_of(const Dense& array) {
  std::vector<Number> out;
  for_each_index(array.shape, [&](const Shape& index) { out.push_back(array.at(index)); });
  return out;
}

Shape broadcast_shapes(const Shape& a, const Shape& b) {
  const size_t rank = std::max(a.size(), b.size());
  Shape out(rank, 1);
  for (const Shape* each : {&a, &b}) {
    for (size_t k = 0; k < each->size(); ++k) {
      int64_t& extent = out[rank - each->size() + k];
      if ((*each)[k] != 1 && extent != 1 && extent != (*each)[k]) throw CallFailure("shapes that do not broadcast");
      if (extent == 1) extent = (*each)[k];
    }
  }
  return out;
}

Number broadcast_element(const Dense& array, const Shape& index) {
  Shape own(index.end() - static_cast<std::ptrdiff_t>(array.shape.size()), index.end());
  for (size_t k = 0; k < own.size(); ++k) {
    if (array.shape[k] == 1) own[k] = 0;
  }
  return array.at(own);
}

}  // namespace jitc::random_arrays
