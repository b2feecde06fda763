// What main() of every benchmark does.
#pragma once

#include <functional>

namespace jitc::bench {

/// Runs `body`; what it throws goes to stderr after the benchmark's name. Returns the exit code.
int run_benchmark(const char* name, const std::function<void()>& body);

}  // namespace jitc::bench
