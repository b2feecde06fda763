// Who accessed a word of memory last.
#pragma once

#include <array>
#include <cstdint>

#include "runtime/emulator/check/vector_clock.hpp"

namespace jitc::emulator {

/// Strong ones (atomic, volatile, relaxed and their like) do not race with each other.
enum class AccessKind : uint8_t { none, weak_read, strong_read, weak_write, strong_write };

constexpr bool is_write(AccessKind kind) { return kind >= AccessKind::weak_write; }
constexpr bool is_strong(AccessKind kind) {
  return kind == AccessKind::strong_read || kind == AccessKind::strong_write;
}

struct AccessRecord {
  uint32_t block = 0;
  uint32_t time = 0;  ///< of the thread
  uint32_t step = 0;  ///< of the launch's program: the check numbers them
  uint16_t thread = 0;
  AccessKind kind = AccessKind::none;
  uint8_t bytes = 0;  ///< those of the word that it touched, a bit for each

  bool is_of_same_thread(const AccessRecord& other) const { return block == other.block && thread == other.thread; }
};

/// A word of four bytes. It keeps at most four accesses; a fifth drops one of them, so that a race may be missed and
/// none is invented. Source: Serebryany and Iskhodzhanov, "ThreadSanitizer: data race detection in practice", 2009 (the
/// bounded history); Flanagan and Freund, "FastTrack", PLDI 2009 (an access that covers another replaces it).
class AccessHistory {
 public:
  /// One of its accesses that races with `access`, the first or that behind `last`; null where there is none more.
  /// `known` is what the thread knows of others.
  const AccessRecord* find_race(const AccessRecord& access, const VectorClock& known,
                                const AccessRecord* last = nullptr) const;
  void add(const AccessRecord& access, const VectorClock& known);
  /// Whether the thread has done the same since it last told others of its time.
  bool has(const AccessRecord& access) const;

 private:
  std::array<AccessRecord, 4> records_;
};

}  // namespace jitc::emulator
