// The C++ blocks of docs/cuda.md, in a program that runs where there is no GPU as well.
#include <iostream>
#include <jitc/jitc.hpp>
#include <memory>
#include <numeric>
#include <vector>

constexpr const char* kText = R"dsl(
from numba import cuda

@cuda.jit("void(f4[:], f4[:])")
def square(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i] * x[i]
)dsl";

namespace {

std::vector<float> ramp(size_t count) {
  std::vector<float> out(count);
  std::iota(out.begin(), out.end(), 0.0f);
  return out;
}

bool is_square(const std::vector<float>& y) {
  for (size_t i = 0; i < y.size(); ++i) {
    if (y[i] != static_cast<float>(i) * static_cast<float>(i)) return false;
  }
  return !y.empty();
}

void show_devices() {
  for (const jitc::DeviceInfo& info : jitc::Device::list()) {
    std::cout << info.name << ": " << (info.problem.empty() ? info.description : info.problem) << '\n';
  }
  const jitc::Device device = jitc::Device::open("auto");
  std::cout << device.why() << '\n';
}

/// Copies of one half run while the other half is computed.
bool overlap(const jitc::Device& device, const jitc::Function& square) {
  const jitc::HostArray host_x = device.pinned_array({1000}, jitc::f4), host_y = device.pinned_array({1000}, jitc::f4);
  std::iota(host_x.as<float>().begin(), host_x.as<float>().end(), 0.0f);
  const jitc::Array x = device.empty({1000}, jitc::f4), y = device.empty({1000}, jitc::f4);

  const jitc::Stream streams[] = {jitc::Stream(device), jitc::Stream(device)};
  for (int64_t half = 0; half < 2; ++half) {
    const jitc::Stream& stream = streams[half];
    const jitc::Array part_x = x.slice(0, 500 * half, 500 * half + 500);
    const jitc::Array part_y = y.slice(0, 500 * half, 500 * half + 500);
    part_x.copy_from_host(host_x.as<float>().subspan(500 * half, 500), stream);
    square.launch({.grid = {4}, .block = {128}, .stream = stream}, part_x, part_y);
    part_y.copy_to_host(host_y.as<float>().subspan(500 * half, 500), stream);
  }
  for (const jitc::Stream& stream : streams) stream.synchronize();
  const auto result = host_y.as<float>();
  return is_square({result.begin(), result.end()});
}

bool order_by_event(const jitc::Device& device, const jitc::Function& square) {
  const jitc::Array x = device.to_device(ramp(1000)), y = device.empty({1000}, jitc::f4);
  std::vector<float> result(1000);
  const jitc::Stream first(device), second(device);
  square.launch({.grid = {8}, .block = {128}, .stream = first}, x, y);
  const jitc::Event computed(device, {.timing = false});
  computed.record(first);
  second.wait(computed);  // the host goes on at once
  y.copy_to_host(result, second);
  second.synchronize();
  return is_square(result);
}

bool wrap_memory(const jitc::Device& device, const jitc::Function& square, void* device_pointer,
                 std::shared_ptr<void> owner) {
  const jitc::Array x = device.wrap(device_pointer, {1000}, jitc::f4, {}, owner);  // no copy
  const jitc::Array y = device.empty_like(x);
  square.forall(1000, x, y);
  return is_square(y.to_vector<float>());
}

/// Shown in the manual; it takes a stream and a context of someone else.
[[maybe_unused]] void run_beside_others(const jitc::Function& square, void* cuda_context, void* cuda_stream,
                                        void* x_pointer, void* y_pointer) {
  const jitc::Device device = jitc::Device::of_context(cuda_context);
  const jitc::Stream stream = jitc::Stream::external(device, cuda_stream);
  const jitc::Array x = device.wrap(x_pointer, {1000}, jitc::f4);
  const jitc::Array y = device.wrap(y_pointer, {1000}, jitc::f4);
  square.forall({.count = 1000, .stream = stream}, x, y);  // behind their work, before what they give next
}

bool defer(const jitc::Device& device, const jitc::Function& square) {
  const jitc::Array x = device.to_device(ramp(1000));
  std::vector<float> result;
  {
    const jitc::DeferCleanup quiet(device);  // what arrays free from here is kept
    for (int step = 0; step < 100; ++step) {
      const jitc::Array y = device.empty({1000}, jitc::f4);
      square.forall(1000, x, y);
      if (step == 99) result = y.to_vector<float>();
    }
  }
  const jitc::DeviceStatistics so_far = device.statistics();
  std::cout << so_far.live_bytes << " bytes in arrays, " << so_far.peak_bytes << " at most; " << so_far.launches
            << " launches\n";
  std::cout << device.trim() << " bytes given back\n";
  return is_square(result);
}

bool refuse(const jitc::Device& device) {
  try {
    device.empty({int64_t{1} << 50}, jitc::f4);
  } catch (const jitc::Error& error) {
    if (error.code() != jitc::ErrorCode::memory) throw;
    std::cout << error.what() << '\n';  // how much was wanted, is in use, reserved and free
    return true;
  }
  return false;
}

}  // namespace

int main() {
  show_devices();
  const jitc::Function square = jitc::compile(kText)["square"];
  const jitc::Device device = jitc::Device::open("auto");
  const auto foreign = std::make_shared<jitc::Array>(device.to_device(ramp(1000)));
  const bool ok = overlap(device, square) && order_by_event(device, square) &&
                  wrap_memory(device, square, foreign->data(), foreign) && defer(device, square) && refuse(device);
  std::cout << (ok ? "ok\n" : "wrong\n");
}
