// Values on disk, in a folder of this user and in folders that others provide.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/cache/entry.hpp"
#include "src/cache/folder.hpp"
#include "src/cache/settings.hpp"

namespace jitc::cache {

/// One file, as `jitc cache list` shows it.
struct FileInfo {
  std::string name;
  uint64_t size_bytes = 0;
  int64_t used_at = 0;         ///< seconds since 1970
  std::optional<Entry> entry;  ///< nothing where the file is damaged
};

/// Thread-safe, and safe beside other processes with the same folder. Nothing throws but for lack of memory.
class DiskCache {
 public:
  DiskCache(const Settings& settings, std::string build);

  /// As in the settings.
  const std::string& folder() const { return folder_; }
  /// Why nothing is kept on disk; empty where it is.
  const std::string& why_off() const { return why_off_; }

  std::optional<std::string> find(std::string_view key) const;
  /// Says whether the value was kept. Lets the entries go that were not used for longest, where there are too many.
  bool store(std::string_view key, std::string_view title, std::string_view value);
  /// While it lives, no one else makes the value of a key, unless that takes minutes.
  class Lock {
   public:
    Lock() = default;
    Lock(const Folder& folder, std::string name, Descriptor held)
        : folder_(&folder), name_(std::move(name)), held_(std::move(held)) {}
    Lock(Lock&&) = default;
    ~Lock();
    explicit operator bool() const { return static_cast<bool>(held_); }

   private:
    const Folder* folder_ = nullptr;
    std::string name_;
    Descriptor held_;
  };
  Lock lock(std::string_view key) const;

  /// Visits all files of entries in this user's folder, whole or damaged, with what is in them where `read` is set.
  void for_each_file(bool read, const std::function<void(const FileInfo&)>& visit) const;
  bool remove(const std::string& name) const { return entries_ && entries_->remove(name); }
  /// Removes all files that the cache has made; their number and bytes.
  struct Removed {
    uint64_t files = 0, size_bytes = 0;
  };
  Removed clear() const;

 private:
  std::string build_, folder_, why_off_;
  uint64_t limit_bytes_;
  std::optional<Folder> entries_, locks_;
  std::vector<Folder> provided_;
  std::atomic<uint64_t> written_bytes_{0};
  std::atomic<bool> was_trimmed_{false};
};

}  // namespace jitc::cache
