#include "src/sema/nearest.hpp"

#include <algorithm>

namespace jitc::sema {

namespace {

/// Optimal string alignment distance.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replace = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view name, const std::vector<std::string_view>& candidates) {
  constexpr size_t kLongest = 64;  // nobody mistypes a name this long into another; bounds the table above
  if (name.size() > kLongest) return std::nullopt;
  const size_t allowed = name.size() <= 3 ? 1 : name.size() <= 6 ? 2 : 3;
  std::optional<std::string> best;
  size_t best_distance = allowed + 1;
  for (std::string_view c : candidates) {
    if (c.size() > kLongest || c == name) continue;
    if (const size_t d = distance(name, c); d < best_distance && d < std::max(c.size(), name.size())) {
      best_distance = d;
      best = std::string(c);
    }
  }
  return best;
}

}  // namespace jitc::sema
