// Mode run: the case on every executor.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "jitc/jitc.hpp"
#include "src/engine/engine.hpp"
#include "src/io/format_array.hpp"
#include "tests/support/run_cases/run_case.hpp"
#include "tests/support/run_cases/text_diff.hpp"

namespace jitc::cases {

namespace {

const io::HostArray& array_of(const Outcome& outcome, size_t argument) {
  return std::get<io::HostArray>(outcome.args[argument]);
}

bool has_free_layout(const Call& call) {
  const auto is_free = [](const ArgumentInfo& info) { return info.is_array && info.layout == Layout::any; };
  return std::any_of(call.infos.begin(), call.infos.end(), is_free);
}

/// The CPU, and the device that JITC_TEST_DEVICE names.
const std::vector<Device>& devices() {
  static const std::vector<Device> list = [] {
    std::vector<Device> out{Device::open("cpu")};
    const char* name = std::getenv("JITC_TEST_DEVICE");
    if (name != nullptr && *name != 0) out.push_back(Device::open(name));
    return out;
  }();
  return list;
}

bool is_gpu(std::string_view executor) { return executor.substr(0, 4) == "cuda"; }

/// Programs that agree with themselves when their threads run in the other order have no race.
std::vector<Outcome> run_everywhere(const Case& test, const PreparedRun& run) {
  const pipeline::KernelVariant& variant = engine::group_of(*run.function).variants[run.signature];
  std::vector<Outcome> outcomes;
  const auto reference = [&](const kernel::KernelProgram& program, const char* which, Placing placing) {
    const std::string executor = fmt::format("reference, {} program, {} arrays", which, name(placing));
    outcomes.push_back(run_reference(program, run.call, placing, executor));
  };
  reference(variant.strided, "strided", Placing::kPlain);
  reference(variant.contiguous, "contiguous", Placing::kPlain);
  if (test.agreement) {
    outcomes.push_back(
        run_reference(variant.contiguous, run.call, Placing::kPlain, "reference, last thread first", true));
  }
  const auto on_devices = [&](Placing placing) {
    for (const Device& device : devices()) {
      if (is_gpu(device.name()) && !test.runs_on_gpus) continue;
      outcomes.push_back(run_on_device(device, *run.function, run.call, placing));
    }
  };
  on_devices(Placing::kPlain);
  on_devices(Placing::kShifted);
  if (!has_free_layout(run.call)) return outcomes;
  for (Placing placing : {Placing::kSpread, Placing::kReversed}) {
    reference(variant.strided, "strided", placing);
    on_devices(placing);
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

void compare_with_expect(const Case& test, const PreparedRun& run, const Outcome& outcome, Verdict& verdict) {
  const size_t before = verdict.failures.size();
  try {
    compare_outs(run, outcome, read_expect(run, *test.expect()), test.compare, "the expect section", verdict);
  } catch (const std::exception& error) { verdict.failures.push_back(error.what()); }
  if (verdict.failures.size() != before) verdict.wrong_expect = expect_text(run, outcome);
}

/// The lines in an order that does not depend on who printed first.
std::string sorted_lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line + "\n");
  std::sort(lines.begin(), lines.end());
  return fmt::format("{}", fmt::join(lines, ""));
}

/// The same lines on every executor, and those of the case. Threads of a GPU print together: its order is its own.
void judge_printed(const Case& test, const std::vector<Outcome>& outcomes, Verdict& verdict) {
  const std::string& first = outcomes.front().printed;
  for (const Outcome& outcome : outcomes) {
    const bool is_ordered = !is_gpu(outcome.executor);
    if (outcome.printed == first || (!is_ordered && sorted_lines(outcome.printed) == sorted_lines(first))) continue;
    verdict.failures.push_back(fmt::format("{} (+) prints other lines than {} (-):\n{}", outcome.executor,
                                           outcomes.front().executor, text_diff(first, outcome.printed)));
  }
  const std::string expected = test.printed() == nullptr ? "" : *test.printed();
  if (test.agreement || expected == first) return;
  verdict.wrong_stdout = first;
  verdict.failures.push_back("expected (-) and printed (+) lines differ:\n" + text_diff(expected, first));
}

void judge_values(const Case& test, const PreparedRun& run, const std::vector<Outcome>& outcomes,
                  const NumpyResult* numpy, Verdict& verdict) {
  const std::vector<io::HostArray> first = outs_of(run, outcomes.front());
  for (const Outcome& outcome : outcomes) {
    if (outcome.failure)
      verdict.failures.push_back(outcome.executor + ": " + *outcome.failure);
    else
      compare_outs(run, outcome, first, is_gpu(outcome.executor) && test.gpu_is_near ? test.compare : CompareRule{},
                   outcomes.front().executor, verdict);
  }
  judge_printed(test, outcomes, verdict);
  if (test.agreement || run.outs.empty()) return;
  if (numpy != nullptr) {
    if (!numpy->error.empty())
      verdict.failures.push_back(numpy->error);
    else
      compare_outs(run, outcomes.front(), numpy->outs, test.compare, "NumPy", verdict);
  } else if (test.expect() == nullptr || test.expect()->empty()) {
    check_expect(test, expect_text(run, outcomes.front()), verdict);
  } else {
    compare_with_expect(test, run, outcomes.front(), verdict);
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

Verdict judge_run(const Case& test, const PreparedRun& run, const NumpyResult* numpy) {
  Verdict verdict;
  const std::vector<Outcome> outcomes = run_everywhere(test, run);
  for (const Outcome& outcome : outcomes) {
    if (outcome.problem) verdict.failures.push_back(outcome.executor + ": " + *outcome.problem);
  }
  if (test.runtime_error)
    judge_failure(test, outcomes, verdict);
  else
    judge_values(test, run, outcomes, numpy, verdict);
  const char* looks = std::getenv("JITC_TEST_CODE");
  const bool is_off = looks != nullptr && std::string_view(looks) == "off";
  if (test.check_code && !is_off) check_code(*run.function, run.signature, verdict);
  check_patterns(test, {*run.function}, verdict);
  return verdict;
}

}  // namespace jitc::cases
