#include "tests/unit/math/sample_points.hpp"

#include <cmath>

namespace jitc::math_test {

namespace {

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
  for (int exponent = Limits::min_exponent - Limits::digits;
       exponent<Limits::max_exponent; exponent += exponent> - 12 && exponent < 12 ? 1 : 13) {
    add_with_neighbours(points, std::ldexp(T(1), exponent));
  }
  for (const double x : {0.5,
                         1.5,
                         2.5,
                         3.0,
                         5.0,
                         6.0,
                         7.0,
                         10.0,
                         11.5,
                         20.0,
                         34.0,
                         35.5,
                         88.0,
                         89.0,
                         104.0,
                         170.0,
                         171.5,
                         184.0,
                         710.0,
                         745.0,
                         746.0,
                         2147483648.0,
                         1e10,
                         1e22,
                         0.7853981633974483,
                         1.5707963267948966,
                         3.141592653589793,
                         6.283185307179586,
                         0.6931471805599453,
                         2.718281828459045,
                         0x1p126}) {
    add_with_neighbours(points, static_cast<T>(x));
  }
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
