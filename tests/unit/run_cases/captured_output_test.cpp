#include "tests/support/run_cases/captured_output.hpp"

#include <catch2/catch.hpp>

#include <unistd.h>

#include <cstdio>

namespace jitc::cases {
namespace {

TEST_CASE("What is written to standard output while it is captured is kept, in order") {
  CapturedOutput outer;
  std::fputs("before\n", stdout);
  std::string inner_text;
  {
    CapturedOutput inner;
    std::printf("%d lines\n", 2);
    std::fflush(stdout);
    CHECK(write(STDOUT_FILENO, "direct\n", 7) == 7);
    inner_text = inner.take();
    CHECK(inner.take() == inner_text);
  }
  std::fputs("after\n", stdout);
  CHECK(inner_text == "2 lines\ndirect\n");
  CHECK(outer.take() == "before\nafter\n");
}

TEST_CASE("A capture ends with its scope") {
  CapturedOutput outer;
  {
    CapturedOutput dropped;
    std::fputs("lost", stdout);
  }
  std::fputs("kept", stdout);
  CHECK(outer.take() == "kept");
}

}  // namespace
}  // namespace jitc::cases
