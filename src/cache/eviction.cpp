#include "src/cache/eviction.hpp"

#include <algorithm>
#include <ctime>
#include <vector>

#include "src/cache/entry.hpp"

namespace jitc::cache {

namespace {

constexpr int64_t kLeftBehindSeconds = 3600;

struct Candidate {
  std::string name;
  uint64_t size_bytes;
  int64_t used_at_ns;
};

int64_t nanoseconds(const struct timespec& time) { return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

bool is_left_behind(const struct stat& status) { return std::time(nullptr) - status.st_mtime > kLeftBehindSeconds; }

}  // namespace

void trim(const Folder& entries, uint64_t limit_bytes) {
  std::vector<Candidate> candidates;
  uint64_t sum_bytes = 0;
  entries.list([&](const std::string& name) {
    const auto status = entries.look_at(name);
    if (!status) return;
    if (is_temporary_name(name) && is_left_behind(*status)) entries.remove(name);
    if (!is_entry_name(name)) return;
    candidates.push_back({name, static_cast<uint64_t>(status->st_size), nanoseconds(status->st_mtim)});
    sum_bytes += candidates.back().size_bytes;
  });
  if (sum_bytes <= limit_bytes) return;
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.used_at_ns < b.used_at_ns; });
  for (const Candidate& oldest : candidates) {
    if (sum_bytes <= limit_bytes / 5 * 4) return;
    if (entries.remove(oldest.name)) sum_bytes -= oldest.size_bytes;
  }
}

void remove_old(const Folder& locks) {
  locks.list([&](const std::string& name) {
    const auto status = locks.look_at(name);
    if (status && is_entry_name(name) && is_left_behind(*status)) locks.remove(name);
  });
}

}  // namespace jitc::cache
