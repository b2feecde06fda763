#include "src/cache/disk_cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>

#include "tests/unit/cache/cache_folder.hpp"

namespace jitc::cache {
namespace {

namespace fs = std::filesystem;

void set_age(const std::string& path, int seconds) {
  struct timespec now;
  ::clock_gettime(CLOCK_REALTIME, &now);
  const struct timespec times[2] = {now, {now.tv_sec - seconds, now.tv_nsec}};
  REQUIRE(::utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
}

TEST_CASE("a value is found by its key and build, in another process too") {
  const TemporaryFolder temporary;
  REQUIRE(DiskCache(temporary.settings(), "b1").store("key", "title", "value"));
  CHECK(DiskCache(temporary.settings(), "b1").find("key") == "value");
  CHECK_FALSE(DiskCache(temporary.settings(), "b1").find("other"));
  CHECK_FALSE(DiskCache(temporary.settings(), "b2").find("key"));
}

TEST_CASE("a file of another key or build under this name is a miss") {
  const TemporaryFolder temporary;
  DiskCache disk(temporary.settings(), "b1");
  REQUIRE(disk.store("key", "t", "value"));
  const std::string path = temporary.entry("b1", "key");
  write_bytes(path, encode({"b1", "t", "other", "wrong"}));
  CHECK_FALSE(disk.find("key"));
  write_bytes(path, encode({"b2", "t", "key", "wrong"}));
  CHECK_FALSE(disk.find("key"));
  REQUIRE(disk.store("key", "t", "value"));
  CHECK(disk.find("key") == "value");
}

TEST_CASE("a damaged file is a miss, and is replaced") {
  const TemporaryFolder temporary;
  DiskCache disk(temporary.settings(), "b");
  REQUIRE(disk.store("key", "t", "value"));
  const std::string path = temporary.entry("b", "key"), good = read_bytes(path);
  for (size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] + 1);
    write_bytes(path, bad);
    CHECK_FALSE(disk.find("key"));
    write_bytes(path, good.substr(0, at));
    CHECK_FALSE(disk.find("key"));
  }
  REQUIRE(disk.store("key", "t", "value"));
  CHECK(disk.find("key") == "value");
}

TEST_CASE("folders that others provide are read and never written") {
  const TemporaryFolder temporary;
  Settings settings = temporary.settings();
  {
    Settings provider = settings;
    provider.folder = temporary.file("provided");
    REQUIRE(DiskCache(provider, "b").store("key", "t", "value"));
  }
  settings.provided = {temporary.file("missing"), temporary.file("provided")};
  DiskCache disk(settings, "b");
  CHECK(disk.find("key") == "value");
  REQUIRE(disk.store("new", "t", "v"));
  CHECK_FALSE(fs::exists(temporary.file("missing")));
  CHECK(std::distance(fs::directory_iterator(temporary.file("provided/entries")), {}) == 1);
}

TEST_CASE("what was not used for longest goes when there is too much") {
  const TemporaryFolder temporary;
  Settings settings = temporary.settings();
  const std::string value(1000, 'x');
  const auto key = [](int i) { return "key" + std::to_string(i); };
  for (int i = 0; i < 10; ++i) {
    REQUIRE(DiskCache(settings, "b").store(key(i), "t", value));
    set_age(temporary.entry("b", key(i)), 100 - i);
  }
  CHECK(DiskCache(settings, "b").find(key(0)) == value);  // used now
  settings.limit_bytes = 8000;
  REQUIRE(DiskCache(settings, "b").store(key(10), "t", value));
  const DiskCache disk(settings, "b");
  CHECK(disk.find(key(0)));
  CHECK(disk.find(key(10)));
  CHECK(disk.find(key(9)));
  for (int i = 1; i <= 5; ++i) CHECK_FALSE(disk.find(key(i)));
  uint64_t sum = 0;
  disk.for_each_file(false, [&](const FileInfo& file) { sum += file.size_bytes; });
  CHECK(sum <= 8000 / 5 * 4);
}

TEST_CASE("a value larger than the limit is not kept") {
  const TemporaryFolder temporary;
  Settings settings = temporary.settings();
  settings.limit_bytes = 100;
  CHECK_FALSE(DiskCache(settings, "b").store("key", "t", std::string(101, 'x')));
}

TEST_CASE("what killed processes leave behind goes after an hour") {
  const TemporaryFolder temporary;
  const Settings settings = temporary.settings();
  REQUIRE(DiskCache(settings, "b").store("a", "t", "v"));
  const std::string unfinished = temporary.file("cache/entries/.new-1-1"),
                    recent = temporary.file("cache/entries/.new-1-2");
  const std::string lock = temporary.file("cache/locks/" + entry_name("b", "x"));
  for (const std::string& path : {unfinished, recent, lock}) {
    write_bytes(path, "");
    REQUIRE(::chmod(path.c_str(), 0600) == 0);
  }
  for (const std::string& path : {unfinished, lock}) set_age(path, 4000);
  REQUIRE(DiskCache(settings, "b").store("b", "t", "v"));
  CHECK_FALSE(fs::exists(unfinished));
  CHECK_FALSE(fs::exists(lock));
  CHECK(fs::exists(recent));
}

TEST_CASE("clearing removes what the cache has made and nothing else") {
  const TemporaryFolder temporary;
  DiskCache disk(temporary.settings(), "b");
  REQUIRE(disk.store("a", "t", "v"));
  REQUIRE(disk.store("b", "t", "v"));
  write_bytes(temporary.file("cache/entries/notes.txt"), "mine");
  write_bytes(temporary.file("cache/letter"), "mine");
  CHECK(disk.clear().files == 2);
  CHECK_FALSE(disk.find("a"));
  CHECK(read_bytes(temporary.file("cache/entries/notes.txt")) == "mine");
  CHECK(read_bytes(temporary.file("cache/letter")) == "mine");
}

TEST_CASE("files are shown with what is in them, and damaged ones as such") {
  const TemporaryFolder temporary;
  DiskCache disk(temporary.settings(), "b");
  REQUIRE(disk.store("a", "first", "v"));
  write_bytes(temporary.entry("b", "c"), "rubbish");
  write_bytes(temporary.entry("b", "d"), encode({"b", "t", "other", "v"}));
  int whole = 0, damaged = 0;
  disk.for_each_file(true, [&](const FileInfo& file) { ++(file.entry ? whole : damaged); });
  CHECK(whole == 1);
  CHECK(damaged == 2);
}

TEST_CASE("without a folder there is nothing, and it is said why") {
  const TemporaryFolder temporary;
  write_bytes(temporary.file("file"), "");
  Settings settings;
  settings.folder = temporary.file("file");
  DiskCache disk(settings, "b");
  CHECK(disk.why_off() == temporary.file("file") + ": it is a link or a file, not a folder");
  CHECK_FALSE(disk.store("a", "t", "v"));
  CHECK_FALSE(disk.find("a"));
  CHECK_FALSE(disk.lock("a"));
  CHECK(disk.clear().files == 0);
}

}  // namespace
}  // namespace jitc::cache
