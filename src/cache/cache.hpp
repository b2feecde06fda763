// Values by key, each made once: in memory, on disk, or now.
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "src/cache/disk_cache.hpp"

namespace jitc::cache {

/// Where a value came from.
enum class Source : uint8_t { made, memory, disk };

/// Counts of one process.
struct Counts {
  uint64_t memory_hits = 0, disk_hits = 0, made = 0;
  uint64_t not_stored = 0;  ///< values that could not be kept on disk
};

/// Thread-safe. While one thread or process makes a value, those that want the same one wait for it; others are not
/// held up.
class Cache {
 public:
  /// What keeps of values in memory is `memory_bytes` at most.
  Cache(const Settings& settings, std::string build, uint64_t memory_bytes = uint64_t{64} << 20)
      : disk_(settings, std::move(build)), memory_bytes_(memory_bytes) {}

  /// `title` is what lists show. What `make` throws goes to the caller, and the next one tries again.
  std::shared_ptr<const std::string> get(std::string_view key, std::string_view title,
                                         const std::function<std::string()>& make, Source* source = nullptr);

  Counts counts() const;
  const DiskCache& disk() const { return disk_; }

 private:
  struct Slot {
    std::mutex mutex;
    std::shared_ptr<const std::string> value;
    std::list<const std::string*>::iterator place;  ///< in order_; the key
    bool is_counted = false;                        ///< in used_bytes_
  };

  std::shared_ptr<Slot> slot_of(std::string_view key);
  std::string find_or_make(std::string_view key, std::string_view title, const std::function<std::string()>& make,
                           Source& source);
  std::string make_and_store(std::string_view key, std::string_view title, const std::function<std::string()>& make);
  void note_size(std::string_view key, const Slot& slot);
  void forget(std::string_view key, const Slot& slot);

  DiskCache disk_;
  uint64_t memory_bytes_;
  std::mutex mutex_;  ///< of the next three
  std::unordered_map<std::string, std::shared_ptr<Slot>> slots_;
  std::list<const std::string*> order_;  ///< keys, the one used last first
  uint64_t used_bytes_ = 0;
  std::atomic<uint64_t> memory_hits_{0}, disk_hits_{0}, made_{0}, not_stored_{0};
};

}  // namespace jitc::cache
