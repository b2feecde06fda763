#include "src/cache/folder.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <vector>

#include "tests/unit/cache/cache_folder.hpp"

namespace jitc::cache {
namespace {

namespace fs = std::filesystem;

TEST_CASE("a folder is made for its user alone") {
  const TemporaryFolder temporary;
  const Folder folder(temporary.file("a/b"), Trust::own);
  REQUIRE(folder.usable());
  CHECK(fs::status(temporary.file("a/b")).permissions() == fs::perms::owner_all);
  REQUIRE(folder.write("x", "bytes"));
  const auto owner_only = fs::perms::owner_read | fs::perms::owner_write;
  CHECK(fs::status(temporary.file("a/b/x")).permissions() == owner_only);
  CHECK(folder.read("x", 100) == "bytes");
  CHECK_FALSE(folder.read("x", 4));
  CHECK_FALSE(folder.read("y", 100));
  CHECK(folder.write("x", "others"));
  CHECK(folder.read("x", 100) == "others");
}

TEST_CASE("only plain names are names in a folder") {
  const TemporaryFolder temporary;
  const Folder folder(temporary.file("a"), Trust::own);
  write_bytes(temporary.file("outside"), "x");
  for (const std::string name : {"../outside", "..", ".", "", "a/b", "/etc/passwd"}) {
    INFO(name);
    CHECK_FALSE(folder.read(name, 100));
    CHECK_FALSE(folder.write(name, "x"));
    CHECK_FALSE(folder.remove(name));
    CHECK_FALSE(folder.lock(name, 0));
    CHECK_FALSE(folder.inside(name, true));
  }
  CHECK(fs::exists(temporary.file("outside")));
}

TEST_CASE("links are not followed, neither to folders nor to files") {
  const TemporaryFolder temporary;
  fs::create_directory(temporary.file("real"));
  fs::create_symlink(temporary.file("real"), temporary.file("link"));
  const Folder linked(temporary.file("link"), Trust::own);
  CHECK_FALSE(linked.usable());
  CHECK(linked.why() == "it is a link or a file, not a folder");

  const Folder folder(temporary.file("real"), Trust::own);
  write_bytes(temporary.file("secret"), "secret");
  fs::create_symlink(temporary.file("secret"), temporary.file("real/x"));
  CHECK_FALSE(folder.read("x", 100));
  CHECK_FALSE(folder.lock("x", 0));
  CHECK(folder.write("x", "own"));  // takes the link's place
  CHECK(read_bytes(temporary.file("secret")) == "secret");
  CHECK(folder.read("x", 100) == "own");
  fs::create_directory_symlink(temporary.path(), temporary.file("real/up"));
  CHECK_FALSE(folder.inside("up", true));
}

TEST_CASE("what is no regular file is not waited for") {
  const TemporaryFolder temporary;
  const Folder folder(temporary.file("a"), Trust::own);
  REQUIRE(::mkfifo(temporary.file("a/pipe").c_str(), 0600) == 0);
  fs::create_directory(temporary.file("a/folder"));
  CHECK_FALSE(folder.read("pipe", 100));
  CHECK_FALSE(folder.read("folder", 100));
  CHECK_FALSE(folder.look_at("pipe"));
  CHECK_FALSE(folder.write("folder", "x"));
}

TEST_CASE("what others may write is not trusted") {
  const TemporaryFolder temporary;
  const Folder folder(temporary.file("a"), Trust::own);
  REQUIRE(folder.write("x", "bytes"));
  REQUIRE(::chmod(temporary.file("a/x").c_str(), 0620) == 0);
  CHECK_FALSE(folder.read("x", 100));
  REQUIRE(::chmod(temporary.file("a").c_str(), 0777) == 0);
  const Folder open(temporary.file("a"), Trust::own);
  CHECK_FALSE(open.usable());
  CHECK(open.why() == "other users may write to it: name a folder of your own");
}

TEST_CASE("what belongs to someone else is not trusted") {
  if (::geteuid() != 0) {
    WARN("skipped: only root can give files away");
    return;
  }
  const TemporaryFolder temporary;
  constexpr uid_t kNobody = 65534;
  const Folder folder(temporary.file("a"), Trust::own);
  REQUIRE(folder.write("x", "bytes"));
  REQUIRE(::chown(temporary.file("a/x").c_str(), kNobody, kNobody) == 0);
  CHECK_FALSE(folder.read("x", 100));
  REQUIRE(::chown(temporary.file("a").c_str(), kNobody, kNobody) == 0);
  for (const Trust trust : {Trust::own, Trust::provided}) {
    const Folder foreign(temporary.file("a"), trust);
    CHECK_FALSE(foreign.usable());
    CHECK(foreign.why() == "it belongs to another user");
  }
}

TEST_CASE("a folder that cannot be made is none, and says why") {
  const TemporaryFolder temporary;
  write_bytes(temporary.file("file"), "x");
  CHECK(Folder(temporary.file("file"), Trust::own).why() == "it is a link or a file, not a folder");
  CHECK(Folder(temporary.file("file/below"), Trust::own).why() == "it is a link or a file, not a folder");
  CHECK(Folder("/proc/jitc", Trust::own).why() == "No such file or directory");
  const Folder missing(temporary.file("missing"), Trust::provided);
  CHECK(missing.why() == "No such file or directory");
  CHECK_FALSE(fs::exists(temporary.file("missing")));
  CHECK_FALSE(missing.read("x", 100));
  CHECK_FALSE(missing.write("x", "y"));
  missing.touch("x");
  missing.list([](const std::string&) { FAIL("there is nothing"); });
}

TEST_CASE("a file larger than the process may write leaves nothing behind, and does not end the process") {
  const TemporaryFolder temporary;
  const Folder folder(temporary.file("a"), Trust::own);
  const pid_t child = ::fork();
  if (child == 0) {
    const struct rlimit limit = {100, 100};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const bool is_right = !folder.write("x", std::string(101, 'x')) && folder.write("y", std::string(100, 'y'));
    ::_exit(is_right ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
  std::vector<std::string> names;
  folder.list([&](const std::string& name) { names.push_back(name); });
  CHECK(names == std::vector<std::string>{"y"});
}

TEST_CASE("a lock is held once, and waited for no longer than said") {
  const TemporaryFolder temporary;
  const Folder folder(temporary.file("a"), Trust::own);
  {
    const Descriptor held = folder.lock("k", 0);
    REQUIRE(held);
    CHECK_FALSE(folder.lock("k", 0.01));
    CHECK(folder.lock("other", 0));
  }
  CHECK(folder.lock("k", 0));
}

}  // namespace
}  // namespace jitc::cache
