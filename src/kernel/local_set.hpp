// A set of a program's locals.
#pragma once

#include <cstdint>
#include <vector>

#include "src/kernel/ir.hpp"

namespace jitc::kernel {

class LocalSet {
 public:
  LocalSet() = default;
  explicit LocalSet(size_t count) : words_((count + 63) / 64) {}

  bool contains(LocalId id) const { return (words_[id.index / 64] >> (id.index % 64) & 1) != 0; }
  void insert(LocalId id) { words_[id.index / 64] |= uint64_t{1} << (id.index % 64); }
  void erase(LocalId id) { words_[id.index / 64] &= ~(uint64_t{1} << (id.index % 64)); }
  void insert_all(const LocalSet& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  bool empty() const {
    for (const uint64_t word : words_) {
      if (word != 0) return false;
    }
    return true;
  }
  bool operator==(const LocalSet&) const = default;

 private:
  std::vector<uint64_t> words_;
};

}  // namespace jitc::kernel
