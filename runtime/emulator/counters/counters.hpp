// Numbers about what kernels did: rows of counters.def.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace jitc::emulator {

enum class Counter : uint8_t {
#define COUNTER(id, name, meaning) id,
#include "runtime/emulator/counters/counters.def"
#undef COUNTER
};

struct CounterText {
  const char* name;
  const char* meaning;
};

constexpr CounterText kCounterTexts[] = {
#define COUNTER(id, name, meaning) {name, meaning},
#include "runtime/emulator/counters/counters.def"
#undef COUNTER
};
constexpr size_t kCountCounters = std::size(kCounterTexts);

class Counters {
 public:
  void add(Counter counter, uint64_t amount) { values_[static_cast<size_t>(counter)] += amount; }
  void add(const Counters& other) {
    for (size_t i = 0; i < kCountCounters; ++i) values_[i] += other.values_[i];
  }
  uint64_t operator[](Counter counter) const { return values_[static_cast<size_t>(counter)]; }
  const std::array<uint64_t, kCountCounters>& values() const { return values_; }

 private:
  std::array<uint64_t, kCountCounters> values_ = {};
};

}  // namespace jitc::emulator
