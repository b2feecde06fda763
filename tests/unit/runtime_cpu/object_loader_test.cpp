// Loading of machine code: what it may refer to, what is refused, and that nothing stays behind.
#include "runtime/cpu/object_loader.hpp"

#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "tests/support/error_text.hpp"
#include "tests/support/process_memory.hpp"
#include "tests/unit/runtime_cpu/objects.hpp"

using namespace jitc;
using runtime::cpu::ObjectLoader;

namespace {

/// Calls an entry whose only parameter is an address.
void call(CpuKernel entry, void* out, uint64_t block_count) {
  const CpuLaunch launch;
  entry(reinterpret_cast<const std::byte*>(&out), &launch, 0, block_count, nullptr);
}

}  // namespace

TEST_CASE("loaded code runs, with its constants and the runtime's functions") {
  const ObjectLoader loader;
  const auto object = loader.load(tests::read_object(JITC_TEST_KERNELS), "use_runtime");
  double out[5] = {};
  call(object->entry(), out, 5);
  for (int i = 0; i < 5; ++i) CHECK(out[i] == (i % 4 + 1.5) * 2 + i);
}

TEST_CASE("code that refers to a symbol outside the table does not load") {
  const ObjectLoader loader;
  CHECK_ERROR(loader.load(tests::read_object(JITC_TEST_UNKNOWN_SYMBOL), "reads_environment"), ErrorCode::internal,
              "the machine code of 'reads_environment' does not load: it refers to unknown symbols: getenv");
}

TEST_CASE("an object without the entry does not load") {
  const ObjectLoader loader;
  CHECK_ERROR(loader.load(tests::read_object(JITC_TEST_KERNELS), "absent"), ErrorCode::internal,
              "the machine code of 'absent' does not load: it does not define the function absent");
  CHECK(tests::error_of([&] { loader.load(tests::read_object(JITC_TEST_KERNELS), "kTable"); }).code ==
        ErrorCode::internal);
}

TEST_CASE("bytes that are no object, or half of one, are refused") {
  const ObjectLoader loader;
  const std::string good = tests::read_object(JITC_TEST_KERNELS);
  CHECK(tests::error_of([&] { loader.load("", "k"); }).code == ErrorCode::internal);
  CHECK(tests::error_of([&] { loader.load("not an object", "k"); }).code == ErrorCode::internal);
  for (size_t size : {size_t{64}, good.size() / 2}) {
    CHECK(tests::error_of([&] { loader.load(good.substr(0, size), "axpy"); }).code == ErrorCode::internal);
  }
}

TEST_CASE("code outlives its loader") {
  std::unique_ptr<runtime::cpu::LoadedObject> object;
  {
    const ObjectLoader loader;
    object = loader.load(tests::read_object(JITC_TEST_KERNELS), "count_blocks");
  }
  uint32_t count = 0;
  call(object->entry(), &count, 1);
  CHECK(count == 1);
}

TEST_CASE("two thousand loads and unloads leave memory as it was") {
  const ObjectLoader loader;
  const std::string code = tests::read_object(JITC_TEST_KERNELS);
  const auto load_many = [&](int count) {
    for (int i = 0; i < count; ++i) loader.load(code, "axpy");
  };
  load_many(100);
  const int mappings_before = tests::executable_mappings();
  const int64_t resident_before = tests::resident_bytes();
  load_many(2000);
  CHECK(tests::executable_mappings() == mappings_before);
  if (tests::kResidentSizeCounts) CHECK(tests::resident_bytes() - resident_before < (int64_t{4} << 20));
}

TEST_CASE("several threads load and run at once") {
  const ObjectLoader loader;
  const std::string code = tests::read_object(JITC_TEST_KERNELS);
  std::vector<uint32_t> counts(8);
  std::vector<std::thread> threads;
  for (uint32_t& count : counts) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) call(loader.load(code, "count_blocks")->entry(), &count, 1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (uint32_t count : counts) CHECK(count == 50);
}
