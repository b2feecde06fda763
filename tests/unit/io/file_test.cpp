#include "src/io/file.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <functional>

#include "src/io/input_error.hpp"
#include "src/io/npy.hpp"
#include "tests/support/temporary_folder.hpp"

using jitc::test::TemporaryFolder;

using namespace jitc;
namespace fs = std::filesystem;

namespace {

std::string text_of(const std::string& path) {
  const std::vector<std::byte> bytes = io::read_file(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const io::InputError& error) { return error.what(); }
  return "nothing was thrown";
}

size_t files_in(const TemporaryFolder& folder) {
  const fs::directory_iterator entries(folder.path());
  return static_cast<size_t>(std::distance(begin(entries), end(entries)));
}

/// Files of this process cannot grow beyond a size while this lives: a disk that is full.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

}  // namespace

TEST_CASE("a written file holds the bytes and nothing else is left beside it") {
  const TemporaryFolder folder;
  io::write_file(folder.file("a"), "first");
  io::write_file(folder.file("a"), "second");
  CHECK(text_of(folder.file("a")) == "second");
  CHECK(files_in(folder) == 1);
}

TEST_CASE("a write that fails leaves the old file as it was") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.npy");
  io::write_file(path, "old");
  const io::HostArray large = io::make_zeros(f8, {100000});
  {
    const FullDisk full(4096);
    CHECK(refusal([&] { io::write_npy(path, large); }) == "cannot write " + path + ": File too large");
    CHECK(refusal([&] { io::write_npy(folder.file("new.npy"), large); }) != "nothing was thrown");
  }
  CHECK(text_of(path) == "old");
  CHECK(files_in(folder) == 1);
}

TEST_CASE("errors of files name the path and the reason") {
  const TemporaryFolder folder;
  const std::string path = folder.file("no/such/file");
  CHECK(refusal([&] { io::read_file(path); }) == "cannot read " + path + ": No such file or directory");
  CHECK(refusal([&] { io::write_file(path, "x"); }) == "cannot write " + path + ": No such file or directory");
  const std::string here = folder.path().string();
  CHECK(refusal([&] { io::read_file(here); }) == "cannot read " + here + ": Is a directory");
  CHECK(refusal([&] { io::write_file(here, "x"); }) == "cannot write " + here + ": Is a directory");
  CHECK(refusal([&] { io::write_file("", "x"); }) == "cannot write : No such file or directory");
  CHECK(refusal([&] { io::write_file("/dev/full", "x"); }) == "cannot write /dev/full: No space left on device");
}

TEST_CASE("permissions and symbolic links of a replaced file stay") {
  const TemporaryFolder folder;
  io::write_file(folder.file("real"), "old");
  fs::permissions(folder.file("real"), fs::perms(0640));
  fs::create_symlink("real", folder.file("link"));
  io::write_file(folder.file("link"), "new");
  CHECK(fs::is_symlink(folder.file("link")));
  CHECK(text_of(folder.file("real")) == "new");
  CHECK(fs::status(folder.file("real")).permissions() == fs::perms(0640));
}

TEST_CASE("a link that leads nowhere gets its file") {
  const TemporaryFolder folder;
  fs::create_symlink("later", folder.file("link"));
  io::write_file(folder.file("link"), "new");
  CHECK(text_of(folder.file("later")) == "new");
  CHECK(fs::is_symlink(folder.file("link")));
}

TEST_CASE("devices are written in place and pipes are read to their end") {
  io::write_file("/dev/null", "gone");
  CHECK(fs::is_character_file("/dev/null"));
  int ends[2] = {};
  REQUIRE(pipe(ends) == 0);
  REQUIRE(write(ends[1], "through", 7) == 7);
  close(ends[1]);
  CHECK(text_of("/dev/fd/" + std::to_string(ends[0])) == "through");
  close(ends[0]);
}
