// What each function should return, computed by MPFR with spare precision, and where it is sampled.
#pragma once

#include <mpfr.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace jitc::math_test {

/// An MPFR number that frees itself.
class Mpfr {
 public:
  explicit Mpfr(mpfr_prec_t precision_bits) { mpfr_init2(value_, precision_bits); }
  ~Mpfr() { mpfr_clear(value_); }
  Mpfr(const Mpfr&) = delete;
  Mpfr& operator=(const Mpfr&) = delete;
  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }

 private:
  mpfr_t value_;
};

/// Arguments of [low, high] are sampled uniformly, besides those from the whole range.
struct Interval {
  double low, high;
};

enum class Second : uint8_t { kReal, kInteger };

struct Reference {
  std::string_view name;
  int arity;
  void (*compute)(mpfr_ptr out, mpfr_srcptr x, mpfr_srcptr y);  ///< y is unspecified for unary functions
  std::vector<Interval> dense;                                  ///< where the function is not trivial
  /// The least magnitude whose last place counts, where cancellation between the arguments leaves no better promise.
  double (*floor)(double x, double y) = nullptr;
  Second second = Second::kReal;  ///< integers are whole numbers of y from -1000 to 1000
};

/// Every function whose result is rounded (the exact ones have their own test).
const std::vector<Reference>& references();

/// The row of that name; nullptr where there is none.
const Reference* find_reference(std::string_view name);

}  // namespace jitc::math_test
