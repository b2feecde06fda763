// A case with its keys understood.
#pragma once

#include <optional>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "jitc/program.hpp"
#include "tests/support/run_cases/case_file.hpp"
#include "tests/support/run_cases/compare.hpp"
#include "tests/support/run_cases/form.hpp"

namespace jitc::cases {

enum class Mode : uint8_t { kDiagnostics, kRun, kTypes, kIr, kPtx };

/// A pattern that generated text must hold, must not hold, or must hold so many times.
struct PatternCheck {
  enum class Kind : uint8_t { kHas, kLacks, kCount };
  enum class Text : uint8_t { kPtx, kAsm };
  Kind kind = Kind::kHas;
  Text text = Text::kPtx;
  size_t count = 0;
  std::string pattern;
  std::regex regex;
};

struct Case {
  CaseFile file;
  Mode mode = Mode::kRun;
  std::string text;
  std::string numpy_script;  ///< empty: none
  CompileOptions options;
  std::string kernel;  ///< empty: the only one
  LaunchConfig launch;
  std::vector<std::pair<std::string, std::string>> args;  ///< name and SPEC
  std::vector<std::string> outs;                          ///< empty: every array that the kernel writes
  CompareRule compare;
  bool runs_on_gpus = true;  ///< off where it would hang there
  bool gpu_is_near = false;  ///< GPUs approximate: they are compared as NumPy is, not bit by bit
  bool runtime_error = false;
  bool agreement = false;                ///< run: nothing is expected but that all executors agree
  bool check_code = true;                ///< run: look at the PTX for every target too
  bool strided_program = false;          ///< which program `ir` and the patterns look at
  std::optional<kernel::CallForm> form;  ///< of a ufunc: likewise
  std::string target = "sm_75";
  std::vector<PatternCheck> patterns;

  const std::string* expect() const;
  /// run: the lines that the kernel prints; null: none.
  const std::string* printed() const;
};

/// Throws CaseError for unknown keys and values.
Case parse_case(CaseFile file);

}  // namespace jitc::cases
