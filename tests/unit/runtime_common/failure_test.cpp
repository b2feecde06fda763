// The words for a checked kernel that stopped.
#include "runtime/common/failure.hpp"

#include <catch2/catch.hpp>

#include "tests/support/error_text.hpp"

using namespace jitc;

namespace {

Artifact checked(FailSite site) {
  Artifact artifact;
  artifact.file = "case.dsl";
  artifact.name = "k";
  artifact.fail_sites = {std::move(site)};
  return artifact;
}

constexpr FailRecord kRecord{2, 0, {12, 10}, {3, 0, 0}, {1, 0, 0}};

}  // namespace

TEST_CASE("an index failure names place, index, array, axis, extent, kernel, thread and block") {
  CHECK(runtime::describe_failure(checked({FailKind::index, "x", 7, 5, 0}), kRecord) ==
        "case.dsl:7:5: index 12 is outside array 'x' (axis 0 has extent 10) in kernel 'k', thread (3,0,0) block "
        "(1,0,0)");
}

TEST_CASE("assertions, raises and divisions by zero have their own words") {
  const std::string tail = " in kernel 'k', thread (3,0,0) block (1,0,0)";
  CHECK(runtime::describe_failure(checked({FailKind::assertion, "n > 0", 2, 3}), kRecord) ==
        "case.dsl:2:3: assertion failed: n > 0" + tail);
  CHECK(runtime::describe_failure(checked({FailKind::assertion, "", 2, 3}), kRecord) ==
        "case.dsl:2:3: assertion failed" + tail);
  CHECK(runtime::describe_failure(checked({FailKind::raise, "ValueError", 2, 3}), kRecord) ==
        "case.dsl:2:3: raised: ValueError" + tail);
  CHECK(runtime::describe_failure(checked({FailKind::zero_division, "", 2, 3}), kRecord) ==
        "case.dsl:2:3: division by zero" + tail);
}

TEST_CASE("a record is an error only when a thread claimed it") {
  const Artifact artifact = checked({FailKind::zero_division, "", 2, 3});
  CHECK_NOTHROW(runtime::throw_if_failed(artifact, FailRecord{}));
  CHECK_ERROR(runtime::throw_if_failed(artifact, kRecord), ErrorCode::kernel,
              "case.dsl:2:3: division by zero in kernel 'k', thread (3,0,0) block (1,0,0)");
}

TEST_CASE("a site that the artifact does not have is a bug, not a wild read") {
  FailRecord record = kRecord;
  record.site = 5;
  CHECK_ERROR(runtime::describe_failure(checked({}), record), ErrorCode::internal,
              "kernel 'k' failed at site 5 of 1: a bug of jitc");
}
