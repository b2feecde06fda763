#include "tests/unit/math/measure.hpp"

#include <limits>
#include <utility>

#include "tests/unit/math/native_math.hpp"
#include "tests/unit/math/sample_points.hpp"
#include "tests/unit/math/ulp.hpp"

namespace jitc::math_test {

namespace {

template <typename T>
T call(const Reference& reference, T x, T y) {
  if (reference.second == Second::kInteger) {
    return function<T, T, T, int64_t>(reference.name)(x, static_cast<int64_t>(y));
  }
  return reference.arity == 1 ? unary<T>(reference.name)(x) : binary<T>(reference.name)(x, y);
}

template <typename T>
class Measurement {
 public:
  Measurement(const Reference& reference, std::function<void(uint64_t)> on_points)
      : reference_(reference), on_points_(std::move(on_points)) {}

  void at(T x, T y) {
    mpfr_set_d(x_.get(), static_cast<double>(x), MPFR_RNDN);
    mpfr_set_d(y_.get(), static_cast<double>(y), MPFR_RNDN);
    reference_.compute(exact_.get(), x_.get(), y_.get());
    const T got = call(reference_, x, y);
    const double floor = reference_.floor ? reference_.floor(static_cast<double>(x), static_cast<double>(y)) : 0;
    worst_.merge({ulp_error(got, exact_.get(), floor), static_cast<double>(x), static_cast<double>(y),
                  static_cast<double>(got), 1});
    if (on_points_ && worst_.points % kStep == 0) on_points_(kStep);
  }

  void at_special_points() {
    for (const T x : special_points<T>()) {
      if (reference_.arity == 1) {
        at(x, 0);
      } else if (reference_.second == Second::kInteger) {
        for (const int n : {0, 1, 2, 3, -1, -2, 1000, -1000}) at(x, static_cast<T>(n));
      } else {
        for (const T y : special_points<T>()) at(x, y);
      }
    }
  }

  void at_random_points(uint64_t seed, int count) {
    Random random(seed);
    const std::vector<T> x = random_points<T>(random, count, reference_.dense);
    const std::vector<T> y = random_points<T>(random, count, reference_.dense);
    for (size_t i = 0; i < x.size(); ++i) {
      const auto integer = static_cast<T>(static_cast<int64_t>(random.bits() % 2001) - 1000);
      at(x[i], reference_.second == Second::kInteger ? integer : y[i]);
    }
  }

  const Worst& worst() const { return worst_; }

 private:
  static constexpr uint64_t kStep = 1024;
  // Wide enough that the reference's own rounding is far below the digits printed.
  static constexpr mpfr_prec_t kPrecision = std::numeric_limits<T>::digits + 50;
  const Reference& reference_;
  std::function<void(uint64_t)> on_points_;
  Mpfr x_{std::numeric_limits<T>::digits}, y_{std::numeric_limits<T>::digits}, exact_{kPrecision};
  Worst worst_;
};

}  // namespace

void Worst::merge(const Worst& other) {
  const uint64_t sum = points + other.points;
  if (other.ulps > ulps || points == 0) *this = other;
  points = sum;
}

template <typename T>
Worst measure(const Reference& reference, int random_points, uint64_t seed,
              const std::function<void(uint64_t)>& on_points) {
  Measurement<T> measurement(reference, on_points);
  measurement.at_special_points();
  measurement.at_random_points(seed, random_points);
  return measurement.worst();
}

template <typename T>
double error_at(const Reference& reference, T x, T y) {
  Measurement<T> measurement(reference, {});
  measurement.at(x, y);
  return measurement.worst().ulps;
}

template Worst measure<float>(const Reference&, int, uint64_t, const std::function<void(uint64_t)>&);
template Worst measure<double>(const Reference&, int, uint64_t, const std::function<void(uint64_t)>&);
template double error_at<float>(const Reference&, float, float);
template double error_at<double>(const Reference&, double, double);

}  // namespace jitc::math_test
