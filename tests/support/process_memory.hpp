// How much memory this process holds, by Linux's /proc.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>

namespace jitc::tests {

/// Resident bytes.
inline int64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  int64_t total_pages = 0, resident_pages = 0;
  statm >> total_pages >> resident_pages;
  return resident_pages * sysconf(_SC_PAGESIZE);
}

/// Executable mappings without a file: where machine code of kernels lies.
inline int executable_mappings() {
  int count = 0;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    count += line.find(" r-xp ") != std::string::npos && line.find('/') == std::string::npos &&
             line.find('[') == std::string::npos;
  }
  return count;
}

// ASan keeps freed memory in quarantine, so that the resident size says nothing there.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kResidentSizeCounts = false;
#else
inline constexpr bool kResidentSizeCounts = true;
#endif

}  // namespace jitc::tests
