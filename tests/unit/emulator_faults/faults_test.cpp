#include <catch2/catch.hpp>

#include "tests/unit/emulator_faults/fault_launch.hpp"

namespace jitc::emulator_test {
namespace {

const std::vector<FaultCase>& cases() {
  static const std::vector<FaultCase> all = read_fault_cases(JITC_FAULTS);
  return all;
}

TEST_CASE("Planted faults are found, and said to the letter") {
  CHECK(cases().size() >= 40);
  for (const FaultCase& one : cases()) {
    CAPTURE(one.name);
    CHECK(!one.report.empty());
    CHECK(report_of(one, "fault") == one.report);
  }
}

TEST_CASE("Nothing is said of their repaired twins") {
  for (const FaultCase& one : cases()) {
    CAPTURE(one.name);
    CHECK(report_of(one, "repaired").empty());
  }
}

}  // namespace
}  // namespace jitc::emulator_test
