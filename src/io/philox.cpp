#include "src/io/philox.hpp"

namespace jitc::io {

namespace {

PhiloxCounter round_once(const PhiloxCounter& counter, const PhiloxKey& key) {
  const uint64_t first = uint64_t{0xD2511F53} * counter[0];
  const uint64_t second = uint64_t{0xCD9E8D57} * counter[2];
  return {static_cast<uint32_t>(second >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(second),
          static_cast<uint32_t>(first >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t>(first)};
}

constexpr uint64_t join(uint32_t low, uint32_t high) { return uint64_t{high} << 32 | low; }

}  // namespace

PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key) {
  for (int round = 0; round < 10; ++round) {
    counter = round_once(counter, key);
    key[0] += 0x9E3779B9;  // the golden ratio
    key[1] += 0xBB67AE85;  // sqrt(3) - 1
  }
  return counter;
}

std::array<uint64_t, 2> random_words(uint64_t seed, uint64_t index) {
  const auto low = [](uint64_t word) { return static_cast<uint32_t>(word); };
  const PhiloxCounter out = philox4x32({low(index), low(index >> 32), 0, 0}, {low(seed), low(seed >> 32)});
  return {join(out[0], out[1]), join(out[2], out[3])};
}

}  // namespace jitc::io
