// Runs one program in all ways that are wanted, and compares with the plain evaluator.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/common/backend.hpp"
#include "tests/random_arrays/evaluator.hpp"
#include "tests/random_arrays/program.hpp"

namespace jitc::random_arrays {

/// Who carries out the plan of a program.
enum class Where : uint8_t {
  reference,      ///< the reference interpreter, in the CPU's forms
  reference_gpu,  ///< the same in the forms of a GPU
  cpu,            ///< compiled code
  emulator,       ///< PTX on the emulated GPU
};
const char* name_of(Where where);

struct Difference {
  std::string kind;  ///< what stays the same while a program is made smaller
  std::string text;
};

struct Counts {
  uint64_t kernels = 0, failures = 0;
  std::map<Where, uint64_t> programs;
  std::map<std::string, double> milliseconds;
};

class Checker {
 public:
  explicit Checker(Mistake mistake = Mistake::none) : mistake_(mistake) {}

  /// Nothing where all agree, also in that the call fails.
  std::optional<Difference> check(const Program& program, const std::vector<Where>& wheres);
  const Counts& counts() const { return counts_; }

 private:
  const std::shared_ptr<runtime::Backend>& backend(Where where);

  Mistake mistake_;
  Counts counts_;
  std::map<Where, std::shared_ptr<runtime::Backend>> backends_;
};

}  // namespace jitc::random_arrays
