// What floating-point instructions should return, computed by MPFR in the format itself.
#pragma once

#include <mpfr.h>

#include <cstdint>
#include <string>
#include <vector>

namespace jitc::emulator_test {

/// Of IEEE 754's kind, described apart from the emulator's own table.
struct OracleFormat {
  std::string name;
  int precision;
  int exponent_bits;
  int width;
};

/// f16, bf16, f32, f64.
const std::vector<OracleFormat>& oracle_formats();
const OracleFormat& oracle_format(const std::string& name);

struct OracleRounding {
  std::string name;
  mpfr_rnd_t mode;
};

/// rn, rz, rm, rp.
const std::vector<OracleRounding>& oracle_roundings();

/// `operation(out, operands)` returns MPFR's ternary value; the result is rounded to `format`, subnormals included.
using OracleOperation = int (*)(mpfr_ptr out, mpfr_srcptr const* operands, mpfr_rnd_t mode);
uint64_t oracle(OracleOperation operation, const std::vector<uint64_t>& operands, const OracleFormat& from,
                const OracleFormat& to, mpfr_rnd_t mode);

bool is_nan(uint64_t bits, const OracleFormat& format);

/// Zeros, subnormals, ones, extremes, infinities, NaN, neighbours of each, and `count_random` by chance.
std::vector<uint64_t> float_samples(const OracleFormat& format, int count_random);

/// The value of `bits`, exactly.
void set_from_bits(mpfr_ptr out, uint64_t bits, const OracleFormat& format);

}  // namespace jitc::emulator_test
