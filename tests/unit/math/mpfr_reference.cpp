#include "tests/unit/math/mpfr_reference.hpp"

#include <cmath>

namespace jitc::math_test {

namespace {

template <int (*Function)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)>
void unary(mpfr_ptr out, mpfr_srcptr x, mpfr_srcptr) {
  Function(out, x, MPFR_RNDN);
}

template <int (*Function)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t)>
void binary(mpfr_ptr out, mpfr_srcptr x, mpfr_srcptr y) {
  Function(out, x, y, MPFR_RNDN);
}

void lgamma(mpfr_ptr out, mpfr_srcptr x, mpfr_srcptr) {
  int sign;
  mpfr_lgamma(out, &sign, x, MPFR_RNDN);
}

/// max + log1p(exp(min - max)), with the difference exact.
void logaddexp(mpfr_ptr out, mpfr_srcptr x, mpfr_srcptr y) {
  if (mpfr_nan_p(x) || mpfr_nan_p(y)) return mpfr_set_nan(out);
  mpfr_srcptr high = mpfr_greater_p(x, y) ? x : y;
  mpfr_srcptr low = high == x ? y : x;
  // Equal infinities have no difference; -inf adds exp(-inf) = 0.
  if (mpfr_inf_p(high)) {
    mpfr_set(out, high, MPFR_RNDN);
    return;
  }
  Mpfr term(mpfr_get_prec(out) + 64);
  mpfr_sub(term.get(), low, high, MPFR_RNDN);
  mpfr_exp(term.get(), term.get(), MPFR_RNDN);
  mpfr_log1p(term.get(), term.get(), MPFR_RNDN);
  mpfr_add(out, high, term.get(), MPFR_RNDN);
}

/// x to the power of a whole number.
void powi(mpfr_ptr out, mpfr_srcptr x, mpfr_srcptr n) { mpfr_pow_si(out, x, mpfr_get_si(n, MPFR_RNDN), MPFR_RNDN); }

/// std::lgamma, which other threads may call as well: the sign that it leaves behind stays here.
double lgamma_without_sign(double x) {
  int sign;
  return lgamma_r(x, &sign);
}

/// MPFR has +inf for -0.
void rsqrt(mpfr_ptr out, mpfr_srcptr x, mpfr_srcptr) {
  mpfr_rec_sqrt(out, x, MPFR_RNDN);
  if (mpfr_zero_p(x)) mpfr_set_inf(out, mpfr_signbit(x) ? -1 : 1);
}

void rcbrt(mpfr_ptr out, mpfr_srcptr x, mpfr_srcptr) {
  mpfr_cbrt(out, x, MPFR_RNDN);
  mpfr_ui_div(out, 1, out, MPFR_RNDN);
}

/// exp(x**2) erfc(x), of large x 1 / (sqrt(pi) x) (1 - 1 / (2 x**2) + 3 / (4 x**4)).
void erfcx(mpfr_ptr out, mpfr_srcptr x, mpfr_srcptr) {
  Mpfr square(2 * mpfr_get_prec(x)), factor(mpfr_get_prec(out) + 20);
  mpfr_sqr(square.get(), x, MPFR_RNDN);
  if (mpfr_cmp_d(x, 1e4) > 0) {
    mpfr_const_pi(out, MPFR_RNDN);
    mpfr_rec_sqrt(out, out, MPFR_RNDN);
    mpfr_div(out, out, x, MPFR_RNDN);
    mpfr_ui_div(factor.get(), 1, square.get(), MPFR_RNDN);
    const double inverse = mpfr_get_d(factor.get(), MPFR_RNDN);
    mpfr_mul_d(factor.get(), out, 0.75 * inverse * inverse - 0.5 * inverse, MPFR_RNDN);
    mpfr_add(out, out, factor.get(), MPFR_RNDN);
    return;
  }
  mpfr_erfc(out, x, MPFR_RNDN);
  mpfr_exp(factor.get(), square.get(), MPFR_RNDN);
  mpfr_mul(out, out, factor.get(), MPFR_RNDN);
}

void logistic(mpfr_ptr out, mpfr_srcptr x, mpfr_srcptr) {
  mpfr_neg(out, x, MPFR_RNDN);
  mpfr_exp(out, out, MPFR_RNDN);
  mpfr_add_ui(out, out, 1, MPFR_RNDN);
  mpfr_ui_div(out, 1, out, MPFR_RNDN);
}

/// erfc(-x / sqrt(2)) / 2
void normcdf(mpfr_ptr out, mpfr_srcptr x, mpfr_srcptr) {
  Mpfr argument(mpfr_get_prec(out) + 80);
  mpfr_sqrt_ui(argument.get(), 2, MPFR_RNDN);
  mpfr_div(argument.get(), x, argument.get(), MPFR_RNDN);
  mpfr_neg(argument.get(), argument.get(), MPFR_RNDN);
  mpfr_erfc(out, argument.get(), MPFR_RNDN);
  mpfr_div_2ui(out, out, 1, MPFR_RNDN);
}

/// The y > 0 with erfc(y) = q for q in (0, 1), by Newton's method on log(erfc) from S. Winitzki's approximation.
void positive_erfcinv(mpfr_ptr out, mpfr_srcptr q) {
  const mpfr_prec_t precision = mpfr_get_prec(out);
  Mpfr log_q(precision), value(precision), slope(precision);
  mpfr_log(log_q.get(), q, MPFR_RNDN);
  const double log_of_q = mpfr_get_d(log_q.get(), MPFR_RNDN), rest = std::log1p(1 - std::exp(log_of_q));
  const double half = 2 / (3.14159265 * 0.147) + (log_of_q + rest) / 2;
  const double start = std::sqrt(std::sqrt(half * half - (log_of_q + rest) / 0.147) - half);
  mpfr_set_d(out, log_of_q > -0.01 ? -0.886 * log_of_q : start, MPFR_RNDN);
  for (int i = 0; i < 4; ++i) {
    // out += (log(erfc(out)) - log(q)) erfc(out) sqrt(pi) / 2 exp(out**2)
    mpfr_erfc(value.get(), out, MPFR_RNDN);
    mpfr_sqr(slope.get(), out, MPFR_RNDN);
    mpfr_exp(slope.get(), slope.get(), MPFR_RNDN);
    mpfr_mul(slope.get(), slope.get(), value.get(), MPFR_RNDN);
    mpfr_log(value.get(), value.get(), MPFR_RNDN);
    mpfr_sub(value.get(), value.get(), log_q.get(), MPFR_RNDN);
    mpfr_mul(slope.get(), slope.get(), value.get(), MPFR_RNDN);
    mpfr_const_pi(value.get(), MPFR_RNDN);
    mpfr_sqrt(value.get(), value.get(), MPFR_RNDN);
    mpfr_mul(slope.get(), slope.get(), value.get(), MPFR_RNDN);
    mpfr_div_2ui(slope.get(), slope.get(), 1, MPFR_RNDN);
    mpfr_add(out, out, slope.get(), MPFR_RNDN);
  }
}

/// Near one the zero of the inverse needs the places that the difference from one loses.
void erfcinv(mpfr_ptr out, mpfr_srcptr x, mpfr_srcptr) {
  if (mpfr_nan_p(x) || mpfr_sgn(x) < 0 || mpfr_cmp_ui(x, 2) > 0) return mpfr_set_nan(out);
  if (mpfr_zero_p(x) || mpfr_cmp_ui(x, 2) == 0) return mpfr_set_inf(out, mpfr_zero_p(x) ? 1 : -1);
  if (mpfr_cmp_ui(x, 1) == 0) return mpfr_set_zero(out, 1);
  const bool is_above = mpfr_cmp_ui(x, 1) > 0;
  Mpfr q(mpfr_get_prec(x) + 8), wide(mpfr_get_prec(out) + 60);
  mpfr_set(q.get(), x, MPFR_RNDN);
  if (is_above) mpfr_ui_sub(q.get(), 2, q.get(), MPFR_RNDN);
  positive_erfcinv(wide.get(), q.get());
  mpfr_setsign(out, wide.get(), is_above, MPFR_RNDN);
}

void erfinv(mpfr_ptr out, mpfr_srcptr x, mpfr_srcptr) {
  if (mpfr_nan_p(x) || mpfr_cmpabs_ui(x, 1) > 0) return mpfr_set_nan(out);
  if (mpfr_cmpabs_ui(x, 1) == 0) return mpfr_set_inf(out, mpfr_sgn(x));
  if (mpfr_zero_p(x) || mpfr_get_exp(x) < -90) {
    mpfr_const_pi(out, MPFR_RNDN);
    mpfr_sqrt(out, out, MPFR_RNDN);
    mpfr_div_2ui(out, out, 1, MPFR_RNDN);
    mpfr_mul(out, out, x, MPFR_RNDN);
    return;
  }
  Mpfr q(200), wide(mpfr_get_prec(out) + 100);
  mpfr_abs(q.get(), x, MPFR_RNDN);
  mpfr_ui_sub(q.get(), 1, q.get(), MPFR_RNDN);
  positive_erfcinv(wide.get(), q.get());
  mpfr_setsign(out, wide.get(), mpfr_signbit(x), MPFR_RNDN);
}

void normcdfinv(mpfr_ptr out, mpfr_srcptr x, mpfr_srcptr) {
  Mpfr twice(mpfr_get_prec(x)), root(mpfr_get_prec(out));
  mpfr_mul_2ui(twice.get(), x, 1, MPFR_RNDN);
  erfcinv(out, twice.get(), nullptr);
  mpfr_sqrt_ui(root.get(), 2, MPFR_RNDN);
  mpfr_mul(out, out, root.get(), MPFR_RNDN);
  if (!mpfr_zero_p(out)) mpfr_neg(out, out, MPFR_RNDN);
}

/// MPFR has +0 for -inf.
void j1(mpfr_ptr out, mpfr_srcptr x, mpfr_srcptr) {
  mpfr_j1(out, x, MPFR_RNDN);
  if (mpfr_inf_p(x)) mpfr_set_zero(out, mpfr_sgn(x));
}

/// Between two zeros a Bessel function is as large as this.
double floor_of_bessel(double x, double) { return std::fmin(1, std::sqrt(2 / 3.14159265 / std::fabs(x))); }

/// Between its poles lgamma has zeros, where two numbers as large as lgamma(|x|) cancel.
double floor_of_lgamma(double x, double) { return x < 0 ? 1 + std::fabs(lgamma_without_sign(-x)) : 0; }

/// logaddexp(x, y) is near zero where the larger argument cancels the logarithm.
double floor_of_logaddexp(double x, double y) { return std::fabs(std::fmax(x, y)); }

}  // namespace

const std::vector<Reference>& references() {
  static const std::vector<Reference> kReferences = {
      {"sin", 1, unary<mpfr_sin>, {{-7, 7}, {-1000, 1000}, {-1e7, 1e7}}},
      {"cos", 1, unary<mpfr_cos>, {{-7, 7}, {-1000, 1000}, {-1e7, 1e7}}},
      {"tan", 1, unary<mpfr_tan>, {{-7, 7}, {-1000, 1000}, {-1e7, 1e7}}},
      {"asin", 1, unary<mpfr_asin>, {{-1, 1}, {0.4, 0.6}}},
      {"acos", 1, unary<mpfr_acos>, {{-1, 1}, {0.4, 0.6}}},
      {"atan", 1, unary<mpfr_atan>, {{-3, 3}, {-40, 40}}},
      {"atan2", 2, binary<mpfr_atan2>, {{-3, 3}, {-1000, 1000}}},
      {"sinh", 1, unary<mpfr_sinh>, {{-2, 2}, {-90, 90}, {-711, 711}}},
      {"cosh", 1, unary<mpfr_cosh>, {{-2, 2}, {-90, 90}, {-711, 711}}},
      {"tanh", 1, unary<mpfr_tanh>, {{-1, 1}, {-20, 20}}},
      {"asinh", 1, unary<mpfr_asinh>, {{-2, 2}, {-100, 100}}},
      {"acosh", 1, unary<mpfr_acosh>, {{1, 1.5}, {1, 100}}},
      {"atanh", 1, unary<mpfr_atanh>, {{-1, 1}, {-0.6, 0.6}}},
      {"exp", 1, unary<mpfr_exp>, {{-1, 1}, {-104, 90}, {-746, 711}}},
      {"exp2", 1, unary<mpfr_exp2>, {{-1, 1}, {-151, 129}, {-1076, 1025}}},
      {"expm1", 1, unary<mpfr_expm1>, {{-0.5, 0.5}, {-40, 90}, {-40, 711}}},
      {"log", 1, unary<mpfr_log>, {{0, 2}, {0.9, 1.1}, {0, 1e4}}},
      {"log2", 1, unary<mpfr_log2>, {{0, 2}, {0.9, 1.1}, {0, 1e4}}},
      {"log10", 1, unary<mpfr_log10>, {{0, 2}, {0.9, 1.1}, {0, 1e4}}},
      {"log1p", 1, unary<mpfr_log1p>, {{-1, 1}, {-0.1, 0.1}, {0, 1e4}}},
      {"pow", 2, binary<mpfr_pow>, {{0, 10}, {-20, 20}, {0.9, 1.1}}},
      {"cbrt", 1, unary<mpfr_cbrt>, {{-8, 8}}},
      {"hypot", 2, binary<mpfr_hypot>, {{-10, 10}}},
      {"erf", 1, unary<mpfr_erf>, {{-1, 1}, {-6, 6}}},
      {"erfc", 1, unary<mpfr_erfc>, {{-1, 2}, {-6, 11}, {0, 28}}},
      {"gamma", 1, unary<mpfr_gamma>, {{-3, 3}, {-45, 36}, {-180, 172}}},
      {"lgamma", 1, lgamma, {{0, 4}, {0, 100}, {-50, 0}}, floor_of_lgamma},
      {"logaddexp", 2, logaddexp, {{-10, 10}, {-80, 80}}, floor_of_logaddexp},
      {"powi", 2, powi, {{-2, 2}}, nullptr, Second::kInteger},
      {"logistic", 1, logistic, {{-1, 1}, {-20, 20}, {-104, 20}, {-746, 40}}},
      {"exp10", 1, unary<mpfr_exp10>, {{-1, 1}, {-46, 39}, {-324, 309}}},
      {"sinpi", 1, unary<mpfr_sinpi>, {{-1, 1}, {-10, 10}, {-1e5, 1e5}}},
      {"cospi", 1, unary<mpfr_cospi>, {{-1, 1}, {-10, 10}, {-1e5, 1e5}}},
      {"rsqrt", 1, rsqrt, {{0, 4}, {1, 2}}},
      {"rcbrt", 1, rcbrt, {{-8, 8}}},
      {"erfcx", 1, erfcx, {{-1, 2}, {-10, 10}, {-27, 30}, {0, 1e4}}},
      {"erfinv", 1, erfinv, {{-1, 1}, {0.99, 1}}},
      {"erfcinv", 1, erfcinv, {{0, 2}, {0, 1e-3}, {0.9, 1.1}}},
      {"normcdf", 1, normcdf, {{-1, 1}, {-15, 6}, {-39, 9}}},
      {"normcdfinv", 1, normcdfinv, {{0, 1}, {0, 1e-3}, {0.4, 0.6}}},
      {"j0", 1, unary<mpfr_j0>, {{-2, 2}, {-12, 12}, {-1000, 1000}}, floor_of_bessel},
      {"j1", 1, j1, {{-2, 2}, {-12, 12}, {-1000, 1000}}, floor_of_bessel},
      {"y0", 1, unary<mpfr_y0>, {{0, 2}, {0, 12}, {0, 1000}}, floor_of_bessel},
      {"y1", 1, unary<mpfr_y1>, {{0, 2}, {0, 12}, {0, 1000}}, floor_of_bessel},
  };
  return kReferences;
}

const Reference* find_reference(std::string_view name) {
  for (const Reference& reference : references()) {
    if (reference.name == name) return &reference;
  }
  return nullptr;
}

}  // namespace jitc::math_test
