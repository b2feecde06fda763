// One case from its text to its verdict.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/support/run_cases/case.hpp"
#include "tests/support/run_cases/executors.hpp"
#include "tests/support/run_cases/numpy_oracle.hpp"

namespace jitc::cases {

struct Verdict {
  std::vector<std::string> failures;        ///< in words; empty: passed
  std::optional<std::string> wrong_expect;  ///< what the expect section should be to pass; set only when it differs
  std::optional<std::string> wrong_stdout;  ///< likewise
};

/// A run case that is compiled and has its arguments; what NumPy needs to know is known then.
struct PreparedRun {
  std::optional<Function> function;
  size_t signature = 0;
  Call call;
  std::vector<size_t> outs;  ///< arguments that are compared
  std::string error;         ///< not empty: the case cannot run
};

PreparedRun prepare_run(const Case& test);
NumpyJob numpy_job(const Case& test, const PreparedRun& run);

/// `numpy` is null unless the case has a numpy section.
Verdict judge_run(const Case& test, const PreparedRun& run, const NumpyResult* numpy);
/// Modes diagnostics, types, ir, ptx.
Verdict judge_text(const Case& test);

/// The kernel that the case looks at.
kernel::KernelProgram program_of(const Case& test, const Function& function, size_t signature);
/// The generated code of one kernel: the rules of all PTX on every target, ptxas, determinism.
void check_code(const Function& function, size_t signature, Verdict& verdict);
/// The same of the one program that the case's form asks for.
void check_form(const Case& test, const Function& function, size_t signature, Verdict& verdict);
/// The patterns of the case over the code of these functions, all signatures.
void check_patterns(const Case& test, const std::vector<Function>& functions, Verdict& verdict);
/// Compares with the expect section.
void check_expect(const Case& test, const std::string& actual, Verdict& verdict);

}  // namespace jitc::cases
