#include "bench/run_benchmark.hpp"

#include <fmt/format.h>

#include <exception>

namespace jitc::bench {

int run_benchmark(const char* name, const std::function<void()>& body) {
  try {
    body();
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", name, error.what());
    return 1;
  }
}

}  // namespace jitc::bench
