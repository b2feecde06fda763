// The CPU device: memory, copies, launches, failures.
#include "runtime/cpu/cpu_backend.hpp"

#include <xmmintrin.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "runtime/common/buffer.hpp"
#include "runtime/common/layout.hpp"
#include "runtime/cpu/cpu_info.hpp"
#include "runtime/cpu/fp_mode.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/host_backend.hpp"
#include "tests/unit/runtime_cpu/objects.hpp"

using namespace jitc;
using runtime::cpu::make_cpu_backend;

namespace {

std::span<const std::byte> bytes_of(const auto& params) { return std::as_bytes(std::span(&params, 1)); }

/// Sets JITC_CPU_THREADS for its lifetime.
class ThreadsVariable {
 public:
  explicit ThreadsVariable(const char* value) { setenv("JITC_CPU_THREADS", value, 1); }
  ~ThreadsVariable() { unsetenv("JITC_CPU_THREADS"); }
};

Array iota(const std::shared_ptr<runtime::Backend>& backend, const std::vector<int64_t>& shape) {
  const Array out = tests::HostBackend::array(backend, shape, i4);
  std::vector<int32_t> values(static_cast<size_t>(out.size()));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int32_t>(i);
  out.copy_from_host(std::span<const int32_t>(values));
  return out;
}

}  // namespace

TEST_CASE("memory is aligned to 64 bytes, and nothing is a legal amount") {
  const auto backend = make_cpu_backend(1);
  for (size_t size_bytes : {1, 3, 64, 1000, 100000}) {
    const runtime::Buffer buffer(backend, size_bytes, backend->default_queue());
    CHECK(reinterpret_cast<uintptr_t>(buffer.data()) % 64 == 0);
    std::memset(buffer.data(), 1, size_bytes);
  }
  CHECK(runtime::Buffer(backend, 0, backend->default_queue()).data() == nullptr);
}

TEST_CASE("memory that does not exist is refused with its size") {
  const auto backend = make_cpu_backend(1);
  CHECK_ERROR(runtime::Buffer(backend, size_t{1} << 62, backend->default_queue()), ErrorCode::memory,
              "cannot allocate 4611686018427387904 bytes on cpu");
}

TEST_CASE("strided views are read in C order") {
  const Array view = iota(make_cpu_backend(1), {4, 6}).transpose().slice(0, 5, -7, -2).slice(1, 1, 4);
  CHECK(view.shape() == std::vector<int64_t>{3, 3});
  CHECK(view.to_vector<int32_t>() == std::vector<int32_t>{11, 17, 23, 9, 15, 21, 7, 13, 19});
}

TEST_CASE("strided views are written in C order, and nothing else is") {
  const Array whole = iota(make_cpu_backend(1), {3, 4});
  const std::vector<int32_t> values{-1, -2, -3, -4};
  whole.slice(0, 2, -4, -2).slice(1, 1, 4, 2).copy_from_host(std::span<const int32_t>(values));
  CHECK(whole.to_vector<int32_t>() == std::vector<int32_t>{0, -3, 2, -4, 4, 5, 6, 7, 8, -1, 10, -2});
}

TEST_CASE("strided copies move elements of every size") {
  const auto backend = make_cpu_backend(1);
  for (DType dtype : {i1, i2, i4, i8}) {
    const size_t elem_bytes = size_bytes(dtype);
    std::vector<unsigned char> bytes(6 * elem_bytes);
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i);
    const Array array = tests::HostBackend::array(backend, {3, 2}, dtype);
    array.copy_from_host(bytes.data(), bytes.size());
    std::vector<unsigned char> transposed(bytes.size());
    array.transpose().copy_to_host(transposed.data(), transposed.size());
    for (size_t i = 0; i < 6; ++i) {
      const size_t source = (i % 3) * 2 + i / 3;
      CHECK(std::memcmp(&transposed[i * elem_bytes], &bytes[source * elem_bytes], elem_bytes) == 0);
    }
  }
}

TEST_CASE("a launch computes every block of every grid shape exactly once") {
  const auto backend = make_cpu_backend(4);
  const auto kernel = backend->load(tests::object_artifact("count_blocks"));
  for (const Dim3 grid : {Dim3{1}, Dim3{1000}, Dim3{7, 5, 3}, Dim3{1, 200, 300}}) {
    std::vector<uint32_t> counts(size_t{grid.x} * grid.y * grid.z);
    const void* params = counts.data();
    backend->launch(*kernel, {grid, {32}}, bytes_of(params), *backend->default_queue());
    CHECK(counts == std::vector<uint32_t>(counts.size(), 1));
  }
}

TEST_CASE("axpy gives the numbers of the same loop") {
  const auto backend = make_cpu_backend(3);
  const auto kernel = backend->load(tests::object_artifact("axpy"));
  constexpr int64_t kCount = 1 << 20;
  std::vector<float> x(kCount), out(kCount, 1.0f);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 1000);
  struct {
    float a = 2.0f;
    int64_t n = kCount;
    const float* x;
    float* out;
  } params{.x = x.data(), .out = out.data()};
  backend->launch(*kernel, {{kCount / 256 + 1}, {256}}, bytes_of(params), *backend->default_queue());
  size_t wrong = 0;
  for (size_t i = 0; i < out.size(); ++i) wrong += out[i] != 1.0f + 2.0f * x[i];
  CHECK(wrong == 0);
}

TEST_CASE("eight host threads launch at once, each with its own numbers") {
  const auto backend = make_cpu_backend(4);
  const auto kernel = backend->load(tests::object_artifact("count_blocks"));
  std::atomic<int> wrong{0};
  std::vector<std::thread> hosts;
  for (uint32_t host = 0; host < 8; ++host) {
    hosts.emplace_back([&, host] {
      for (uint32_t round = 1; round <= 50; ++round) {
        std::vector<uint32_t> counts(100 * host + round * 1000);
        const void* params = counts.data();
        backend->launch(*kernel, {{static_cast<uint32_t>(counts.size())}, {1}}, bytes_of(params),
                        *backend->default_queue());
        if (counts != std::vector<uint32_t>(counts.size(), 1)) ++wrong;
      }
    });
  }
  for (std::thread& host : hosts) host.join();
  CHECK(wrong == 0);
}

TEST_CASE("kernels round to nearest and keep subnormals, on every thread, whatever the caller's mode") {
  const auto backend = make_cpu_backend(4);
  const auto kernel = backend->load(tests::object_artifact("record_mode"));
  constexpr unsigned kFlushUpward = 0x1F80 | 0x8040 | 0x4000;  // FTZ, DAZ, round up
  const unsigned own_mode = _mm_getcsr();
  _mm_setcsr(kFlushUpward);
  std::vector<uint32_t> modes(100000);
  const void* params = modes.data();
  backend->launch(*kernel, {{static_cast<uint32_t>(modes.size())}, {1}}, bytes_of(params), *backend->default_queue());
  const unsigned mode_after = _mm_getcsr();
  _mm_setcsr(own_mode);
  CHECK(mode_after == kFlushUpward);
  constexpr uint32_t kStickyFlags = 0x3F;
  size_t wrong = 0;
  for (uint32_t mode : modes) wrong += (mode & ~kStickyFlags) != runtime::cpu::kKernelFpMode;
  CHECK(wrong == 0);
}

TEST_CASE("a checked kernel's failure becomes an error that names the place") {
  const auto backend = make_cpu_backend(2);
  Artifact artifact = tests::object_artifact("fail_in_block_5");
  artifact.fail_sites = {{FailKind::index, "x", 7, 5, 0}};
  const auto kernel = backend->load(artifact);
  CHECK_ERROR(backend->launch(*kernel, {{8}, {32}}, {}, *backend->default_queue()), ErrorCode::kernel,
              "case.dsl:7:5: index 12 is outside array 'x' (axis 0 has extent 10) in kernel 'fail_in_block_5', thread "
              "(3,0,0) block (5,0,0)");
  CHECK_NOTHROW(backend->launch(*kernel, {{5}, {32}}, {}, *backend->default_queue()));
}

TEST_CASE("only kernels that can fail get a record") {
  const auto backend = make_cpu_backend(1);
  Artifact artifact = tests::object_artifact("has_record");
  uint64_t has_record = 7;
  const void* params = &has_record;
  backend->launch(*backend->load(artifact), {}, bytes_of(params), *backend->default_queue());
  CHECK(has_record == 0);
  artifact.fail_sites = {{FailKind::zero_division, "", 1, 1}};
  backend->launch(*backend->load(artifact), {}, bytes_of(params), *backend->default_queue());
  CHECK(has_record == 1);
}

TEST_CASE("an artifact for another device is refused") {
  Artifact artifact;
  artifact.name = "k";
  artifact.target = "sm_80";
  CHECK_ERROR(make_cpu_backend(1)->load(artifact), ErrorCode::target,
              "kernel 'k' was compiled for sm_80, not for the CPU");
}

TEST_CASE("JITC_CPU_THREADS sets the number of threads, and only a number does") {
  {
    const ThreadsVariable variable("3");
    CHECK(runtime::cpu::launch_thread_count() == 3);
  }
  for (const char* bad : {"", "0", "-1", "1025", "2x", " 2", "99999999999999999999"}) {
    const ThreadsVariable variable(bad);
    CHECK_ERROR(runtime::cpu::launch_thread_count(), ErrorCode::device,
                "JITC_CPU_THREADS is '" + std::string(bad) + "', it must be a number from 1 to 1024");
  }
  CHECK(runtime::cpu::launch_thread_count() >= 1);
}

TEST_CASE("the description names the processor, its vector unit and the threads") {
  CHECK_THAT(make_cpu_backend(1)->description(), Catch::EndsWith(", 1 thread"));
  CHECK_THAT(make_cpu_backend(5)->description(), Catch::Matches(".+, (AVX-512|AVX2|AVX|SSE2|NEON), 5 threads"));
}
