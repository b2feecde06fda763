// The command line of measure_accuracy.
#include <catch2/catch.hpp>

#include "tests/accuracy/options.hpp"

namespace jitc::accuracy {
namespace {

TEST_CASE("options of measure_accuracy") {
  const Options options =
      parse_options({"--functions", "sin,exp", "--points", "10", "--threads", "2", "--step", "5", "--page", "a.md"});
  CHECK(options.functions == std::vector<std::string>{"sin", "exp"});
  CHECK(options.exhaustive.empty());
  CHECK(options.points == 10);
  CHECK(options.threads == 2);
  CHECK(options.step == 5);
  CHECK(options.page == "a.md");
  CHECK(parse_options({"--help"}).help);
}

TEST_CASE("what is wrong with the command line of measure_accuracy") {
  CHECK_THROWS_WITH(parse_options({"--all"}), "there is no option --all");
  CHECK_THROWS_WITH(parse_options({"--points"}), "--points needs a value");
  CHECK_THROWS_WITH(parse_options({"--points", "many"}), "'many' is no number");
  CHECK_THROWS_WITH(parse_options({"--seed", "-1"}), "'-1' is no number");
}

}  // namespace
}  // namespace jitc::accuracy
