#include "runtime/common/failure.hpp"

#include "runtime/common/error.hpp"

namespace jitc::runtime {

namespace {

std::string reason(const FailSite& site, const FailRecord& record) {
  const std::string detail = site.subject.empty() ? "" : ": " + site.subject;
  switch (site.kind) {
    case FailKind::index:
      return fmt::format("index {} is outside array '{}' (axis {} has extent {})", record.values[0], site.subject,
                         site.axis, record.values[1]);
    case FailKind::assertion: return "assertion failed" + detail;
    case FailKind::raise: return "raised" + detail;
    case FailKind::zero_division: return "division by zero";
    case FailKind::barrier: return fmt::format("a barrier that a thread of the {} does not reach", site.subject);
  }
  return "unknown failure";
}

}  // namespace

std::string describe_failure(const Artifact& artifact, const FailRecord& record) {
  if (record.site >= artifact.fail_sites.size()) {
    fail(ErrorCode::internal, "kernel '{}' failed at site {} of {}: a bug of jitc", artifact.name, record.site,
         artifact.fail_sites.size());
  }
  const FailSite& site = artifact.fail_sites[record.site];
  return fmt::format("{}:{}:{}: {} in kernel '{}', thread ({}) block ({})", artifact.file, site.line, site.column,
                     reason(site, record), artifact.name, fmt::join(record.thread, ","), fmt::join(record.block, ","));
}

void throw_if_failed(const Artifact& artifact, const FailRecord& record) {
  if (record.state != 0) throw Error(ErrorCode::kernel, describe_failure(artifact, record));
}

}  // namespace jitc::runtime
