// Looks at PTX text, by itself and through ptxas.
#pragma once

#include <string>

namespace jitc::codegen::tests {

/// Matches of a regular expression.
size_t count(const std::string& text, const std::string& pattern);
bool contains(const std::string& text, const std::string& part);
/// Instructions that ptxas may contract, or that flush or approximate.
size_t loose_arithmetic(const std::string& ptx);

/// False, with a warning, where ptxas is not installed.
bool have_ptxas();
struct PtxasRun {
  int status;
  std::string output;
};
PtxasRun run_ptxas(const std::string& ptx, int sm);

}  // namespace jitc::codegen::tests
