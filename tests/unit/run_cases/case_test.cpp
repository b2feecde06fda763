#include "tests/support/run_cases/case.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

#include "tests/support/run_cases/process.hpp"
#include "tests/support/run_cases/text_diff.hpp"

namespace jitc::cases {
namespace {

/// A case file with this content, in a folder that lasts as long as the test.
class CaseOnDisk {
 public:
  explicit CaseOnDisk(const std::string& text) { std::ofstream(path(), std::ios::binary) << text; }
  std::filesystem::path path() const { return folder_.path() / "x.case"; }
  CaseFile read() const { return read_case_file(path()); }
  std::string text() const {
    std::ostringstream out;
    out << std::ifstream(path(), std::ios::binary).rdbuf();
    return out.str();
  }

 private:
  TemporaryFolder folder_;
};

void rewrite_expect(const CaseOnDisk& on_disk) {
  CaseFile file = on_disk.read();
  file.set_section("expect", "new\n");
  write_case_file(file);
}

Case parse(const std::string& text) { return parse_case(CaseOnDisk(text).read()); }

TEST_CASE("A case has keys, a text and expectations") {
  const Case c = parse(
      "# why\n"
      "mode: run\n"
      "kernel: axpy\n"
      "grid: 2,3\n"
      "block: 64\n"
      "arg x: f4[2]{1,\n"
      "  2}\n"
      "arg n: 7\n"
      "out: y, z\n"
      "compare: ulp:4\n"
      "check: on\n"
      "ptx-count 2: ld\\.global\n"
      "=== text\n"
      "def axpy(x):\n"
      "\n"
      "  pass\n"
      "=== numpy\n"
      "y = x\n"
      "=== expect\n"
      "y = 1\n");
  CHECK(c.mode == Mode::kRun);
  CHECK(c.kernel == "axpy");
  CHECK((c.launch.grid.x == 2 && c.launch.grid.y == 3 && c.launch.grid.z == 1 && c.launch.block.x == 64));
  CHECK(c.args == std::vector<std::pair<std::string, std::string>>{{"x", "f4[2]{1, 2}"}, {"n", "7"}});
  CHECK(c.outs == std::vector<std::string>{"y", "z"});
  CHECK((c.compare.kind == CompareRule::Kind::kUlp && c.compare.ulp == 4));
  CHECK(c.options.check);
  CHECK(c.text == "def axpy(x):\n\n  pass\n");
  CHECK(c.numpy_script == "y = x\n");
  REQUIRE(c.expect() != nullptr);
  CHECK(*c.expect() == "y = 1\n");
  REQUIRE(c.patterns.size() == 1);
  CHECK((c.patterns[0].kind == PatternCheck::Kind::kCount && c.patterns[0].count == 2));
}

TEST_CASE("A case knows what its kernel prints, and how much dynamic shared memory it gets") {
  const Case prints = parse("mode: run\ndynamic-shared: 96\n=== text\nx\n=== stdout\ni = 1\n");
  CHECK(prints.launch.dynamic_shared_bytes == 96);
  REQUIRE(prints.printed() != nullptr);
  CHECK(*prints.printed() == "i = 1\n");
  const Case silent = parse("mode: run\n=== text\nx\n");
  CHECK(silent.launch.dynamic_shared_bytes == 0);
  CHECK(silent.printed() == nullptr);
}

TEST_CASE("Escapes make bytes that no editor keeps") {
  const Case c = parse("mode: diagnostics\nescapes: on\n=== text\na\\x00b\\x09c\\\n");
  CHECK(c.text == std::string("a\0b\tc", 5));
}

TEST_CASE("Mistakes in a case are errors, never ignored") {
  CHECK_THROWS_WITH(parse("mode: run\ngird: 2\n=== text\n"), "no such key: gird");
  CHECK_THROWS_WITH(parse("mode: walk\n=== text\n"), "no such mode: walk");
  CHECK_THROWS_WITH(parse("mode: run\nblock: 2,x\n=== text\n"), "not a number: x");
  CHECK_THROWS_WITH(parse("mode: run\ncheck: yes\n=== text\n"), "neither on nor off: yes");
  CHECK_THROWS_WITH(parse("mode: run\ncompare: about\n=== text\n"), "no such comparison: about");
  CHECK_THROWS_WITH(parse("mode: run\n=== txt\n"), "no such section: txt");
  CHECK_THROWS_WITH(parse("mode: run\n"), "there is no text");
  CHECK_THROWS_WITH(parse("grid: 2\n=== text\n"), "the first key is not `mode`");
}

TEST_CASE("Rebasing changes the expect section and nothing else") {
  const CaseOnDisk with("# c\nmode: ir\n\n=== text\nx\n=== expect\nold\n");
  rewrite_expect(with);
  CHECK(with.text() == "# c\nmode: ir\n\n=== text\nx\n=== expect\nnew\n");

  const CaseOnDisk without("mode: ir\n=== text\nx\n");
  rewrite_expect(without);
  CHECK(without.text() == "mode: ir\n=== text\nx\n=== expect\nnew\n");
}

TEST_CASE("A difference shows the lines that left and the lines that came") {
  CHECK(text_diff("a\nb\nc\n", "a\nx\nc\nd\n") ==
        "    a\n"
        "  - b\n"
        "  + x\n"
        "    c\n"
        "  + d\n");
}

}  // namespace
}  // namespace jitc::cases
