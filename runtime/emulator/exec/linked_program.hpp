// A program whose addresses are known: ready to run, shared by all that run it.
#pragma once

#include <unordered_map>
#include <vector>

#include "runtime/emulator/program/image.hpp"
#include "runtime/emulator/program/program.hpp"

namespace jitc::emulator {

/// Lanes of a warp, and so values in a row.
constexpr uint32_t kLanes = 32;

struct LinkedFunction {
  const DecodedFunction* decoded;
  std::vector<Bits> constant_rows;  ///< each constant kLanes times
};

struct LinkedProgram {
  const Program* program;
  std::vector<LinkedFunction> functions;                       ///< the entry first
  std::unordered_map<uint64_t, uint32_t> function_by_address;  ///< what an indirect call may name
};

/// `global` and `constant` are where the image's segments begin. `program` outlives the result.
LinkedProgram link(const Program& program, const Image& image, uint64_t global, uint64_t constant);

}  // namespace jitc::emulator
