// Random numbers that are the same for a seed on every machine.
#pragma once

#include <cstdint>

namespace jitc::tests {

/// SplitMix64 (Steele, Lea, Flood 2014).
class SplitMix {
 public:
  explicit SplitMix(uint64_t seed) : state_(seed) {}

  uint64_t bits() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  /// In [0, 1).
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

 private:
  uint64_t state_;
};

}  // namespace jitc::tests
