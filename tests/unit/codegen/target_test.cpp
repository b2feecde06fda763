// Names of targets and the SM table.
#include <catch2/catch.hpp>

#include <algorithm>

#include "src/codegen/codegen.hpp"

namespace {

using namespace jitc::codegen;

const std::string kKnown =
    "; the targets are cpu, sm_50, sm_52, sm_53, sm_60, sm_61, sm_62, sm_70, sm_72, sm_75, sm_80, sm_86, sm_87, sm_89, "
    "sm_90";

TEST_CASE("targets are named sm_80, compute_80 or cpu") {
  CHECK(parse_target("cpu").kind == Target::Kind::cpu);
  CHECK(parse_target("sm_80").kind == Target::Kind::nvptx);
  CHECK(parse_target("sm_80").sm == 80);
  CHECK(parse_target("compute_75").sm == 75);
}

TEST_CASE("an SM newer than all that are known is compiled for the newest") {
  CHECK(parse_target("sm_120").sm == 90);
  CHECK(parse_target("compute_100").sm == 90);
  CHECK(clamp_sm(103) == 90);
  CHECK(clamp_sm(88) == 87);
  CHECK(clamp_sm(50) == 50);
}

TEST_CASE("other names are refused with the list of those known") {
  CHECK_THROWS_WITH(parse_target("sm_51"), "unknown target 'sm_51'" + kKnown);
  CHECK_THROWS_WITH(parse_target("sm_90a"),
                    "unknown target 'sm_90a' (code for one architecture alone is not made)" + kKnown);
  for (const std::string name : {"", "sm_", "sm_8x", "sm_-80", "sm_80 ", "gpu", "sm_120f", "CPU", "sm_99999999999"}) {
    CHECK_THROWS_AS(parse_target(name), TargetError);
  }
  CHECK_THROWS_AS(clamp_sm(49), TargetError);
}

TEST_CASE("the known SMs ascend") {
  const std::vector<int> sms = known_sms();
  CHECK(sms.front() == 50);
  CHECK(sms.back() == 90);
  CHECK(std::is_sorted(sms.begin(), sms.end()));
}

}  // namespace
