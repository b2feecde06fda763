#include "src/source/source_file.hpp"

#include <catch2/catch.hpp>

using namespace jitc::source;

TEST_CASE("lines end at \\n, at \\r\\n and at a lone \\r") {
  const SourceFile file("f", "a\nbb\r\nccc\rd");
  REQUIRE(file.line_count() == 4);
  CHECK(file.line(1) == "a");
  CHECK(file.line(2) == "bb");
  CHECK(file.line(3) == "ccc");
  CHECK(file.line(4) == "d");
  CHECK(file.line_start(3) == 6);
}

TEST_CASE("a text that ends with a newline has an empty last line") {
  const SourceFile file("f", "a\n");
  REQUIRE(file.line_count() == 2);
  CHECK(file.line(2).empty());
  CHECK(file.position(2).line == 2);
  CHECK(file.position(2).column == 1);
}

TEST_CASE("an empty text has one empty line") {
  const SourceFile file("f", "");
  REQUIRE(file.line_count() == 1);
  CHECK(file.line(1).empty());
  CHECK(file.position(0).line == 1);
}

TEST_CASE("columns count code points, not bytes") {
  const SourceFile file("f", "x\né漢😀z");
  CHECK(file.position(2).column == 1);
  CHECK(file.position(4).column == 2);
  CHECK(file.position(7).column == 3);
  CHECK(file.position(11).column == 4);
}

TEST_CASE("a byte order mark is no column") {
  const SourceFile file("f", "\xEF\xBB\xBFx = 1\ny");
  CHECK(file.position(3).column == 1);
  CHECK(file.line(1) == "x = 1");
  CHECK(file.position(0).column == 1);
}

TEST_CASE("a position beyond the text is its end") {
  const SourceFile file("f", "ab");
  CHECK(file.position(100).line == 1);
  CHECK(file.position(100).column == 3);
}

TEST_CASE("the text of a span is its bytes") {
  const SourceFile file("f", "abcdef");
  CHECK(file.text({1, 3}) == "bc");
  CHECK(file.text({6, 6}).empty());
}
