// jitc::compile, from text to numbers.
#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

#include "jitc/jitc.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/libdevice_path.hpp"
#include "tests/support/process_memory.hpp"

using namespace jitc;

namespace {

constexpr const char* kAxpy = R"dsl(
@cuda.jit("void(f4, f4[:], f4[:])")
def axpy(a, x, out):
    i = cuda.grid(1)
    if i < x.shape[0]:
        out[i] += a * x[i]
)dsl";

constexpr const char* kFill = R"dsl(
@cuda.jit("void(f4[:])")
def fill(out):
    i = cuda.grid(1)
    out[i] = 7.0
)dsl";

/// `kAxpy` with another factor in it, so that no two texts are equal.
std::string scaled_axpy(int factor) {
  return "\n@cuda.jit(\"void(f4[:], f4[:])\")\ndef axpy(x, out):\n    i = cuda.grid(1)\n    if i < x.shape[0]:\n"
         "        out[i] = x[i] * " +
         std::to_string(factor) + "\n";
}

CompileError compile_error(const char* text, const CompileOptions& options = {}) {
  try {
    compile(text, options);
  } catch (const CompileError& error) { return error; }
  FAIL("it compiled");
  throw std::logic_error("not reached");
}

}  // namespace

TEST_CASE("text becomes numbers") {
  const Device device = Device::open("cpu");
  const Array x = device.to_device(std::vector<float>{1, 2, 3, 4, 5}), out = device.zeros({5}, f4);
  compile(kAxpy)["axpy"].launch({{1}, {32}}, 2, x, out);
  CHECK(out.to_vector<float>() == std::vector<float>{2, 4, 6, 8, 10});
}

TEST_CASE("a wrong text throws all its diagnostics, as data and as text") {
  const CompileError error =
      compile_error("@cuda.jit(\"void(f4[:])\")\ndef k(x):\n    x[0] = y\n    x[1] = z\n", {.file_name = "wrong.dsl"});
  CHECK(error.code() == ErrorCode::compile);
  REQUIRE(error.diagnostics().size() == 2);
  const DiagnosticMessage& first = error.diagnostics()[0];
  CHECK(first.is_error);
  CHECK_THAT(first.code, Catch::StartsWith("JT"));
  CHECK(first.range.line == 3);
  CHECK(first.range.column == 12);
  CHECK(first.range.end_line == 3);
  CHECK(first.range.end_column == 13);
  CHECK_THAT(first.rendered, Catch::StartsWith("wrong.dsl:3:12: error[" + first.code + "]: " + first.message));
  CHECK(error.what() == first.rendered + error.diagnostics()[1].rendered);
}

TEST_CASE("a signature may be given beside the text") {
  const Program program = compile("@cuda.jit\ndef k(x):\n    x[0] = 1\n", {.entry = "k", .signature = "void(i4[:])"});
  CHECK(program["k"].signatures() == std::vector<std::string>{"void(i4[:])"});
}

TEST_CASE("a checked program names the index that left its array") {
  const Device device = Device::open("cpu");
  const Program program = compile(kFill, {.file_name = "fill.dsl", .check = true});
  CHECK_ERROR(program["fill"].launch({{2}, {8}}, device.zeros({10}, f4)), ErrorCode::kernel,
              "fill.dsl:5:5: index 10 is outside array 'out' (axis 0 has extent 10) in kernel 'fill', thread (2,0,0) "
              "block (1,0,0)");
}

TEST_CASE("sixteen threads compile and launch texts of their own, cold, at once") {
  const Device device = Device::open("cpu");
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&, i] {
      const Array x = device.to_device(std::vector<float>{1, 2, 3}), out = device.zeros({3}, f4);
      const auto factor = static_cast<float>(i);
      compile(scaled_axpy(i))["axpy"].launch({{1}, {32}}, x, out);
      wrong += out.to_vector<float>() != std::vector<float>{factor, 2 * factor, 3 * factor};
      wrong += compile(kAxpy)["axpy"].ptx().empty();
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("the same text gives the same PTX, byte for byte") {
  CHECK(compile(kAxpy)["axpy"].ptx("sm_80") == compile(kAxpy)["axpy"].ptx("sm_80"));
}

TEST_CASE("a math library that there is not, or that cannot be used, is an error before any kernel is compiled") {
  CHECK_ERROR(compile(kAxpy, {.math = "fast"}), ErrorCode::argument,
              "there is no math library 'fast'; libdevice:PATH names a file of a CUDA toolkit");
  CHECK_ERROR(
      compile(kAxpy, {.math = "libdevice:/nowhere/x.bc"}), ErrorCode::io,
      "libdevice /nowhere/x.bc: there is no such file; name the libdevice.10.bc of a CUDA toolkit, in its folder "
      "nvvm/libdevice");
}

TEST_CASE("libdevice makes other PTX, and the same results on the CPU") {
  const std::string path = tests::libdevice_path();
  if (path.empty()) return;
  constexpr const char* kSine =
      "@vectorize(['f4(f4)'])\ndef sine(x):\n    return math.sin(x)\n"
      "@cuda.jit\ndef k(x, out):\n    i = cuda.grid(1)\n    if i < x.size:\n        out[i] = math.sin(x[i])\n";
  const Program ours = compile(kSine), theirs = compile(kSine, {.math = "libdevice:" + path});
  CHECK(ours["sine"].ptx("sm_80") != theirs["sine"].ptx("sm_80"));
  CHECK(theirs["sine"].ptx("sm_80").find("__cudart_i2opi_f") != std::string::npos);
  const Device device = Device::open("cpu");
  const Array x = device.to_device(std::vector<float>{0.5F, 3, 1e10F}), out = device.zeros({3}, f4);
  theirs["k"].forall(3, x, out);
  CHECK(out.to_vector<float>() == ours["sine"](x).to_vector<float>());
}

TEST_CASE("contract is fma=True, and fma=False has the last word wherever it stands") {
  const auto fused = [](const std::string& options) {
    const std::string text = "@cuda.jit('void(f4[:])', " + options + ")\ndef k(x):\n    x[0] = x[1] * x[2] + x[3]\n";
    return compile(text)["k"].ptx().find("fma.rn.f32") != std::string::npos;
  };
  CHECK(fused("fastmath={'contract'}"));
  CHECK(fused("fma=True, fastmath={'contract'}"));
  CHECK(fused("fastmath={'afn'}"));
  CHECK_FALSE(fused("fma=False, fastmath={'contract'}"));
  CHECK_FALSE(fused("fastmath={'contract'}, fma=False"));
  CHECK_FALSE(fused("fma=False, fastmath=True"));
}

TEST_CASE("two thousand compiles leave memory as it was") {
  const Device device = Device::open("cpu");
  const Array x = device.zeros({3}, f4), out = device.zeros({3}, f4);
  const auto compile_many = [&](int count) {
    for (int i = 0; i < count; ++i) compile(scaled_axpy(i))["axpy"].launch({{1}, {32}}, x, out);
  };
  compile_many(100);
  const int mappings_before = tests::executable_mappings();
  const int64_t resident_before = tests::resident_bytes();
  compile_many(2000);
  CHECK(tests::executable_mappings() == mappings_before);
  if (tests::kResidentSizeCounts) CHECK(tests::resident_bytes() - resident_before < (int64_t{8} << 20));
}
