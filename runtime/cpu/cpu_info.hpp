// What the host offers.
#pragma once

#include <cstdint>
#include <string>

namespace jitc::runtime::cpu {

/// Threads that launches use: JITC_CPU_THREADS (1 to 1024) where it is set, else the processors this process may run
/// on. Throws Error(device) for another value of the variable.
unsigned launch_thread_count();

/// "AMD EPYC 7B13, AVX2".
std::string processor_description();

struct HostMemoryBytes {
  uint64_t available = 0;  ///< free, or used for what can be dropped at once
  uint64_t total = 0;
};
HostMemoryBytes host_memory_bytes();

/// Of the last cache before memory; what is likely where the system does not tell.
uint64_t last_cache_bytes();

}  // namespace jitc::runtime::cpu
