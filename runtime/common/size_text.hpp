// Sizes as people read them.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>

namespace jitc::runtime {

/// "512 bytes", "48.0 KiB", "3.0 GiB".
inline std::string size_text(uint64_t size_bytes) {
  if (size_bytes < 1024) return fmt::format("{} bytes", size_bytes);
  auto size = static_cast<double>(size_bytes);
  const char* const units[] = {"KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  for (size /= 1024; size >= 1024 && unit + 1 < std::size(units); ++unit) size /= 1024;
  return fmt::format("{:.1f} {}", size, units[unit]);
}

}  // namespace jitc::runtime
