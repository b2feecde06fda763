// Machine code that reaches for the process: it must not load.
#include "jitc/cpu_abi.hpp"

extern "C" {

char* getenv(const char* name);

void reads_environment(const std::byte*, const jitc::CpuLaunch*, uint64_t, uint64_t) { (void)*getenv("HOME"); }
}
