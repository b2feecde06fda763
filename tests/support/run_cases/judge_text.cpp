// The modes whose result is text: diagnostics, types, ir; and ptx, which has patterns alone.
#include "jitc/jitc.hpp"
#include "src/engine/engine.hpp"
#include "src/kernel/kernel.hpp"
#include "tests/support/run_cases/run_case.hpp"

namespace jitc::cases {

namespace {

void judge_diagnostics(const Case& test, Verdict& verdict) {
  const auto module = pipeline::check(test.text, engine::to_pipeline_options(test.options));
  bool has_error = false;
  for (const source::Diagnostic& diagnostic : module->diagnostics) {
    has_error |= source::info(diagnostic.id).severity == source::Severity::kError;
  }
  if (module->ok == has_error) verdict.failures.push_back("`ok` does not say whether there are errors");
  check_expect(test, source::render_all(module->file, module->diagnostics), verdict);
}

void judge_types(const Case& test, Verdict& verdict) {
  std::string diagnostics;
  const pipeline::Options options = engine::to_pipeline_options(test.options);
  const std::string text = pipeline::dump(test.text, options, pipeline::EarlyDump::kTypes, diagnostics);
  check_expect(test, diagnostics + text, verdict);
}

std::vector<Function> functions_of(const Case& test) {
  const Program program = compile(test.text, test.options);
  std::vector<Function> functions;
  for (const std::string& name : program.functions()) {
    if (test.kernel.empty() || test.kernel == name) functions.push_back(program[name]);
  }
  return functions;
}

void judge_ir(const Case& test, const std::vector<Function>& functions, Verdict& verdict) {
  std::string text;
  for (const Function& function : functions) {
    for (size_t i = 0; i < function.signatures().size(); ++i) text += kernel::print(program_of(test, function, i));
  }
  check_expect(test, text, verdict);
}

void judge_ptx(const Case& test, const std::vector<Function>& functions, Verdict& verdict) {
  if (test.patterns.empty()) verdict.failures.push_back("a ptx case without patterns shows nothing");
  for (const Function& function : functions) {
    for (size_t i = 0; i < function.signatures().size(); ++i) {
      if (test.form)
        check_form(test, function, i, verdict);
      else
        check_code(function, i, verdict);
    }
  }
}

}  // namespace

Verdict judge_text(const Case& test) {
  Verdict verdict;
  if (test.mode == Mode::kDiagnostics) {
    judge_diagnostics(test, verdict);
    return verdict;
  }
  const std::vector<Function> functions = functions_of(test);
  if (functions.empty()) verdict.failures.push_back("there is no kernel " + test.kernel);
  if (test.mode == Mode::kTypes) judge_types(test, verdict);
  if (test.mode == Mode::kIr) judge_ir(test, functions, verdict);
  if (test.mode == Mode::kPtx) judge_ptx(test, functions, verdict);
  check_patterns(test, functions, verdict);
  return verdict;
}

}  // namespace jitc::cases
