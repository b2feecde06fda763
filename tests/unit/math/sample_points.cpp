#include "tests/unit/math/sample_points.hpp"

#include <cmath>
#include <cstdlib>

namespace jitc::math_test {

namespace {

// Where formulas change over, results overflow or vanish, and arguments are huge.
constexpr double kTurns[] = {0.5, 1.5, 2.5, 3,   5,     6,   7,   10,  11.5, 20,         34,   35.5,
                             88,  89,  104, 170, 171.5, 184, 710, 745, 746,  2147483648, 1e10, 1e22};
// Fractions of a turn, ln 2, e.
constexpr double kConstants[] = {0.7853981633974483, 1.5707963267948966, 3.141592653589793,
                                 6.283185307179586,  0.6931471805599453, 2.718281828459045};

template <typename T>
void add_with_neighbours(std::vector<T>& points, T x) {
  const T infinity = std::numeric_limits<T>::infinity();
  for (const T value : {x, std::nextafter(x, T(0)), std::nextafter(x, infinity)}) {
    points.push_back(value);
    points.push_back(-value);
  }
}

}  // namespace

template <typename T>
std::vector<T> special_points() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> points = {Limits::quiet_NaN(), T(0), T(-0.0), Limits::infinity(), -Limits::infinity()};
  for (const T x : {Limits::denorm_min(), Limits::min(), Limits::max(), Limits::epsilon()}) {
    add_with_neighbours(points, x);
  }
  for (int exponent = Limits::min_exponent - Limits::digits; exponent < Limits::max_exponent;) {
    add_with_neighbours(points, std::ldexp(T(1), exponent));
    exponent += std::abs(exponent) < 12 ? 1 : 13;
  }
  // The f4 and the f8 that come closest to a multiple of pi/2.
  points.push_back(std::ldexp(T(16367173), 72));
  if constexpr (sizeof(T) == 8) points.push_back(std::ldexp(T(6381956970095103), 797));
  for (const double x : kTurns) add_with_neighbours(points, static_cast<T>(x));
  for (const double x : kConstants) add_with_neighbours(points, static_cast<T>(x));
  return points;
}

template <typename T>
std::vector<T> random_points(Random& random, int count, const std::vector<Interval>& dense) {
  std::vector<T> points;
  for (int i = 0; i < count; ++i) {
    if (i % 2 == 0 || dense.empty()) {
      points.push_back(random.any<T>());
    } else {
      const Interval& interval = dense[static_cast<size_t>(i / 2) % dense.size()];
      points.push_back(static_cast<T>(random.uniform(interval.low, interval.high)));
    }
  }
  return points;
}

template std::vector<float> special_points();
template std::vector<double> special_points();
template std::vector<float> random_points(Random&, int, const std::vector<Interval>&);
template std::vector<double> random_points(Random&, int, const std::vector<Interval>&);

}  // namespace jitc::math_test
