#include "runtime/cpu/cpu_info.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>

#include "runtime/common/error.hpp"

namespace jitc::runtime::cpu {

namespace {

constexpr unsigned kMaxThreads = 1024;

unsigned parse_thread_count(std::string_view text) {
  unsigned count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 1 || count > kMaxThreads) {
    fail(ErrorCode::device, "JITC_CPU_THREADS is '{}', it must be a number from 1 to {}", text, kMaxThreads);
  }
  return count;
}

/// The processors in this process's affinity mask: fewer than the machine has under taskset or in a container.
unsigned usable_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<unsigned>(CPU_COUNT(&set));
  return std::thread::hardware_concurrency();
}

std::string processor_name() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

/// The widest vector extension, by its usual name.
const char* vector_extension() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return "AVX-512";
  if (__builtin_cpu_supports("avx2")) return "AVX2";
  if (__builtin_cpu_supports("avx")) return "AVX";
  return "SSE2";
#else
  return "NEON";
#endif
}

}  // namespace

unsigned launch_thread_count() {
  if (const char* text = std::getenv("JITC_CPU_THREADS")) return parse_thread_count(text);
  return std::clamp(usable_processors(), 1u, kMaxThreads);
}

std::string processor_description() { return fmt::format("{}, {}", processor_name(), vector_extension()); }

/// From /proc/meminfo, see proc(5); without it what the C library tells.
HostMemoryBytes host_memory_bytes() {
  const auto page_bytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  HostMemoryBytes out{static_cast<uint64_t>(sysconf(_SC_AVPHYS_PAGES)) * page_bytes,
                      static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * page_bytes};
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  uint64_t kilobytes = 0;
  while (file >> name >> kilobytes && std::getline(file, unit)) {
    if (name == "MemAvailable:") out.available = kilobytes * 1024;
  }
  return out;
}

/// The C library's sysconf() gives some processors the caches of all their cores together.
uint64_t last_cache_bytes() {
  static const uint64_t bytes = [] {
    uint64_t largest_kib = 0;
    for (int index = 0; index < 8; ++index) {
      std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/size");
      uint64_t kib = 0;
      if (file >> kib) largest_kib = std::max(largest_kib, kib);
    }
    return largest_kib != 0 ? largest_kib * 1024 : uint64_t{32} << 20;
  }();
  return bytes;
}

}  // namespace jitc::runtime::cpu
