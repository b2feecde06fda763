// Programs, functions and launches, from kernel IR to numbers.
#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

#include "jitc/jitc.hpp"
#include "src/engine/engine.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/host_backend.hpp"
#include "tests/unit/engine/hand_made_module.hpp"

using namespace jitc;
using Catch::Contains;
using tests::hand_made_module;

namespace {

Program make() { return engine::make_program(hand_made_module()); }

const LaunchConfig kEight{{1}, {8}};

std::vector<float> ramp(size_t count) {
  std::vector<float> out(count);
  for (size_t i = 0; i < count; ++i) out[i] = static_cast<float>(i);
  return out;
}

}  // namespace

TEST_CASE("a program lists its kernels and refuses others by name") {
  const Program program = make();
  CHECK(program.kernels() == std::vector<std::string>{"scale", "scale_c", "scale_64", "scale_checked"});
  CHECK(program.warnings().empty());
  CHECK_ERROR(program["scael"], ErrorCode::argument,
              "there is no kernel 'scael'; the text has scale, scale_c, scale_64, scale_checked");
}

TEST_CASE("a function tells its signatures and arguments") {
  const Function scale = make()["scale"];  // outlives its program's handle
  CHECK(scale.name() == "scale");
  CHECK(scale.signatures() == std::vector<std::string>{"void(f4, f4[n], f4[n])", "void(f8, f8[n], f8[n])"});
  const std::vector<ArgumentInfo> arguments = scale.arguments(1);
  REQUIRE(arguments.size() == 3);
  CHECK(arguments[2].name == "out");
  CHECK(arguments[2].dtype == f8);
  CHECK(arguments[2].written);
  CHECK_ERROR(scale.arguments(2), ErrorCode::argument,
              "kernel 'scale' has 2 signatures, there is no number 2 (they count from 0)");
}

TEST_CASE("a launch runs the signature of its arrays") {
  const Device device = Device::open("cpu");
  const Function scale = make()["scale"];
  const Array x = device.to_device(ramp(8)), out = device.zeros({8}, f4);
  scale.launch(kEight, 2.5f, x, out);
  CHECK(out.to_vector<float>() == std::vector<float>{0, 2.5, 5, 7.5, 10, 12.5, 15, 17.5});
  const Array x8 = device.to_device(std::vector<double>{1, 2, 3}), out8 = device.zeros({3}, f8);
  scale.launch(kEight, 0.1, x8, out8);
  CHECK(out8.to_vector<double>() == std::vector<double>{0.1 * 1, 0.1 * 2, 0.1 * 3});
}

TEST_CASE("scalars convert when nothing is lost") {
  const Device device = Device::open();
  const Function scale = make()["scale"];
  const Array x = device.to_device(ramp(3)), out = device.zeros({3}, f4);
  scale.launch(kEight, 3, x, out);
  CHECK(out.to_vector<float>() == std::vector<float>{0, 3, 6});
  CHECK_ERROR(scale.launch(kEight, 0.1, x, out), ErrorCode::argument,
              "no signature of kernel 'scale' takes (f8, f4[:], f4[:])\n"
              "  void(f4, f4[n], f4[n]): argument 1 'a' is f8 0.1, which does not convert to f4 without loss\n"
              "  void(f8, f8[n], f8[n]): argument 2 'x' is f4[:], the signature wants f8[:]");
}

TEST_CASE("the contiguous program runs when all arrays allow it, the strided one else") {
  const Device device = Device::open();
  const Function scale = make()["scale"];
  const Array x = device.to_device(ramp(16)), out = device.zeros({8}, f4);
  CHECK(engine::launch(scale, kEight, {2.0f, x.slice(0, 0, 8), out}).contiguous);
  const Array backwards = x.slice(0, 15, -17, -2);
  CHECK_FALSE(engine::launch(scale, kEight, {2.0f, backwards, out}).contiguous);
  CHECK(out.to_vector<float>() == std::vector<float>{30, 26, 22, 18, 14, 10, 6, 2});
}

TEST_CASE("a variant is compiled at its first launch and kept") {
  const Device device = Device::open();
  const Function scale = make()["scale"];
  const Array x = device.to_device(ramp(8)), out = device.zeros({8}, f4);
  const engine::LaunchReport first = engine::launch(scale, kEight, {2.0f, x, out});
  CHECK(first.compiled);
  CHECK(first.compile_ms > 0);
  CHECK(first.worker_threads >= 1);
  CHECK_FALSE(engine::launch(scale, kEight, {3.0f, x, out}).compiled);
  const Array half = x.slice(0, 0, 8, 2), half_out = device.zeros({4}, f4);
  CHECK(engine::launch(scale, kEight, {2.0f, half, half_out}).compiled);
}

TEST_CASE("events stand on both sides of a launch, after what it took to compile") {
  const Device device = Device::open("cpu");
  const Function scale = make()["scale"];
  const Array x = device.to_device(ramp(8)), out = device.zeros({8}, f4);
  const Stream stream(device);
  const engine::LaunchEvents events(device);
  const Event before(device);
  before.record(stream);
  const auto report = engine::launch(scale, {{1}, {8}, 0, stream}, {2.5f, x, out}, &events);
  stream.synchronize();
  REQUIRE(report.compiled);
  CHECK(before.elapsed_ms(events.begin) >= report.compile_ms);
  CHECK(events.begin.elapsed_ms(events.end) >= 0);
}

TEST_CASE("arrays without elements launch") {
  const Device device = Device::open();
  const Array x = device.zeros({0}, f4), out = device.zeros({0}, f4);
  CHECK_NOTHROW(make()["scale"].launch(kEight, 2.0f, x, out));
}

TEST_CASE("arguments are refused before anything runs") {
  const Device device = Device::open();
  const Program program = make();
  const Array x = device.to_device(ramp(8)), out = device.zeros({8}, f4);
  CHECK_ERROR(program["scale"].launch(kEight, 2.0f, x), ErrorCode::argument,
              "kernel 'scale' takes 3 arguments, 2 were given: 'out' is missing; its signatures are\n"
              "  void(f4, f4[n], f4[n])\n  void(f8, f8[n], f8[n])");
  CHECK_ERROR(program["scale"].launch(kEight, 2.0f, Array(), out), ErrorCode::argument,
              "kernel 'scale': argument 2 'x' is an array that was never allocated on a device");
  CHECK_ERROR(program["scale"].launch(kEight, 2.0f, x.slice(0, 0, 7), out), ErrorCode::argument,
              "kernel 'scale': n is 7 in x (axis 0) but 8 in out (axis 0)");
  CHECK_ERROR(
      program["scale_c"].launch(kEight, 2.0f, x.slice(0, 0, 8, 2), out), ErrorCode::argument,
      "kernel 'scale_c': argument 2 'x' is declared f4[::1] and must be C-contiguous, but it has shape (4,) and "
      "strides (8,); pass a contiguous copy or declare it f4[:]");
}

TEST_CASE("all arrays of a launch lie on one device") {
  const Array x = Device::open().to_device(ramp(8));
  const Array elsewhere = tests::HostBackend::array(std::make_shared<tests::HostBackend>("other"), {8}, f4);
  CHECK_ERROR(make()["scale"].launch(kEight, 2.0f, x, elsewhere), ErrorCode::argument,
              "kernel 'scale': argument 2 'x' lies on device cpu but argument 3 'out' on device other; all arrays of a "
              "launch must be on one");
}

TEST_CASE("launch shapes are validated against CUDA's limits and the kernel's own") {
  const Device device = Device::open();
  const Program program = make();
  const Array x = device.to_device(ramp(8)), out = device.zeros({8}, f4);
  CHECK_ERROR(program["scale"].launch({{1}, {2048}}, 2.0f, x, out), ErrorCode::launch,
              "invalid configuration of kernel 'scale': block.x is 2048, it must be from 1 to 1024");
  CHECK_ERROR(program["scale"].launch({{0}, {8}}, 2.0f, x, out), ErrorCode::launch,
              "invalid configuration of kernel 'scale': grid.x is 0, it must be from 1 to 2147483647");
  CHECK_ERROR(program["scale_64"].launch({{1}, {65}}, 2.0f, x, out), ErrorCode::launch,
              "invalid configuration of kernel 'scale_64': a block of (65, 1, 1) has 65 threads, the kernel's launch "
              "bounds allow 64");
}

TEST_CASE("a checked kernel that leaves an array throws, and works again afterwards") {
  const Device device = Device::open();
  const Function checked = make()["scale_checked"];
  const Array x = device.to_device(ramp(13)), out = device.zeros({12}, f4);
  CHECK_ERROR(checked.launch({{4}, {4}}, 2.0f, x, out), ErrorCode::kernel,
              "hand.dsl:3:5: index 12 is outside array 'out' (axis 0 has extent 12) in kernel 'scale_checked', thread "
              "(0,0,0) block (3,0,0)");
  CHECK_NOTHROW(checked.launch({{4}, {4}}, 2.0f, x.slice(0, 0, 12), out));
}

TEST_CASE("PTX and artifacts come without a launch") {
  const Function scale = make()["scale"];
  CHECK_THAT(scale.ptx("sm_80"), Contains(".target sm_80"));
  CHECK_THAT(scale.ptx("sm_75", 1), Contains("mul.rn.f64"));
  CHECK(&scale.artifact({.name = "sm_80"}) == &scale.artifact({.name = "compute_80"}));
  CHECK(scale.artifact({.name = "sm_80"}).file == "hand.dsl");
  CHECK(scale.artifact({.name = "cpu"}).kind == Artifact::Kind::cpu_object);
  const size_t strided_params = scale.artifact({.name = "sm_80"}).params.size();
  CHECK(scale.artifact({.name = "sm_80", .contiguous = true}).params.size() < strided_params);
  CHECK_ERROR(scale.ptx("cpu"), ErrorCode::target, "target 'cpu' has no PTX");
  CHECK(tests::error_of([&] { scale.ptx("sm_1"); }).code == ErrorCode::target);
  CHECK(tests::error_of([&] { scale.ptx("sm_80", 2); }).code == ErrorCode::argument);
}

TEST_CASE("a bug of the compiler is told as one, and the program stays usable") {
  auto module = std::make_shared<pipeline::Module>(*hand_made_module());
  module->kernels[0].variants[0].strided.body.push_back(kernel::StmtId(12345));
  const Function scale = engine::make_program(module)["scale"];
  for (int attempt = 0; attempt < 2; ++attempt) {
    const auto thrown = tests::error_of([&] { scale.ptx(); });
    CHECK(thrown.code == ErrorCode::internal);
    CHECK_THAT(thrown.text, Catch::StartsWith("this is a bug in jitc, not in your program: "));
  }
  CHECK_THAT(scale.ptx("sm_75", 1), Contains("mul.rn.f64"));
}

TEST_CASE("the CPU is opened by name") {
  CHECK(Device::open("cpu").name() == "cpu");
  CHECK(Device::open("cpu").backend() == Device::open("cpu").backend());
  CHECK(Device::open("cpu").why() == "cpu, as asked");
}

TEST_CASE("sixteen threads launch one cold kernel at once") {
  const Device device = Device::open();
  const Function scale = make()["scale"];
  std::atomic<int> compiled{0}, wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&, i] {
      const Array x = device.to_device(ramp(1000)), out = device.zeros({1000}, f4);
      compiled += engine::launch(scale, {{8}, {128}}, {i, x, out}).compiled;
      const std::vector<float> result = out.to_vector<float>();
      for (size_t k = 0; k < result.size(); ++k) wrong += result[k] != static_cast<float>(i) * static_cast<float>(k);
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(compiled == 1);
  CHECK(wrong == 0);
}
