#include "runtime/emulator/counters/requests.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace jitc::emulator {
namespace {

constexpr uint32_t kWordBytes = 4;
constexpr uint32_t kBanks = 32;

/// At most as many as a warp has words of 16 bytes, or of 4: no memory is allocated.
class Distinct {
 public:
  void add(uint64_t value) { values_[size_++] = value; }
  /// Sorts and leaves each once.
  std::span<const uint64_t> sorted() {
    std::sort(values_.begin(), values_.begin() + size_);
    size_ = std::unique(values_.begin(), values_.begin() + size_) - values_.begin();
    return {values_.data(), static_cast<size_t>(size_)};
  }
  void clear() { size_ = 0; }

 private:
  std::array<uint64_t, kLanes * 16> values_;
  std::ptrdiff_t size_ = 0;
};

/// The most words that one bank has to give.
uint32_t busiest_bank(std::span<const uint64_t> words) {
  std::array<uint32_t, kBanks> counts = {};
  uint32_t most = 0;
  for (const uint64_t word : words) most = std::max(most, ++counts[word % kBanks]);
  return most;
}

}  // namespace

uint32_t count_sectors(std::span<const LaneAccess> lanes, uint32_t size_bytes) {
  Distinct sectors;
  for (const LaneAccess& lane : lanes) {
    const uint64_t last = (lane.address + size_bytes - 1) / kSectorBytes;
    for (uint64_t sector = lane.address / kSectorBytes; sector <= last; ++sector) sectors.add(sector);
  }
  return static_cast<uint32_t>(sectors.sorted().size());
}

uint32_t count_local_sectors(std::span<const LaneAccess> lanes, uint32_t size_bytes) {
  constexpr uint32_t kLanesPerSector = kSectorBytes / kWordBytes;
  Distinct sectors;
  for (const LaneAccess& lane : lanes) {
    const uint64_t last = (lane.address + size_bytes - 1) / kWordBytes;
    for (uint64_t word = lane.address / kWordBytes; word <= last; ++word) {
      sectors.add(word * (kLanes / kLanesPerSector) + lane.lane / kLanesPerSector);
    }
  }
  return static_cast<uint32_t>(sectors.sorted().size());
}

Wavefronts count_wavefronts(std::span<const LaneAccess> lanes, uint32_t size_bytes) {
  const uint32_t words_per_lane = std::max(size_bytes / kWordBytes, 1u);
  const uint32_t lanes_per_pass = kLanes / words_per_lane;
  Wavefronts out;
  Distinct words;
  for (uint32_t first = 0; first < kLanes; first += lanes_per_pass) {
    words.clear();
    for (const LaneAccess& lane : lanes) {
      if (lane.lane / lanes_per_pass * lanes_per_pass != first) continue;
      for (uint32_t i = 0; i < words_per_lane; ++i) words.add(lane.address / kWordBytes + i);
    }
    const std::span<const uint64_t> distinct = words.sorted();
    out.taken += busiest_bank(distinct);
    out.least += static_cast<uint32_t>((distinct.size() + kBanks - 1) / kBanks);
  }
  return out;
}

}  // namespace jitc::emulator
