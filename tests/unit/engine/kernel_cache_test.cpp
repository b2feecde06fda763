// Kernels are compiled once for each meaning: in this process, and in the next one with the same folder.
#include <catch2/catch.hpp>
#include <thread>

#include "jitc/cache.hpp"
#include "jitc/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace jitc {
namespace {

/// An empty cache with a folder of its own, until the end.
class FreshCache {
 public:
  FreshCache() { forget_memory(); }
  ~FreshCache() { set_cache({}); }
  FreshCache(const FreshCache&) = delete;
  FreshCache& operator=(const FreshCache&) = delete;

  /// As in a new process.
  void forget_memory() const {
    CacheOptions options;
    options.folder = folder_.file("cache");
    options.limit_bytes = uint64_t{1} << 30;
    set_cache(options);
  }

 private:
  test::TemporaryFolder folder_;
};

constexpr const char* kText = R"dsl(
@cuda.jit("void(f4, f4[:], f4[:])")
def scale(a, x, y):
    i = cuda.grid(1)
    if i < x.shape[0]:
        y[i] = a * x[i] + 1.0
)dsl";

/// The same with other names, comments and layout.
constexpr const char* kRenamed = R"dsl(
# Says nothing new.
@cuda.jit(  "void(f4, f4[:], f4[:])"  )
def stretch(factor, source, target):

    thread = cuda.grid(1)  # of all
    if (thread < source.shape[0]):
        target[thread] = (factor * source[thread]
                          + 1.0)
)dsl";

uint64_t compiled_by(const std::string& text, const CompileOptions& options = {}, const std::string& target = "sm_80") {
  const uint64_t before = cache_statistics().compiled;
  const Program program = compile(text, options);
  for (const std::string& name : program.functions()) program[name].artifact({.name = target});
  return cache_statistics().compiled - before;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

TEST_CASE("a kernel is compiled once, in this process and the next") {
  const FreshCache cache;
  CHECK(compiled_by(kText) == 1);
  CHECK(compiled_by(kText) == 0);
  CHECK(compiled_by(kRenamed) == 0);
  CHECK(cache_statistics().from_memory == 1);
  cache.forget_memory();
  CHECK(compiled_by(kText) == 0);
  CHECK(cache_statistics().from_disk == 1);
}

TEST_CASE("programs of one text and the same options stand on the same code") {
  const FreshCache cache;
  const auto code = [](const CompileOptions& options) { return &compile(kText, options)["scale"].artifact({}); };
  const Program kept = compile(kText), other = compile(kText, {.check = true});
  CHECK(&kept["scale"].artifact({}) == code({}));
  CHECK(&kept["scale"].artifact({}) != code({.check = true}));
  CHECK(compile(kText, {.file_name = "x.dsl"})["scale"].artifact({}).file == "x.dsl");
  // More texts than are kept, and this one again.
  for (int i = 0; i < 100; ++i) compile(replaced(kText, "1.0", std::to_string(i) + ".0"));
  CHECK(compile(kText)["scale"].artifact({}).code == kept["scale"].artifact({}).code);
}

TEST_CASE("a function that is typed by its calls has in each program the signatures of that program's calls") {
  const FreshCache cache;
  constexpr const char* kUntyped = R"dsl(
@vectorize
def double(x):
    return x + x
)dsl";
  const Program first = compile(kUntyped);
  first["double"](Device::open("cpu").to_device(std::vector<float>{1, 2}));
  CHECK(first["double"].signatures().size() == 1);
  CHECK(compile(kUntyped)["double"].signatures().empty());
}

TEST_CASE("names, comments and layout do not compile anew, and each program has its own names") {
  const FreshCache cache;
  const std::string target = GENERATE("sm_80", "cpu");
  CHECK(compiled_by(kText, {}, target) == 1);
  CHECK(compiled_by(kRenamed, {}, target) == 0);
  const Artifact found = compile(kRenamed)["stretch"].artifact({.name = target});
  CHECK(found.name == "stretch");
  CHECK(found.symbol.find("stretch") != std::string::npos);
  CHECK(found.code.find(found.symbol) != std::string::npos);
  CHECK(found.code.find("scale") == std::string::npos);
  CHECK(found.arguments[1].name == "source");
  set_cache({});
  CHECK(compile(kRenamed)["stretch"].artifact({.name = target}).code == found.code);
}

TEST_CASE("what changes the code compiles anew") {
  const FreshCache cache;
  REQUIRE(compiled_by(kText) == 1);
  CHECK(compiled_by(replaced(kText, "1.0", "2.0")) == 1);
  CHECK(compiled_by(replaced(kText, "a * x[i] + 1.0", "a * x[i] - 1.0")) == 1);
  CHECK(compiled_by(replaced(kText, "void(f4, f4[:], f4[:])", "void(f4, f4[::1], f4[:])")) == 1);
  CHECK(compiled_by(replaced(kText, "void(f4, f4[:], f4[:])", "void(f8, f8[:], f8[:])")) == 1);
  CHECK(compiled_by(replaced(kText, "f4[:])\"", "f4[:])\", fma=False")) == 1);
  CHECK(compiled_by(replaced(kText, "f4[:])\"", "f4[:])\", debug=True")) == 1);
  CHECK(compiled_by(kText, {}, "sm_90") == 1);
  CHECK(compiled_by(kText, {}, "cpu") == 1);
  CHECK(compiled_by(kText) == 0);
}

TEST_CASE("code with a line table is of its text and its place there") {
  const FreshCache cache;
  const CompileOptions lines = {.file_name = "a.dsl", .line_info = true};
  CHECK(compiled_by(kText, lines) == 1);
  CHECK(compiled_by(kText, lines) == 0);
  CHECK(compiled_by(std::string("\n") + kText, lines) == 1);
  CHECK(compiled_by(kText, {.file_name = "b.dsl", .line_info = true}) == 1);
  CHECK(compiled_by(kRenamed, lines) == 1);
}

TEST_CASE("the code of failures is shared, what they say is not") {
  const FreshCache cache;
  const std::string checked = replaced(kText, "f4[:])\"", "f4[:])\", debug=True");
  CHECK(compiled_by(checked) == 1);
  const std::string moved = replaced(checked, "def scale(a, x, y):", "def scale(a, x, y):  # the same\n");
  CHECK(compiled_by(moved) == 0);
  const auto line = [](const std::string& text) { return compile(text)["scale"].artifact({}).fail_sites.at(0).line; };
  CHECK(line(moved) == line(checked) + 1);
}

TEST_CASE("values of scalars do not compile anew") {
  const FreshCache cache;
  const Device cpu = Device::open("cpu");
  const Program program = compile(kText);
  Array x = cpu.empty({4}, f4), y = cpu.empty({4}, f4);
  program["scale"].launch({.block = {4}}, 1.0f, x, y);
  const uint64_t compiled = cache_statistics().compiled;
  for (int i = 0; i < 10; ++i) program["scale"].launch({.block = {4}}, static_cast<float>(i), x, y);
  CHECK(cache_statistics().compiled == compiled);
}

TEST_CASE("several threads compile a kernel once") {
  const FreshCache cache;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([] { compiled_by(kText); });
  for (std::thread& thread : threads) thread.join();
  CHECK(cache_statistics().compiled == 1);
}

TEST_CASE("without a folder kernels are kept in memory, and it is said why") {
  CacheOptions options;
  options.folder.clear();
  set_cache(options);
  CHECK(cache_statistics().why_off == "set_cache() was given no folder");
  CHECK(compiled_by(kText) == 1);
  CHECK(compiled_by(kText) == 0);
  set_cache({});
}

}  // namespace
}  // namespace jitc
