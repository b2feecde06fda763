#include "src/io/random_fill.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "jitc/float_bits.hpp"
#include "src/io/input_error.hpp"
#include "src/io/philox.hpp"
#include "src/io/scalar_text.hpp"

namespace jitc::io {

namespace {

__extension__ using UInt128 = unsigned __int128;

Scalar bound(const std::string& text, std::string_view fallback, DType dtype) {
  const ScalarResult result = parse_scalar(text.empty() ? fallback : std::string_view(text), dtype);
  if (!result.value) throw InputError(ErrorCode::argument, "random: " + result.problem);
  return *result.value;
}

[[noreturn]] void fail_empty_range(Scalar low, Scalar high) {
  throw InputError(ErrorCode::argument,
                   fmt::format("random: there is nothing from {} up to {}", format_scalar(low), format_scalar(high)),
                   "low= is the smallest value, high= lies above the largest");
}

/// Uniform in [0, 1): the top 53 bits of a word, so that 1 is never reached.
double unit_f8(uint64_t word) { return static_cast<double>(word >> 11) * 0x1p-53; }
/// Of f4, f2 and bf16: as many bits as the type's significand has.
template <DType kDType>
float unit_real(uint64_t word) {
  return static_cast<float>(word >> (64 - significand_bits(kDType))) / (1 << significand_bits(kDType));
}

void fill_bools(uint64_t seed, HostArray& out) {
  for (int64_t i = 0; i < out.size(); ++i) out.set_element(i, random_words(seed, static_cast<uint64_t>(i))[0] >> 63);
}

/// Whole type without bounds, else [low, high).
void fill_integers(const FillSpec& spec, HostArray& out) {
  uint64_t low = 0;
  uint64_t count = 0;  // 0: every value of 64 bits, of which the low ones are stored
  if (!spec.low.empty() || !spec.high.empty()) {
    if (spec.high.empty()) throw InputError(ErrorCode::argument, "random: low= of an integer type needs high= too");
    const Scalar first = bound(spec.low, "0", out.dtype);
    const Scalar last = bound(spec.high, "", out.dtype);
    low = static_cast<uint64_t>(to_int64(first));
    count = static_cast<uint64_t>(to_int64(last)) - low;
    const bool ordered = is_unsigned_int(out.dtype) ? first.bits < last.bits : to_int64(first) < to_int64(last);
    if (!ordered) fail_empty_range(first, last);
  }
  for (int64_t i = 0; i < out.size(); ++i) {
    const uint64_t word = random_words(spec.seed, static_cast<uint64_t>(i))[0];
    out.set_element(i, count == 0 ? word : low + static_cast<uint64_t>(UInt128{word} * count >> 64));
  }
}

template <class Float>
void fill_floats(const FillSpec& spec, Float (*unit)(uint64_t), HostArray& out) {
  const Scalar low = bound(spec.low, "0", out.dtype);
  const Scalar high = bound(spec.high, "1", out.dtype);
  if (!(to_double(low) < to_double(high))) fail_empty_range(low, high);
  const Float first = static_cast<Float>(to_double(low));
  const Float width = static_cast<Float>(to_double(high)) - first;
  for (int64_t i = 0; i < out.size(); ++i) {
    const Float value = unit(random_words(spec.seed, static_cast<uint64_t>(i))[0]) * width + first;
    out.set_element(i, float_to_bits(out.dtype, value));
  }
}

/// Real and imaginary parts as of two reals, from two words.
template <class Float>
void fill_complex(const FillSpec& spec, Float (*unit)(uint64_t), HostArray& out) {
  const DType part = part_type(out.dtype);
  const Scalar low = bound(spec.low, "0", part), high = bound(spec.high, "1", part);
  if (!(to_double(low) < to_double(high))) fail_empty_range(low, high);
  const Float first = static_cast<Float>(to_double(low));
  const Float width = static_cast<Float>(to_double(high)) - first;
  for (int64_t i = 0; i < out.size(); ++i) {
    const auto words = random_words(spec.seed, static_cast<uint64_t>(i));
    const auto bits = [&](uint64_t word) { return float_to_bits(part, unit(word) * width + first); };
    out.set_element(i, bits(words[0]), bits(words[1]));
  }
}

/// Box and Muller's transform, the cosine branch, in f8.
void fill_normal(uint64_t seed, HostArray& out) {
  for (int64_t i = 0; i < out.size(); ++i) {
    const auto words = random_words(seed, static_cast<uint64_t>(i));
    const double radius = std::sqrt(-2.0 * std::log(1.0 - unit_f8(words[0])));
    const double value = radius * std::cos(2.0 * std::numbers::pi * unit_f8(words[1]));
    out.set_element(i, float_to_bits(out.dtype, value));
  }
}

}  // namespace

void fill_random(const FillSpec& spec, HostArray& out) {
  if (spec.kind == FillSpec::Kind::normal) {
    if (!is_float(out.dtype)) {
      throw InputError(ErrorCode::argument, fmt::format("normal: makes f2, bf16, f4 or f8, not {}", name(out.dtype)),
                       "use random: for integers and b1");
    }
    return fill_normal(spec.seed, out);
  }
  if (is_bool(out.dtype)) return fill_bools(spec.seed, out);
  if (is_int(out.dtype)) return fill_integers(spec, out);
  if (out.dtype == DType::c8) return fill_complex<float>(spec, unit_real<DType::f4>, out);
  if (out.dtype == DType::c16) return fill_complex<double>(spec, unit_f8, out);
  if (out.dtype == DType::f2) return fill_floats<float>(spec, unit_real<DType::f2>, out);
  if (out.dtype == DType::bf16) return fill_floats<float>(spec, unit_real<DType::bf16>, out);
  if (out.dtype == DType::f4) return fill_floats<float>(spec, unit_real<DType::f4>, out);
  fill_floats<double>(spec, unit_f8, out);
}

}  // namespace jitc::io
