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
