// States of the generators that kernels draw from: xoroshiro128p_uniform_float32(states, i) and its relatives.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace jitc {

/// One xoroshiro128+ generator (D. Blackman and S. Vigna, "xoroshiro128plus", the version of 2016 with the constants
/// 55, 14, 36, which Numba uses too: the same seed gives the same numbers).
class Xoroshiro128p {
 public:
  /// Both words are the first output of SplitMix64 for the seed.
  explicit Xoroshiro128p(uint64_t seed) {
    uint64_t z = seed + 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    words_ = {z ^ (z >> 31), z ^ (z >> 31)};
  }

  uint64_t next() {
    const uint64_t s0 = words_[0], result = words_[0] + words_[1], s1 = words_[1] ^ s0;
    words_ = {rotated(s0, 55) ^ s1 ^ (s1 << 14), rotated(s1, 36)};
    return result;
  }

  /// As 2^64 calls of next().
  void jump() {
    constexpr uint64_t kPolynomial[] = {0xBEAC0467EBA5FACB, 0xD86B048B86AA9922};
    std::array<uint64_t, 2> sum{};
    for (const uint64_t word : kPolynomial) {
      for (int bit = 0; bit < 64; ++bit) {
        if ((word >> bit & 1) != 0) sum = {sum[0] ^ words_[0], sum[1] ^ words_[1]};
        next();
      }
    }
    words_ = sum;
  }

  const std::array<uint64_t, 2>& words() const { return words_; }

 private:
  static uint64_t rotated(uint64_t x, int bits) { return (x << bits) | (x >> (64 - bits)); }

  std::array<uint64_t, 2> words_;
};

/// The states of `count` generators, each 2^64 numbers after the one before it: the elements of a u8 array of shape
/// (count, 2) in C order, for Device::to_device(). `subsequence_start` skips that many times 2^64 numbers.
inline std::vector<uint64_t> xoroshiro128p_states(size_t count, uint64_t seed, uint64_t subsequence_start = 0) {
  Xoroshiro128p generator(seed);
  for (uint64_t i = 0; i < subsequence_start; ++i) generator.jump();
  std::vector<uint64_t> states;
  states.reserve(2 * count);
  for (size_t i = 0; i < count; ++i) {
    if (i != 0) generator.jump();
    states.insert(states.end(), generator.words().begin(), generator.words().end());
  }
  return states;
}

}  // namespace jitc
