// Compiled kernels are kept: in memory, and in a folder of the user's for the next process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jitc/api.hpp"

namespace jitc {

/// Where kernels are kept on disk. What is made here is what the environment says (JITC_CACHE, JITC_CACHE_DIR,
/// JITC_CACHE_SHARED, JITC_CACHE_LIMIT): change from there.
struct JITC_API CacheOptions {
  CacheOptions();

  std::string folder;               ///< empty: nothing is kept on disk
  std::vector<std::string> shared;  ///< folders that are read after it, and never written
  uint64_t limit_bytes = 0;         ///< of `folder`; what was not used for longest goes
};

/// Of kernels that this process has asked for since its start, or since set_cache().
struct CacheStatistics {
  std::string folder;
  std::string why_off;  ///< why nothing is kept on disk; empty where it is
  uint64_t from_memory = 0;
  uint64_t from_disk = 0;
  uint64_t compiled = 0;
  uint64_t not_stored = 0;  ///< compiled, but there was no writing to the folder
};

/// Uses another cache from now on, for all programs of this process. Never fails: a folder that cannot be used is as
/// good as none, see CacheStatistics::why_off. Thread-safe.
JITC_API void set_cache(const CacheOptions& options);

JITC_API CacheStatistics cache_statistics();

}  // namespace jitc
