// Mode run: the case on every executor.
#include <fmt/format.h>

#include "jitc/jitc.hpp"
#include "src/engine/engine.hpp"
#include "src/io/format_array.hpp"
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
  if (outs.empty() || (!test.outs.empty() && outs.size() != test.outs.size())) {
    throw CaseError("the key `out` must name the arrays that are compared");
  }
  return outs;
}

const io::HostArray& array_of(const Outcome& outcome, size_t argument) {
  return std::get<io::HostArray>(outcome.args[argument]);
}

bool has_free_layout(const Call& call) {
  const auto is_free = [](const ArgumentInfo& info) { return info.is_array && info.layout == Layout::any; };
  return std::any_of(call.infos.begin(), call.infos.end(), is_free);
}

std::vector<Outcome> run_everywhere(const PreparedRun& run) {
  static const Device kCpu = Device::open("cpu");
  const pipeline::KernelVariant& variant = engine::group_of(*run.function).variants[run.signature];
  std::vector<Outcome> outcomes;
  const auto reference = [&](const kernel::KernelProgram& program, const char* which, Placing placing) {
    const std::string executor = fmt::format("reference, {} program, {} arrays", which, name(placing));
    outcomes.push_back(run_reference(program, run.call, placing, executor));
  };
  reference(variant.strided, "strided", Placing::kPlain);
  reference(variant.contiguous, "contiguous", Placing::kPlain);
  for (Placing placing : {Placing::kPlain, Placing::kShifted}) {
    outcomes.push_back(run_on_device(kCpu, *run.function, run.call, placing));
  }
  if (!has_free_layout(run.call)) return outcomes;
  for (Placing placing : {Placing::kSpread, Placing::kReversed}) {
    reference(variant.strided, "strided", placing);
    outcomes.push_back(run_on_device(kCpu, *run.function, run.call, placing));
  }
  return outcomes;
}

/// Compares the arrays of `outs`.
void compare_outs(const PreparedRun& run, const Outcome& actual, const std::vector<io::HostArray>& expected,
                  const CompareRule& rule, const std::string& against, Verdict& verdict) {
  for (size_t i = 0; i < run.outs.size(); ++i) {
    const size_t argument = run.outs[i];
    if (const auto difference = first_difference(rule, expected[i], array_of(actual, argument))) {
      verdict.failures.push_back(
          fmt::format("{}: {}{} ({})", actual.executor, run.call.infos[argument].name, *difference, against));
    }
  }
}

std::vector<io::HostArray> outs_of(const PreparedRun& run, const Outcome& outcome) {
  std::vector<io::HostArray> outs;
  for (size_t argument : run.outs) outs.push_back(array_of(outcome, argument));
  return outs;
}

std::string expect_text(const PreparedRun& run, const Outcome& outcome) {
  std::string text;
  for (size_t argument : run.outs) {
    text += fmt::format("{} = {}\n", run.call.infos[argument].name, io::format_literal(array_of(outcome, argument)));
  }
  return text;
}

/// Lines `name = SPEC`, in the order of the arguments.
std::vector<io::HostArray> read_expect(const PreparedRun& run, const std::string& text) {
  std::vector<io::HostArray> arrays;
  size_t begin = 0;
  for (size_t argument : run.outs) {
    const std::string start = run.call.infos[argument].name + " = ";
    const size_t end = std::min(text.find('\n', begin), text.size());
    if (text.compare(begin, start.size(), start) != 0)
      throw CaseError("the expect section lacks a line `" + start + "…`");
    const std::string spec = text.substr(begin + start.size(), end - begin - start.size());
    arrays.push_back(io::make_array(io::parse_arg_spec(spec), run.call.infos[argument].dtype));
    begin = end + 1;
  }
  return arrays;
}

void judge_values(const Case& test, const PreparedRun& run, const std::vector<Outcome>& outcomes,
                  const NumpyResult* numpy, Verdict& verdict) {
  const std::vector<io::HostArray> first = outs_of(run, outcomes.front());
  for (const Outcome& outcome : outcomes) {
    if (outcome.failure)
      verdict.failures.push_back(outcome.executor + ": " + *outcome.failure);
    else
      compare_outs(run, outcome, first, {}, outcomes.front().executor, verdict);
  }
  if (numpy != nullptr) {
    if (!numpy->error.empty())
      verdict.failures.push_back(numpy->error);
    else
      compare_outs(run, outcomes.front(), numpy->outs, test.compare, "NumPy", verdict);
  } else if (test.expect() == nullptr) {
    check_expect(test, expect_text(run, outcomes.front()), verdict);
  } else {
    const size_t before = verdict.failures.size();
    compare_outs(run, outcomes.front(), read_expect(run, *test.expect()), test.compare, "the expect section", verdict);
    if (verdict.failures.size() != before) verdict.wrong_expect = expect_text(run, outcomes.front());
  }
}

bool is_device(const Outcome& outcome) { return outcome.executor.rfind("reference", 0) != 0; }

/// Every device refuses with the same words. When it is the kernel that stops, it stops in the interpreter too, which
/// has no words of its own.
void judge_failure(const Case& test, const std::vector<Outcome>& outcomes, Verdict& verdict) {
  const Outcome& first = *std::find_if(outcomes.begin(), outcomes.end(), is_device);
  for (const Outcome& outcome : outcomes) {
    if (!is_device(outcome) && first.refused) continue;
    if (!outcome.failure)
      verdict.failures.push_back(outcome.executor + ": no error");
    else if (is_device(outcome) && outcome.failure != first.failure)
      verdict.failures.push_back(outcome.executor + ": another error: " + *outcome.failure);
  }
  check_expect(test, first.failure.value_or("") + "\n", verdict);
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

Verdict judge_run(const Case& test, const PreparedRun& run, const NumpyResult* numpy) {
  Verdict verdict;
  const std::vector<Outcome> outcomes = run_everywhere(run);
  for (const Outcome& outcome : outcomes) {
    if (outcome.problem) verdict.failures.push_back(outcome.executor + ": " + *outcome.problem);
  }
  if (test.runtime_error)
    judge_failure(test, outcomes, verdict);
  else
    judge_values(test, run, outcomes, numpy, verdict);
  check_code(*run.function, run.signature, verdict);
  check_patterns(test, {*run.function}, verdict);
  return verdict;
}

}  // namespace jitc::cases
