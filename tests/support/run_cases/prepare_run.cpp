// From a run case to a kernel with its arguments.
#include <fmt/format.h>

#include <algorithm>

#include "jitc/jitc.hpp"
#include "tests/support/run_cases/run_case.hpp"

namespace jitc::cases {

namespace {

Function pick_function(const Case& test, const Program& program) {
  if (!test.kernel.empty()) return program[test.kernel];
  const std::vector<std::string> names = program.kernels();
  if (names.size() != 1) throw CaseError("the key `kernel` must name one of several kernels");
  return program[names.front()];
}

const std::string& spec_of(const Case& test, const std::string& name) {
  for (const auto& [arg, spec] : test.args) {
    if (arg == name) return spec;
  }
  throw CaseError("no value for the argument " + name);
}

std::vector<io::ArgValue> make_args(const Case& test, const std::vector<ArgumentInfo>& infos) {
  if (infos.size() != test.args.size()) {
    throw CaseError(fmt::format("{} values for {} arguments", test.args.size(), infos.size()));
  }
  std::vector<io::ArgValue> args;
  for (const ArgumentInfo& info : infos) {
    args.push_back(io::make_argument(io::parse_arg_spec(spec_of(test, info.name)), info));
  }
  return args;
}

/// The first signature that the SPECs fit.
void choose_signature(const Case& test, PreparedRun& run) {
  std::string why_not;
  const size_t count = run.function->signatures().size();
  for (size_t i = 0; i < count; ++i) {
    try {
      run.call.infos = run.function->arguments(i);
      run.call.args = make_args(test, run.call.infos);
      run.signature = i;
      return;
    } catch (const Error& error) { why_not = error.what(); }
  }
  throw CaseError("no signature fits the arguments: " + why_not);
}

std::vector<size_t> compared_arguments(const Case& test, const std::vector<ArgumentInfo>& infos) {
  std::vector<size_t> outs;
  for (size_t i = 0; i < infos.size(); ++i) {
    const bool named = std::find(test.outs.begin(), test.outs.end(), infos[i].name) != test.outs.end();
    if (test.outs.empty() ? infos[i].is_array && infos[i].written : named) outs.push_back(i);
  }
  const bool nothing = outs.empty() && test.printed() == nullptr;
  if (nothing || (!test.outs.empty() && outs.size() != test.outs.size())) {
    throw CaseError("the key `out` must name the arrays that are compared");
  }
  return outs;
}

}  // namespace

PreparedRun prepare_run(const Case& test) {
  PreparedRun run;
  try {
    run.function = pick_function(test, compile(test.text, test.options));
    run.call.config = test.launch;
    choose_signature(test, run);
    if (!test.runtime_error) run.outs = compared_arguments(test, run.call.infos);
  } catch (const std::exception& error) { run.error = error.what(); }
  return run;
}

NumpyJob numpy_job(const Case& test, const PreparedRun& run) {
  NumpyJob job{.script = test.numpy_script};
  for (size_t i = 0; i < run.call.args.size(); ++i) job.inputs.emplace_back(run.call.infos[i].name, run.call.args[i]);
  for (size_t argument : run.outs) job.outs.push_back(run.call.infos[argument].name);
  return job;
}

}  // namespace jitc::cases
