// A user of the installed library: compiles axpy, runs it, checks the numbers; and catches what it throws.
#include <jitc/jitc.hpp>

#include <cstdio>
#include <vector>

/// x and y on a stream, y as host memory as it lies.
static bool run_on_stream(const jitc::Device& device, const jitc::Function& axpy, std::vector<float> host) {
  const std::vector<float> before = host;
  const jitc::Stream stream(device);
  const jitc::Event begin(device), end(device);
  const jitc::Array x = device.to_device(jitc::HostView(host), stream);
  begin.record(stream);
  axpy.launch({.grid = {8}, .block = {128}, .stream = stream}, 1, x, jitc::in_out(host));
  end.record(stream);
  stream.synchronize();
  for (size_t i = 0; i < host.size(); ++i) {
    if (host[i] != 2 * before[i]) return false;
  }
  return begin.elapsed_ms(end) >= 0 && device.statistics().launches != 0;
}

int main() {
  const jitc::Program program = jitc::compile(R"dsl(
@cuda.jit("void(f4, f4[:], f4[:])")
def axpy(a, x, y):
    i = cuda.grid(1)
    if i < x.shape[0]:
        y[i] += a * x[i]
)dsl");
  const jitc::Device device = jitc::Device::open("cpu");
  std::vector<float> host(1000);
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i);
  const jitc::Array x = device.to_device(host), y = device.to_device(host);
  program["axpy"].launch({.grid = {8}, .block = {128}}, 2, x, y);

  const std::vector<float> result = y.to_vector<float>();
  for (size_t i = 0; i < result.size(); ++i) {
    if (result[i] != 3 * host[i]) {
      std::printf("y[%zu] is %g\n", i, static_cast<double>(result[i]));
      return 1;
    }
  }
  if (!run_on_stream(device, program["axpy"], host)) {
    std::printf("the stream gave something else\n");
    return 1;
  }
  try {
    jitc::compile("@cuda.jit(\"void(f4[:])\")\ndef k(x):\n    x[0] = y\n");
    return 1;
  } catch (const jitc::CompileError& error) {
    if (error.diagnostics().size() != 1) return 1;
  }
  std::printf("axpy ran on %s\n", device.name().c_str());
}
