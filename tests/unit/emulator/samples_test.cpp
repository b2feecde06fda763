#include "tests/unit/emulator/samples.hpp"

#include <catch2/catch.hpp>

namespace jitc::emulator_test {
namespace {

TEST_CASE("What compilers print loads") {
  REQUIRE(samples().size() >= 7);
  for (const Sample& sample : samples()) {
    CAPTURE(sample.name);
    CHECK(load_error(sample.text) == "no error");
  }
}

}  // namespace
}  // namespace jitc::emulator_test
