// Where a cache is and how much it may hold.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace jitc::cache {

struct Settings {
  std::string folder;                 ///< empty: nothing is kept on disk
  std::vector<std::string> provided;  ///< folders that are read after it and never written
  uint64_t limit_bytes = uint64_t{512} << 20;
  std::string why_off;  ///< of an empty folder
  std::string problem;  ///< what was not understood, for people; empty where all was

  bool is_on() const { return !folder.empty(); }
};

/// JITC_CACHE=off turns the disk cache off; JITC_CACHE_DIR, or jitc in XDG_CACHE_HOME or ~/.cache, is the folder;
/// JITC_CACHE_SHARED names provided ones, with colons between; JITC_CACHE_LIMIT is "800M", "2G" or a number of bytes.
Settings settings_of_environment();

}  // namespace jitc::cache
