// Devices and launches of the public API over the fake CUDA driver, which this process takes for its own.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "jitc/jitc.hpp"
#include "tests/fakes/fake_driver.hpp"
#include "tests/support/error_text.hpp"

using namespace jitc;
using namespace jitc::tests;
using Catch::Contains;

namespace {

/// The pose and the library of the whole process, which opens each device once.
FakeDriver& fake() {
  static FakeDriver* const driver = [] {
    setenv("JITC_CUDA_DRIVER", JITC_FAKE_CUDA, 1);
    auto* made = new FakeDriver(JITC_FAKE_CUDA);
    FakePose pose;
    pose.devices = {
        {.name = "NVIDIA A100", .sm = 80}, {.name = "Tesla K40m", .sm = 35}, {.name = "NVIDIA T4", .sm = 75}};
    (*made)->pose(pose);
    return made;
  }();
  return *driver;
}
const bool is_ready = (fake(), true);

constexpr const char* kSource = R"dsl(
@cuda.jit("void(f4, f4[:], f4[:])")
def axpy(a, x, y):
    i = cuda.grid(1)
    if i < x.shape[0]:
        y[i] = a * x[i] + y[i]
)dsl";

/// The value of a parameter of the kernel that was launched.
template <class T>
T param(const FakeLaunch& launch, const Artifact& artifact, uint32_t argument, ParamSlot::Part part) {
  for (const ParamSlot& slot : artifact.params) {
    if (slot.argument != argument || slot.part != part) continue;
    T value;
    std::memcpy(&value, launch.params.data() + slot.offset_bytes, sizeof value);
    return value;
  }
  throw std::logic_error("the kernel has no such parameter");
}

/// What axpy does for contiguous arrays.
FakeKernel axpy_of(const Artifact& artifact) {
  return [&artifact](const FakeLaunch& launch) {
    const auto a = param<float>(launch, artifact, 0, ParamSlot::Part::scalar);
    const auto* x = param<const float*>(launch, artifact, 1, ParamSlot::Part::data);
    auto* y = param<float*>(launch, artifact, 2, ParamSlot::Part::data);
    const auto n = param<int64_t>(launch, artifact, 1, ParamSlot::Part::extent);
    for (int64_t i = 0; i < n; ++i) y[i] += a * x[i];
    return 0;
  };
}

const Artifact& contiguous(const Function& function) {
  return function.artifact({.name = "sm_80", .contiguous = true});
}

using Floats = std::vector<float>;

}  // namespace

TEST_CASE("auto is the first CUDA device and says so") {
  REQUIRE(is_ready);
  const Device device = Device::open("auto");
  CHECK(device.name() == "cuda:0");
  CHECK(device.why() == "cuda:0, the first CUDA device (NVIDIA A100, sm_80, 16 multiprocessors, 8.0 GiB)");
  CHECK_FALSE(device.is_host());
  CHECK(device == Device::open("cuda:0"));
  CHECK(device == Device::open("cuda"));
  CHECK(Device::open("cuda:0").why() == "cuda:0, as asked");
}

TEST_CASE("devices that there are not are refused with those that there are") {
  CHECK_ERROR(Device::open("cuda:7"), ErrorCode::device,
              "there is no device 'cuda:7': the CUDA driver has 3 devices, 'cuda:0', 'cuda:1' and 'cuda:2'");
  const std::string choices = "; 'auto', 'cpu', 'cuda:0', 'cuda:1' and 'cuda:2' can be opened";
  for (const char* name : {"gpu", "", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "CUDA:0"}) {
    CHECK_ERROR(Device::open(name), ErrorCode::device, "there is no device '" + std::string(name) + "'" + choices);
  }
}

TEST_CASE("a device that jitc cannot use is refused with its name") {
  CHECK_ERROR(Device::open("cuda:1"), ErrorCode::device,
              "cuda:1 (Tesla K40m) is an sm_35 device, and jitc needs sm_50 or newer");
}

TEST_CASE("the list has all devices, those that cannot be used among them, and opens none") {
  const uint64_t retained = fake()->count("cuDevicePrimaryCtxRetain");
  const std::vector<DeviceInfo> all = Device::list();
  REQUIRE(all.size() == 4);
  CHECK(all[0].name == "cuda:0");
  CHECK(all[0].target == "sm_80");
  CHECK(all[0].total_memory == size_t{8} << 30);
  CHECK(all[0].problem.empty());
  CHECK(all[1].problem == "cuda:1 (Tesla K40m) is an sm_35 device, and jitc needs sm_50 or newer");
  CHECK(all[2].description == "NVIDIA T4, sm_75, 16 multiprocessors, 8.0 GiB");
  CHECK(all[3].name == "cpu");
  CHECK(all[3].target == "cpu");
  CHECK(fake()->count("cuDevicePrimaryCtxRetain") == retained);
}

TEST_CASE("the driver tells its library, its version and the PTX that it takes") {
  const DriverInfo driver = Device::cuda_driver();
  CHECK(driver.library == JITC_FAKE_CUDA);
  CHECK(driver.version == 12080);
  CHECK(driver.ptx_isa == 87);
  CHECK(driver.problem.empty());
}

TEST_CASE("a device is found by its primary context") {
  const Device device = Device::open("cuda:2");
  const Stream stream(device);
  runtime::cuda::CUcontext context = nullptr;
  void* library = dlopen(JITC_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);
  auto* retain = reinterpret_cast<int (*)(runtime::cuda::CUcontext*, int)>(dlsym(library, "cuDevicePrimaryCtxRetain"));
  REQUIRE(retain(&context, 2) == 0);
  CHECK(Device::of_context(context) == device);
  CHECK(Device::of_context(context).why() == "cuda:2, the device of a context");
  CHECK(fake()->context_depth() == 0);
  CHECK_ERROR(Device::of_context(nullptr), ErrorCode::argument, "a null context is of no device");
  int nothing = 0;
  CHECK_ERROR(Device::of_context(&nothing), ErrorCode::device,
              "entering a context of someone else: cuCtxPushCurrent_v2 returned CUDA_ERROR_INVALID_CONTEXT (201): "
              "invalid device context");
}

TEST_CASE("a kernel is compiled for the device, loaded and launched") {
  const Program program = compile(kSource, {.file_name = "axpy.dsl"});
  const Function axpy = program["axpy"];
  fake()->set_kernel(axpy_of(contiguous(axpy)));
  const Device device = Device::open("cuda:0");
  const Array x = device.to_device(Floats{1, 2, 3}), y = device.to_device(Floats{10, 20, 30});
  axpy.launch({{1}, {32}}, 2.0f, x, y);
  CHECK(y.to_vector<float>() == Floats{12, 24, 36});
  CHECK(axpy.resources(device).registers_per_thread == 32);
}

TEST_CASE("host memory is copied to the device and back, and counted") {
  const Program program = compile(kSource);
  const Function axpy = program["axpy"];
  fake()->set_kernel(axpy_of(contiguous(axpy)));
  const Device device = Device::open("auto");
  const DeviceStatistics before = device.statistics();
  const Floats x{1, 2, 3};
  Floats y{10, 20, 30};
  axpy.launch({{1}, {32}}, 2.0f, x, y);
  CHECK(y == Floats{12, 24, 36});
  const DeviceStatistics after = device.statistics();
  CHECK(after.implicit_copies_in == before.implicit_copies_in + 2);
  CHECK(after.implicit_copies_out == before.implicit_copies_out + 1);
  CHECK(after.live_bytes == before.live_bytes);
}

TEST_CASE("host memory is as contiguous as it lies, though the device's copy is packed") {
  const Program program = compile(R"dsl(
@cuda.jit("void(f4[::1])")
def packed(x):
    x[0] = 1
)dsl");
  std::vector<float> x(8);
  CHECK_ERROR(program["packed"].launch({.stream = Stream(Device::open("cuda:0"))}, HostView(x.data(), f4, {4}, {8})),
              ErrorCode::argument,
              "kernel 'packed': argument 1 'x' is declared f4[::1] and must be C-contiguous, but it has shape (4,) and "
              "strides (8,); pass a contiguous copy or declare it f4[:]");
}

TEST_CASE("a ufunc whose registers leave room for few threads has smaller blocks") {
  const Function square = compile(R"dsl(
@vectorize(["f4(f4)"])
def square(x):
    return x * x
)dsl")["square"];
  const Device device = Device::open("cuda:0");
  // The kernel for groups of four elements has one more argument than the plain one.
  const std::string symbol = square.artifact({.name = "sm_80"}).symbol + "_i8";
  fake()->set_kernel([](const FakeLaunch&) { return 0; });
  fake()->set_function_attribute(symbol, runtime::cuda::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 96);
  square(device.zeros({1000}, f4));
  const FakeLaunch launch = fake()->launches().back();
  CHECK(launch.block[0] == 96);
  CHECK(launch.grid[0] == 3);
}

TEST_CASE("a launch of as many threads as elements has the driver's best block") {
  const Program program = compile(kSource);
  const Function axpy = program["axpy"];
  fake()->set_kernel(nullptr);
  const Device device = Device::open("cuda:0");
  const Array x = device.zeros({1000}, f4), y = device.zeros({1000}, f4);
  const uint64_t asked = fake()->count("cuOccupancyMaxPotentialBlockSize");
  axpy.forall(1000, 2.0f, x, y);
  axpy.forall(1000, 2.0f, x, y);
  CHECK(fake()->count("cuOccupancyMaxPotentialBlockSize") == asked + 1);
  const FakeLaunch launch = fake()->launches().back();
  CHECK(launch.grid[0] * launch.block[0] >= 1000);
}

TEST_CASE("a prepared launch runs on its stream and on others") {
  const Program program = compile(kSource);
  const Function axpy = program["axpy"];
  fake()->set_kernel(axpy_of(contiguous(axpy)));
  const Device device = Device::open("cuda:0");
  const Stream stream(device), other(device, {.non_blocking = true});
  const Array x = device.to_device(Floats{1, 2, 3}, {3}), y = device.to_device(Floats{0, 0, 0}, {3});
  const PreparedLaunch prepared = axpy.prepare({.grid = {1}, .block = {32}, .stream = stream}, 2.0f, x, y);
  prepared.run();
  stream.synchronize();
  prepared.run(other);
  CHECK(y.to_vector<float>(other) == Floats{4, 8, 12});
}

TEST_CASE("checked kernels and kernels that wait for their grid load as they are compiled") {
  fake()->set_kernel(nullptr);
  const Program program = compile(R"dsl(
@cuda.jit("void(f4[:])", check=True)
def checked(x):
    x[cuda.grid(1)] = 1.0

@cuda.jit("void(f4[:])")
def together(x):
    i = cuda.grid(1)
    x[i] = 1.0
    cuda.cg.this_grid().sync()
    x[i] += 1.0
)dsl");
  const Device device = Device::open("cuda:0");
  const Stream stream(device);
  const Array x = device.zeros({64}, f4, stream);
  program["checked"].launch({.grid = {2}, .block = {32}, .stream = stream}, x);
  program["together"].launch({.grid = {2}, .block = {32}, .stream = stream}, x);
  stream.synchronize();
  CHECK(fake()->launches().back().is_cooperative);
  CHECK_ERROR(program["together"].launch({{1000}, {1024}}, x), ErrorCode::launch,
              "kernel 'together' of <string> waits for its whole grid, so that all blocks must run at once: 1000 were "
              "asked for, and cuda:0 runs at most 32 of 1024 threads (2 on each of 16 multiprocessors); use fewer or "
              "smaller blocks");
}

TEST_CASE("a kernel with more parameters than a launch takes finds them in memory") {
  std::string names, types, body;
  for (int i = 0; i < 200; ++i) {
    names += fmt::format("{}x{}", i == 0 ? "" : ", ", i);
    types += fmt::format("{}f4[:,:,:]", i == 0 ? "" : ", ");
    body += fmt::format("    x{}[i, i, i] = 1.0\n", i);
  }
  const Program program =
      compile(fmt::format("@cuda.jit(\"void({})\")\ndef many({}):\n    i = cuda.grid(1)\n{}", types, names, body));
  const Artifact& artifact = program["many"].artifact({.name = "sm_80"});
  REQUIRE(artifact.params_in_memory);
  const Device device = Device::open("cuda:0");
  const Array x = device.zeros({4, 4, 4}, f4);
  const Array turned = x.transpose();
  std::vector<const float*> seen;
  fake()->set_kernel([&](const FakeLaunch& launch) {
    const std::byte* block = nullptr;
    std::memcpy(&block, launch.params.data(), sizeof block);
    FakeLaunch inner = launch;
    inner.params.assign(block, block + artifact.params_size_bytes);
    for (uint32_t i = 0; i < 200; ++i) seen.push_back(param<const float*>(inner, artifact, i, ParamSlot::Part::data));
    return 0;
  });
  program["many"].launch_list({{1}, {4}}, std::vector<Argument>(200, turned));
  CHECK(seen == std::vector<const float*>(200, reinterpret_cast<const float*>(x.data())));
}

TEST_CASE("arrays go from one device to another by way of the host") {
  const Device first = Device::open("cuda:0"), second = Device::open("cuda:2"), cpu = Device::open("cpu");
  const Array x = first.to_device(Floats{1, 2, 3});
  const Array y = second.empty({3}, f4), z = cpu.empty({3}, f4);
  y.copy_from(x);
  z.copy_from(y);
  CHECK(z.to_vector<float>() == Floats{1, 2, 3});
}

TEST_CASE("streams and events of a device work through their handles") {
  const Device device = Device::open("cuda:0");
  const Stream stream(device, {.non_blocking = true, .priority = -1});
  const Event begin(device), end(device);
  begin.record(stream);
  const Array x = device.to_device(Floats{1, 2, 3}, stream);
  end.record(stream);
  end.synchronize();
  CHECK(begin.elapsed_ms(end) >= 0);
  CHECK(stream.native_handle() != nullptr);
  CHECK(Stream::external(device, stream.native_handle()).native_handle() == stream.native_handle());
  const Stream other(Device::open("cuda:2"));
  other.wait(end);
  Floats host(3);
  CHECK_ERROR(x.copy_to_host(host, other), ErrorCode::argument,
              "an array of device cuda:0 cannot be used on a stream of device cuda:2");
}

TEST_CASE("eight threads compile, allocate, launch and free at once") {
  fake()->set_kernel(nullptr);
  const Device device = Device::open("cuda:0");
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      const Program program = compile(kSource);
      const Stream stream(device);
      for (int i = 0; i < 20; ++i) {
        const Array x = device.zeros({64}, f4, stream), y = device.zeros({64}, f4, stream);
        program["axpy"].launch({.grid = {1}, .block = {64}, .stream = stream}, 1.0f, x, y);
      }
      stream.synchronize();
    });
  }
  for (std::thread& thread : threads) thread.join();
  device.synchronize();
  CHECK(fake()->misuses() == std::vector<std::string>{});
}
