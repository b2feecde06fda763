#include "tests/unit/emulator/mpfr_oracle.hpp"

#include <algorithm>
#include <memory>
#include <random>
#include <stdexcept>

namespace jitc::emulator_test {
namespace {

constexpr mpfr_prec_t kExactPrecision = 80;

class Number {
 public:
  explicit Number(mpfr_prec_t precision) { mpfr_init2(value_, precision); }
  ~Number() { mpfr_clear(value_); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  mpfr_ptr get() { return value_; }

 private:
  mpfr_t value_;
};

int bias(const OracleFormat& format) { return (1 << (format.exponent_bits - 1)) - 1; }
int mantissa_bits(const OracleFormat& format) { return format.precision - 1; }
uint64_t sign_bit(const OracleFormat& format) { return uint64_t{1} << (format.width - 1); }
uint64_t infinity(const OracleFormat& format) { return uint64_t(2 * bias(format) + 1) << mantissa_bits(format); }

/// MPFR's exponents are those of a significand in [1/2, 1).
class ExponentRange {
 public:
  explicit ExponentRange(const OracleFormat& format) : least_(mpfr_get_emin()), most_(mpfr_get_emax()) {
    mpfr_set_emin(1 - bias(format) - mantissa_bits(format) + 1);
    mpfr_set_emax(bias(format) + 1);
  }
  ~ExponentRange() {
    mpfr_set_emin(least_);
    mpfr_set_emax(most_);
  }
  ExponentRange(const ExponentRange&) = delete;
  ExponentRange& operator=(const ExponentRange&) = delete;

 private:
  mpfr_exp_t least_, most_;
};

uint64_t bits_of(mpfr_srcptr value, const OracleFormat& format) {
  const uint64_t sign = mpfr_signbit(value) != 0 ? sign_bit(format) : 0;
  if (mpfr_nan_p(value) != 0) return infinity(format) + 1;
  if (mpfr_inf_p(value) != 0) return sign | infinity(format);
  if (mpfr_zero_p(value) != 0) return sign;
  const long exponent = mpfr_get_exp(value) - 1;
  const long place = std::max<long>(exponent, 1 - bias(format)) - mantissa_bits(format);
  Number scaled(kExactPrecision);
  mpfr_abs(scaled.get(), value, MPFR_RNDN);
  mpfr_mul_2si(scaled.get(), scaled.get(), -place, MPFR_RNDN);
  const uint64_t significand = mpfr_get_ui(scaled.get(), MPFR_RNDZ);
  const bool is_normal = significand >> mantissa_bits(format) != 0;
  const uint64_t biased = is_normal ? static_cast<uint64_t>(exponent + bias(format)) : 0;
  const uint64_t hidden = is_normal ? uint64_t{1} << mantissa_bits(format) : 0;
  return sign | biased << mantissa_bits(format) | (significand - hidden);
}

}  // namespace

void set_from_bits(mpfr_ptr out, uint64_t bits, const OracleFormat& format) {
  const bool is_negative = (bits & sign_bit(format)) != 0;
  const uint64_t magnitude = bits & (sign_bit(format) - 1);
  if (magnitude > infinity(format)) return mpfr_set_nan(out);
  if (magnitude == infinity(format)) return mpfr_set_inf(out, is_negative ? -1 : 1);
  if (magnitude == 0) return mpfr_set_zero(out, is_negative ? -1 : 1);
  const auto biased = static_cast<long>(magnitude >> mantissa_bits(format));
  const uint64_t fraction = magnitude & ((uint64_t{1} << mantissa_bits(format)) - 1);
  const uint64_t significand = fraction | (biased != 0 ? uint64_t{1} << mantissa_bits(format) : 0);
  mpfr_set_ui_2exp(out, significand, std::max(biased, 1L) - bias(format) - mantissa_bits(format), MPFR_RNDN);
  if (is_negative) mpfr_neg(out, out, MPFR_RNDN);
}

const std::vector<OracleFormat>& oracle_formats() {
  static const std::vector<OracleFormat> formats = {
      {"f16", 11, 5, 16}, {"bf16", 8, 8, 16}, {"f32", 24, 8, 32}, {"f64", 53, 11, 64}};
  return formats;
}

const OracleFormat& oracle_format(const std::string& name) {
  for (const OracleFormat& format : oracle_formats()) {
    if (format.name == name) return format;
  }
  throw std::invalid_argument(name);
}

const std::vector<OracleRounding>& oracle_roundings() {
  static const std::vector<OracleRounding> roundings = {
      {"rn", MPFR_RNDN}, {"rz", MPFR_RNDZ}, {"rm", MPFR_RNDD}, {"rp", MPFR_RNDU}};
  return roundings;
}

uint64_t oracle(OracleOperation operation, const std::vector<uint64_t>& operands, const OracleFormat& from,
                const OracleFormat& to, mpfr_rnd_t mode) {
  std::vector<std::unique_ptr<Number>> numbers;
  std::vector<mpfr_srcptr> pointers;
  for (uint64_t bits : operands) {
    numbers.push_back(std::make_unique<Number>(kExactPrecision));
    set_from_bits(numbers.back()->get(), bits, from);
    pointers.push_back(numbers.back()->get());
  }
  Number out(to.precision);
  int ternary = operation(out.get(), pointers.data(), mode);
  const ExponentRange range(to);
  ternary = mpfr_check_range(out.get(), ternary, mode);
  mpfr_subnormalize(out.get(), ternary, mode);
  return bits_of(out.get(), to);
}

bool is_nan(uint64_t bits, const OracleFormat& format) { return (bits & (sign_bit(format) - 1)) > infinity(format); }

std::vector<uint64_t> float_samples(const OracleFormat& format, int count_random) {
  const uint64_t one = static_cast<uint64_t>(bias(format)) << mantissa_bits(format);
  const uint64_t least_normal = uint64_t{1} << mantissa_bits(format);
  std::vector<uint64_t> samples = {0,
                                   1,
                                   2,
                                   least_normal - 1,
                                   least_normal,
                                   least_normal + 1,
                                   one - 1,
                                   one,
                                   one + 1,
                                   one + (least_normal >> 1),
                                   one + least_normal,
                                   infinity(format) - 1,
                                   infinity(format),
                                   infinity(format) + 1,
                                   infinity(format) + (least_normal >> 1)};
  std::mt19937_64 chance(format.width);
  const uint64_t all = sign_bit(format) - 1;
  for (int i = 0; i < count_random; ++i) {
    samples.push_back(chance() & all);
    samples.push_back((one + (chance() % 40 - 20) * least_normal + chance() % least_normal) & all);
  }
  const size_t count = samples.size();
  for (size_t i = 0; i < count; ++i) samples.push_back(samples[i] | sign_bit(format));
  return samples;
}

}  // namespace jitc::emulator_test
