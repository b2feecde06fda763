// Pose and script of the command line's tests, as text in the environment.
#pragma once

#include <string>
#include <vector>

#include "tests/fakes/fake_driver.hpp"

namespace jitc::tests::fake {

/// JITC_FAKE_POSE="version=12040;devices=2;sm=86;name=Fake GPU;memory=8589934592": settings of all devices; those of
/// one have its number before them: "1.sm=90". Keys: version, devices, name, sm, memory, multiprocessors, shared_optin,
/// pools, cooperative, managed (0 or 1), attribute.<number>. Ends the process where the text is wrong.
FakePose pose_of_environment();

/// JITC_FAKE_SCRIPT="cuMemAlloc_v2:3:2;cuCtxSynchronize:1:700:forever": function, its call counted from one, code; then
/// `once` or `forever`, or nothing. Ends the process where the text is wrong.
std::vector<FakeScript> script_of_environment();

FakePose parse_pose(const std::string& text);
std::vector<FakeScript> parse_script(const std::string& text);

}  // namespace jitc::tests::fake
