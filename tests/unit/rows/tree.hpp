// The tree of a fold over a row as it is documented, with nothing of the implementation: absent elements are left out.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace jitc::rows {

/// `values` are states of elements; nothing where there are none.
template <class T, class F>
std::optional<T> tree(std::vector<T> values, const F& f) {
  using Maybe = std::optional<T>;
  const auto join = [&](const Maybe& a, const Maybe& b) { return a && b ? Maybe(f(*a, *b)) : a ? a : b; };
  const auto leaf = [&](size_t begin, size_t end) {
    std::vector<Maybe> x(32);
    for (size_t e = begin; e < end; ++e) x[(e - begin) % 32] = join(x[(e - begin) % 32], values[e]);
    for (size_t s = 16; s > 0; s /= 2) {
      for (size_t c = 0; c < s; ++c) x[c] = join(x[c], x[c + s]);
    }
    return x[0];
  };
  if (values.empty()) return std::nullopt;
  do {
    std::vector<T> blocks;
    for (size_t block = 0; block < values.size(); block += 4096) {
      std::vector<Maybe> leaves(8);
      for (size_t k = 0; k < 8; ++k) {
        const size_t begin = block + k * 512;
        if (begin < values.size()) leaves[k] = leaf(begin, std::min(begin + 512, values.size()));
      }
      for (size_t count = 8; count > 1; count /= 2) {
        for (size_t k = 0; k < count / 2; ++k) leaves[k] = join(leaves[2 * k], leaves[2 * k + 1]);
      }
      blocks.push_back(*leaves[0]);
    }
    values = std::move(blocks);
  } while (values.size() > 1);
  return values[0];
}

}  // namespace jitc::rows
