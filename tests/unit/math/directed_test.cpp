// Operations and conversions that round down, up and to zero: every bit against MPFR with that rounding, and the
// infinities, zeros and subnormal numbers of the machine's own.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/math/mpfr_reference.hpp"
#include "tests/unit/math/native_math.hpp"
#include "tests/unit/math/sample_points.hpp"
#include "tests/unit/math/ulp.hpp"

namespace jitc::math_test {

namespace {

struct Mode {
  const char* suffix;
  mpfr_rnd_t rounding;
};
constexpr Mode kModes[] = {{"rd", MPFR_RNDD}, {"ru", MPFR_RNDU}, {"rz", MPFR_RNDZ}};

/// MPFR with the exponents of T, so that subnormal and too large results are rounded as T rounds them.
template <typename T>
class Exponents {
 public:
  Exponents() {
    using Limits = std::numeric_limits<T>;
    mpfr_set_emin(Limits::min_exponent - Limits::digits + 1);
    mpfr_set_emax(Limits::max_exponent);
  }
  ~Exponents() {
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
  }
};

using Operation = int (*)(mpfr_ptr, const Mpfr (&)[3], mpfr_rnd_t);
int add(mpfr_ptr out, const Mpfr (&x)[3], mpfr_rnd_t mode) { return mpfr_add(out, x[0].get(), x[1].get(), mode); }
int sub(mpfr_ptr out, const Mpfr (&x)[3], mpfr_rnd_t mode) { return mpfr_sub(out, x[0].get(), x[1].get(), mode); }
int mul(mpfr_ptr out, const Mpfr (&x)[3], mpfr_rnd_t mode) { return mpfr_mul(out, x[0].get(), x[1].get(), mode); }
int div(mpfr_ptr out, const Mpfr (&x)[3], mpfr_rnd_t mode) { return mpfr_div(out, x[0].get(), x[1].get(), mode); }
int reciprocal(mpfr_ptr out, const Mpfr (&x)[3], mpfr_rnd_t mode) { return mpfr_ui_div(out, 1, x[0].get(), mode); }
int sqrt(mpfr_ptr out, const Mpfr (&x)[3], mpfr_rnd_t mode) { return mpfr_sqrt(out, x[0].get(), mode); }
int fma(mpfr_ptr out, const Mpfr (&x)[3], mpfr_rnd_t mode) {
  return mpfr_fma(out, x[0].get(), x[1].get(), x[2].get(), mode);
}

struct Row {
  const char* name;
  int arity;
  Operation exact;
};
constexpr Row kRows[] = {
    {"add", 2, add},   {"sub", 2, sub}, {"mul", 2, mul}, {"div", 2, div}, {"reciprocal", 1, reciprocal},
    {"sqrt", 1, sqrt}, {"fma", 3, fma}};

template <typename T>
T call(const std::string& name, int arity, T x, T y, T z) {
  if (arity == 1) return unary<T>(name)(x);
  if (arity == 2) return binary<T>(name)(x, y);
  return function<T, T, T, T, T>(name)(x, y, z);
}

template <typename T>
class Check {
 public:
  void operator()(T x, T y, T z) {
    const T values[] = {x, y, z};
    for (int i = 0; i < 3; ++i) mpfr_set_d(args_[i].get(), static_cast<double>(values[i]), MPFR_RNDN);
    for (const Row& row : kRows) {
      for (const Mode& mode : kModes) {
        const int inexact = row.exact(result_.get(), args_, mode.rounding);
        mpfr_subnormalize(result_.get(), inexact, mode.rounding);
        const T expected = static_cast<T>(mpfr_get_d(result_.get(), MPFR_RNDN));
        const T got = call<T>(std::string(row.name) + "_" + mode.suffix, row.arity, x, y, z);
        if (!same(got, expected)) {
          FAIL(row.name << "_" << mode.suffix << std::hexfloat << "(" << x << ", " << y << ", " << z << ") = " << got
                        << ", not " << expected);
        }
      }
    }
  }

 private:
  Exponents<T> exponents_;
  static constexpr mpfr_prec_t kDigits = std::numeric_limits<T>::digits;
  Mpfr args_[3] = {Mpfr(kDigits), Mpfr(kDigits), Mpfr(kDigits)};
  Mpfr result_{kDigits};
};

/// A number whose exponent is near that of `like`, or one with few bits: ties and cancellation.
template <typename T>
T related(Random& random, T like) {
  const double scale = std::ldexp(1, static_cast<int>(random.bits() % 120) - 60);
  switch (random.bits() % 4) {
    case 0: return random.any<T>();
    case 1: return static_cast<T>(static_cast<double>(like) * scale);
    case 2: return static_cast<T>(-like * static_cast<T>(random.uniform(0.5, 2)));
    default:
      return std::ldexp(static_cast<T>(random.bits() % 64),
                        std::ilogb(like) % 1200 - static_cast<int>(random.bits() % 60));
  }
}

template <typename T>
void check_operations() {
  Check<T> check;
  const std::vector<T> special = special_points<T>();
  for (size_t i = 0; i < special.size(); ++i) {
    // Every fourth pair, and an addend that goes its own way through the points.
    for (size_t k = i % 4; k < special.size(); k += 4)
      check(special[i], special[k], special[(7 * i + 13 * k) % special.size()]);
  }
  Random random(0x64697265);
  for (int i = 0; i < 25000; ++i) {
    const T x = random.any<T>(), y = related(random, x);
    // The addend of fma: any, near the product, or what cancels it.
    const T product = x * y;
    const T z = i % 3 == 0 ? related(random, x) : i % 3 == 1 ? related(random, product) : -product;
    check(x, y, z);
  }
}

using Double = float (*)(double);
extern "C" {
float jitc_f8_to_f4_rd(double);
float jitc_f8_to_f4_ru(double);
float jitc_f8_to_f4_rz(double);
#define INTEGER(mode)                   \
  float jitc_i8_to_f4_##mode(int64_t);  \
  float jitc_u8_to_f4_##mode(uint64_t); \
  double jitc_i8_to_f8_##mode(int64_t); \
  double jitc_u8_to_f8_##mode(uint64_t);
INTEGER(rd)
INTEGER(ru)
INTEGER(rz)
}

}  // namespace

TEST_CASE("directed operations have every bit right") {
  check_operations<float>();
  check_operations<double>();
}

TEST_CASE("f8 becomes f4 in each rounding") {
  Exponents<float> exponents;
  Mpfr x(53), result(24);
  std::vector<double> points = special_points<double>();
  for (const float f : special_points<float>()) {
    for (const double d : {double{f}, std::nextafter(double{f}, 1e300), std::nextafter(double{f}, -1e300)})
      points.push_back(d);
  }
  Random random(0x66386634);
  for (int i = 0; i < 50000; ++i)
    points.push_back(std::ldexp(random.uniform(-2, 2), static_cast<int>(random.bits() % 300) - 155));
  const Double functions[] = {jitc_f8_to_f4_rd, jitc_f8_to_f4_ru, jitc_f8_to_f4_rz};
  for (const double point : points) {
    for (int mode = 0; mode < 3; ++mode) {
      // Read with f8's exponents, rounded with f4's.
      mpfr_set_emin(mpfr_get_emin_min());
      mpfr_set_emax(mpfr_get_emax_max());
      mpfr_set_d(x.get(), point, MPFR_RNDN);
      const int inexact = mpfr_set(result.get(), x.get(), kModes[mode].rounding);
      const Exponents<float> narrow;
      const int checked = mpfr_check_range(result.get(), inexact, kModes[mode].rounding);
      mpfr_subnormalize(result.get(), checked, kModes[mode].rounding);
      const float expected = mpfr_get_flt(result.get(), MPFR_RNDN), got = functions[mode](point);
      if (!same(got, expected))
        FAIL(kModes[mode].suffix << std::hexfloat << "(" << point << ") = " << got << ", not " << expected);
    }
  }
}

namespace {

template <typename Float, typename Int>
void check_integer(const char* name, Float got, Int value, mpfr_rnd_t rounding) {
  Mpfr exact(64), rounded(std::numeric_limits<Float>::digits);
  if constexpr (std::is_signed_v<Int>) {
    mpfr_set_sj(exact.get(), value, MPFR_RNDN);
  } else {
    mpfr_set_uj(exact.get(), value, MPFR_RNDN);
  }
  mpfr_set(rounded.get(), exact.get(), rounding);
  const Float expected = static_cast<Float>(mpfr_get_d(rounded.get(), MPFR_RNDN));
  if (!same(got, expected)) FAIL(name << "(" << value << ") = " << std::hexfloat << got << ", not " << expected);
}

}  // namespace

TEST_CASE("integers become floats in each rounding") {
  std::vector<uint64_t> values = {0, 1, UINT64_MAX, UINT64_MAX - 1, uint64_t{1} << 63};
  for (int bit = 0; bit < 64; ++bit) {
    for (const uint64_t low : {0, 1, 2, 3}) values.push_back((uint64_t{1} << bit) - 2 + low);
    values.push_back(UINT64_MAX >> bit);
    values.push_back(UINT64_MAX << bit);
  }
  Random random(0x696e7473);
  for (int i = 0; i < 30000; ++i) values.push_back(random.bits() >> random.bits() % 64);
  for (const uint64_t value : values) {
    const auto whole = static_cast<int64_t>(value);
#define CHECK_MODE(mode, rounding)                                                \
  check_integer("i8_to_f4_" #mode, jitc_i8_to_f4_##mode(whole), whole, rounding); \
  check_integer("u8_to_f4_" #mode, jitc_u8_to_f4_##mode(value), value, rounding); \
  check_integer("i8_to_f8_" #mode, jitc_i8_to_f8_##mode(whole), whole, rounding); \
  check_integer("u8_to_f8_" #mode, jitc_u8_to_f8_##mode(value), value, rounding);
    CHECK_MODE(rd, MPFR_RNDD)
    CHECK_MODE(ru, MPFR_RNDU)
    CHECK_MODE(rz, MPFR_RNDZ)
#undef CHECK_MODE
  }
}

}  // namespace jitc::math_test
