#include <fmt/format.h>

#include "src/codegen/codegen.hpp"
#include "src/engine/engine.hpp"
#include "tests/support/run_cases/patterns.hpp"
#include "tests/support/run_cases/ptx_rules.hpp"
#include "tests/support/run_cases/run_case.hpp"
#include "tests/support/run_cases/text_diff.hpp"

namespace jitc::cases {

namespace {

struct SmChecks {
  int sm;
  bool assemble;  ///< the oldest SM that ptxas takes is 75
  bool twice;     ///< compile once more: the same text must come out
};
constexpr SmChecks kSms[] = {{50, false, false}, {75, true, true}, {80, true, false}, {90, true, false}};

void check_artifact(const kernel::KernelProgram& program, const Artifact& artifact, const SmChecks& checks,
                    const std::string& where, Verdict& verdict) {
  for (const std::string& broken : broken_ptx_rules(artifact.code, checks.sm, program)) {
    verdict.failures.push_back(where + broken);
  }
  if (checks.assemble) {
    if (const std::string said = ptxas_complaint(artifact.code, checks.sm); !said.empty()) {
      verdict.failures.push_back(where + "ptxas refuses it:\n" + said);
    }
  }
  if (checks.twice && codegen::emit(program, codegen::parse_target(artifact.target)).code != artifact.code) {
    verdict.failures.push_back(where + "a second compile gives other PTX");
  }
}

void check_sm(const Function& function, size_t signature, bool contiguous, const SmChecks& checks, Verdict& verdict) {
  const std::string target = fmt::format("sm_{}", checks.sm);
  const pipeline::KernelVariant& variant = engine::group_of(function).variants[signature];
  check_artifact(contiguous ? variant.contiguous : variant.strided,
                 function.artifact({.name = target, .contiguous = contiguous}, signature), checks,
                 fmt::format("{}, {} program: ", target, contiguous ? "contiguous" : "strided"), verdict);
}

std::string code_of(const Case& test, const Function& function, PatternCheck::Text text) {
  std::string all;
  const bool is_ptx = text == PatternCheck::Text::kPtx;
  for (size_t i = 0; i < function.signatures().size(); ++i) {
    all += codegen::assembly(program_of(test, function, i), codegen::parse_target(is_ptx ? test.target : "cpu"));
  }
  return all;
}

}  // namespace

kernel::KernelProgram program_of(const Case& test, const Function& function, size_t signature) {
  const pipeline::KernelVariant& variant = engine::group_of(function).variants[signature];
  if (test.form) return pipeline::lower_form(*engine::module_of(function), variant, *test.form);
  return test.strided_program ? variant.strided : variant.contiguous;
}

void check_form(const Case& test, const Function& function, size_t signature, Verdict& verdict) {
  const kernel::KernelProgram program = program_of(test, function, signature);
  for (const SmChecks& checks : kSms) {
    const std::string target = fmt::format("sm_{}", checks.sm);
    check_artifact(program, codegen::emit(program, codegen::parse_target(target)), checks, target + ": ", verdict);
  }
}

void check_code(const Function& function, size_t signature, Verdict& verdict) {
  for (const SmChecks& checks : kSms) {
    for (bool contiguous : {false, true}) check_sm(function, signature, contiguous, checks, verdict);
  }
}

void check_patterns(const Case& test, const std::vector<Function>& functions, Verdict& verdict) {
  for (PatternCheck::Text text : {PatternCheck::Text::kPtx, PatternCheck::Text::kAsm}) {
    std::string code;
    const auto wanted = [&](const PatternCheck& check) { return check.text == text; };
    if (std::none_of(test.patterns.begin(), test.patterns.end(), wanted)) continue;
    for (const Function& function : functions) code += code_of(test, function, text);
    for (const std::string& broken : broken_patterns(test.patterns, text, code)) verdict.failures.push_back(broken);
  }
}

void check_expect(const Case& test, const std::string& actual, Verdict& verdict) {
  const std::string* expect = test.expect();
  if (expect != nullptr && *expect == actual) return;
  verdict.wrong_expect = actual;
  verdict.failures.push_back(expect == nullptr ? "there is no expect section (run_cases --rebase writes it)"
                                               : "expected (-) and actual (+) differ:\n" + text_diff(*expect, actual));
}

}  // namespace jitc::cases
