// What a launch, a copy and a look-up cost on the host, over a driver that does nothing: the same calls made to that
// driver directly are the peer. launch [FILE.json]
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "bench/report.hpp"
#include "bench/run_benchmark.hpp"
#include "jitc/jitc.hpp"

namespace jitc::bench {
namespace {

constexpr const char* kText = R"text(
from numba import cuda

@cuda.jit("void(f4, f4, f4, f4, i4, i4, i4, i8, f4[::1], f4[::1], f4[::1], f4[::1], f4[::1], f4[::1], f4[::1], f4[::1])")
def sixteen(a, b, c, d, i, j, k, l, s, t, u, v, w, x, y, z):
    n = cuda.grid(1)
    if n < s.size:
        z[n] = a * s[n] + b * t[n] + c * u[n] + d * v[n] + i * w[n] + j * x[n] + k * y[n] + l
)text";

constexpr int kRounds = 31;
constexpr int kCallsPerSample = 20'000;

/// A sample whose milliseconds are those of a million calls: nanoseconds of one.
std::function<void()> many(const std::function<void()>& call) {
  return [call] {
    for (int i = 0; i < kCallsPerSample; ++i) call();
  };
}

Samples per_call(Samples samples) {
  for (double& ms : samples.ms) ms *= 1e6 / kCallsPerSample;
  return samples;
}

Row compare(std::string what, const std::function<void()>& ours, std::string peer_name,
            const std::function<void()>& peer) {
  const std::vector<Samples> samples = take_turns(kRounds, {many(ours), many(peer)});
  const Samples own = per_call(samples[0]), other = per_call(samples[1]);
  fmt::print("{}: {:.0f} ns over the driver (medians)\n", what, own.median() - other.median());
  return {std::move(what), std::move(peer_name), own, other, {}};
}

Row alone(std::string what, const std::function<void()>& ours) {
  return {std::move(what), "", per_call(take_turns(kRounds, {many(ours)})[0]), {}, {}};
}

/// One function of the driver library, called without us.
template <class Type>
Type* driver_function(const char* name) {
  void* library = dlopen(JITC_NULL_DRIVER, RTLD_NOW | RTLD_LOCAL);
  void* symbol = library != nullptr ? dlsym(library, name) : nullptr;
  if (symbol == nullptr) throw std::runtime_error(fmt::format("{} is not in {}", name, JITC_NULL_DRIVER));
  return reinterpret_cast<Type*>(symbol);
}

using LaunchKernel = int(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                         void**);
using CopyToDevice = int(unsigned long long, const void*, size_t);

std::vector<Row> measure() {
  const Device device = Device::open("cuda:0");
  const Program program = compile(kText);
  const Function sixteen = program["sixteen"];
  const std::vector<float> host(1024);
  const Array a = device.to_device(host);
  const LaunchConfig config{.grid = {4}, .block = {256}};
  const std::vector<Argument> args{1.f, 2.f, 3.f, 4.f, 5, 6, 7, int64_t{8}, a, a, a, a, a, a, a, a};
  const PreparedLaunch prepared = sixteen.prepare_list(config, args);

  auto* launch_kernel = driver_function<LaunchKernel>("cuLaunchKernel");
  auto* copy_to_device = driver_function<CopyToDevice>("cuMemcpyHtoD_v2");
  char block[136] = {};
  size_t block_bytes = sizeof block;
  void* extra[] = {reinterpret_cast<void*>(1), block, reinterpret_cast<void*>(2), &block_bytes, nullptr};
  const auto direct_launch = [&] { launch_kernel(block, 4, 1, 1, 256, 1, 1, 0, nullptr, nullptr, extra); };
  const auto address = static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(a.data()));

  return {
      compare(
          "ns, prepared launch of 16 arguments", [&] { prepared.run(); }, "cuLaunchKernel", direct_launch),
      compare(
          "ns, launch of 16 arguments", [&] { sixteen.launch_list(config, args); }, "cuLaunchKernel", direct_launch),
      compare(
          "ns, copy of 4 KiB to the device", [&] { a.copy_from_host(host.data(), host.size() * 4); }, "cuMemcpyHtoD",
          [&] { copy_to_device(address, host.data(), host.size() * 4); }),
      alone("ns, signature by 16 argument types", [&] { sixteen.resolve(args); }),
      alone("ns, function by name", [&] { program["sixteen"]; }),
      alone("ns, array of 4 KiB made and freed", [&] { device.empty({1024}, f4); })};
}

}  // namespace
}  // namespace jitc::bench

int main(int argc, char** argv) {
  return jitc::bench::run_benchmark("launch", [&] {
    setenv("JITC_CUDA_DRIVER", JITC_NULL_DRIVER, 1);
    jitc::bench::report("launches over a driver that does nothing", jitc::bench::measure(), argc > 1 ? argv[1] : "");
  });
}
