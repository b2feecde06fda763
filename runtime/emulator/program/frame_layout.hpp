// Where parameters and variables lie in a block of bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "runtime/emulator/ptx/module.hpp"

namespace jitc::emulator {

/// Places variables one behind the other, each at its alignment.
class FrameLayout {
 public:
  /// The offset of the next variable. The total stays below 2^32: the parser bounds each one, and so does its caller
  /// all.
  uint64_t place(const Variable& variable) {
    const uint64_t align = std::max(variable.align_bytes, 1u);
    const uint64_t offset = (end_ + align - 1) / align * align;
    end_ = offset + variable.total_bytes();
    return offset;
  }
  uint64_t end() const { return end_; }

 private:
  uint64_t end_ = 0;
};

/// What a call of a function hands over: results lie first in the callee's frame, then the parameters.
struct Signature {
  const std::vector<Variable>& results;
  const std::vector<Variable>& params;
};

/// The offsets of results and parameters in the callee's frame.
struct SignatureLayout {
  std::vector<uint32_t> results;
  std::vector<uint32_t> params;
};

inline SignatureLayout lay_out(const Signature& signature) {
  FrameLayout layout;
  SignatureLayout offsets;
  for (const Variable& result : signature.results)
    offsets.results.push_back(static_cast<uint32_t>(layout.place(result)));
  for (const Variable& param : signature.params) offsets.params.push_back(static_cast<uint32_t>(layout.place(param)));
  return offsets;
}

}  // namespace jitc::emulator
