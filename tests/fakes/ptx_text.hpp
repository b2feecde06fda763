// What the fake wants to know of a PTX text: no more than its names and the layout of its parameters.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jitc::tests::fake {

struct PtxParam {
  uint32_t offset_bytes = 0;
  uint32_t size_bytes = 0;
};

struct PtxEntry {
  std::string name;
  std::vector<PtxParam> params;
  uint32_t params_size_bytes = 0;
  int max_threads = 1024;     ///< .maxntid
  uint32_t shared_bytes = 0;  ///< of the .shared variables that the body names
};

/// A variable in .global or .const; initial values are not read.
struct PtxGlobal {
  std::string name;
  uint32_t size_bytes = 0;
};

struct PtxText {
  int isa = 0;     ///< 10 * major + minor of .version
  int target = 0;  ///< 80 for sm_80
  std::vector<PtxEntry> entries;
  std::vector<PtxGlobal> globals;
};

/// Reads a text; `error` is empty, or says in ptxas's manner what it is not.
PtxText parse_ptx(std::string_view text, std::string& error);

}  // namespace jitc::tests::fake
