// Arrays with shapes and strides made by chance, and the addresses of their elements by the simplest means.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "jitc/array.hpp"

namespace jitc::tests {

class Chance {
 public:
  explicit Chance(unsigned seed) : engine_(seed) {}
  int64_t from(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(engine_); }
  bool one_in(int64_t n) { return from(1, n) == 1; }
  std::vector<int64_t> shape(int64_t max_rank, int64_t max_extent) {
    std::vector<int64_t> out(static_cast<size_t>(from(0, max_rank)));
    for (int64_t& extent : out) extent = from(1, max_extent);
    return out;
  }
  std::vector<int> permutation(int rank) {
    std::vector<int> out;
    for (int axis = 0; axis < rank; ++axis) out.push_back(axis);
    std::shuffle(out.begin(), out.end(), engine_);
    return out;
  }

 private:
  std::mt19937 engine_;
};

/// Offsets in bytes from element (0, 0, …), in C order.
inline std::vector<int64_t> offsets_of(const std::vector<int64_t>& shape, const std::vector<int64_t>& strides) {
  std::vector<int64_t> out{0};
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    std::vector<int64_t> next;
    for (const int64_t offset : out) {
      for (int64_t i = 0; i < shape[axis]; ++i) next.push_back(offset + i * strides[axis]);
    }
    out = std::move(next);
  }
  return out;
}

/// Addresses of all elements, in C order.
inline std::vector<std::byte*> addresses_of(const Array& array) {
  std::vector<std::byte*> out;
  for (const int64_t offset : offsets_of(array.shape(), array.strides())) out.push_back(array.data() + offset);
  return out;
}

/// Takes some elements of each axis, some of them backwards, and shuffles the axes.
inline Array view_by_chance(Array array, Chance& chance) {
  for (int axis = 0; axis < array.rank(); ++axis) {
    const int64_t extent = array.shape()[static_cast<size_t>(axis)];
    const int64_t step = chance.from(1, 2);
    const int64_t begin = chance.from(0, extent - 1);
    array = chance.one_in(3) ? array.slice(axis, begin, -extent - 1, -step) : array.slice(axis, begin, extent, step);
  }
  return chance.one_in(2) ? array.transpose(chance.permutation(array.rank())) : array;
}

}  // namespace jitc::tests
