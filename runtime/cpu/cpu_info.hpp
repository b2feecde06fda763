// What the host offers.
#pragma once

#include <string>

namespace jitc::runtime::cpu {

/// Threads that launches use: JITC_CPU_THREADS (1 to 1024) where it is set, else the processors this process may run
/// on. Throws Error(device) for another value of the variable.
unsigned launch_thread_count();

/// "AMD EPYC 7B13, AVX2".
std::string processor_description();

}  // namespace jitc::runtime::cpu
