// Which entries go when a folder holds more than it may.
#pragma once

#include <cstdint>

#include "src/cache/folder.hpp"

namespace jitc::cache {

/// Where the entries are more than `limit_bytes` together, removes those that were not used for longest, down to four
/// fifths of it. Files that writers left unfinished an hour ago go too.
void trim(const Folder& entries, uint64_t limit_bytes);

/// Removes the lock files of processes that were killed an hour ago.
void remove_old(const Folder& locks);

}  // namespace jitc::cache
