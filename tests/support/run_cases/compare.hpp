// Whether two arrays are equal, as a case defines it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "src/io/host_array.hpp"

namespace jitc::cases {

struct CompareRule {
  enum class Kind : uint8_t { kBits, kRelative, kUlp };
  Kind kind = Kind::kBits;  ///< any NaN equals any NaN
  double relative = 0;      ///< |actual - expected| <= relative * |expected|
  uint64_t ulp = 0;         ///< steps between neighbouring values of the type
};

/// The first difference, for people; nothing when there is none. Types and shapes must be equal under every rule.
std::optional<std::string> first_difference(const CompareRule& rule, const io::HostArray& expected,
                                            const io::HostArray& actual);

}  // namespace jitc::cases
