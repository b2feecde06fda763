// Several processes with one folder. The children only count and end: what they find is looked at here.
#include <sys/mman.h>
#include <sys/wait.h>

#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <thread>
#include <vector>

#include "src/cache/cache.hpp"
#include "tests/unit/cache/cache_folder.hpp"

namespace jitc::cache {
namespace {

constexpr int kProcesses = 16, kKeys = 64;

std::string key_of(int i) { return "key " + std::to_string(i); }
std::string value_of(int i) { return std::string(static_cast<size_t>(2000 + i), static_cast<char>('a' + i % 26)); }

/// Zeroed memory that children share.
struct Shared {
  std::array<std::atomic<int>, kKeys> made;
  std::atomic<int> wrong;
};

Shared& shared_memory() {
  void* memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  return *static_cast<Shared*>(memory);
}

void get_all(const Settings& settings, Shared& shared, int first, int microseconds) {
  Cache cache(settings, "b");
  for (int i = 0; i < kKeys; ++i) {
    const int k = (first + i) % kKeys;
    const auto make = [&] {
      ++shared.made[static_cast<size_t>(k)];
      std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
      return value_of(k);
    };
    if (*cache.get(key_of(k), "t", make) != value_of(k)) ++shared.wrong;
  }
}

template <class Body>
pid_t start(const Body& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    body();
    ::_exit(0);
  }
  return child;
}

TEST_CASE("sixteen processes make each of 64 values once") {
  const TemporaryFolder temporary;
  Shared& shared = shared_memory();
  std::vector<pid_t> children;
  for (int p = 0; p < kProcesses; ++p) {
    children.push_back(start([&] { get_all(temporary.settings(), shared, p % 3, 300); }));
  }
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  for (const auto& count : shared.made) CHECK(count == 1);
  CHECK(shared.wrong == 0);
  CHECK(std::filesystem::is_empty(temporary.file("cache/locks")));
}

TEST_CASE("a process that is killed leaves whole values or none, and no one waits for it") {
  const TemporaryFolder temporary;
  Shared& shared = shared_memory();
  for (int round = 0; round < 20; ++round) {
    const pid_t child = start([&] { get_all(temporary.settings(), shared, round * 3, 200); });
    std::this_thread::sleep_for(std::chrono::microseconds(300 + 400 * round));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  const auto begin = std::chrono::steady_clock::now();
  get_all(temporary.settings(), shared, 0, 0);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
  CHECK(shared.wrong == 0);
  const DiskCache disk(temporary.settings(), "b");
  for (int k = 0; k < kKeys; ++k) CHECK(disk.find(key_of(k)) == value_of(k));
  disk.for_each_file(true, [](const FileInfo& file) { CHECK(file.entry); });
}

}  // namespace
}  // namespace jitc::cache
