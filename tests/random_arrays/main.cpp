// random_arrays [--seed N] [--count N] [--where reference,cpu,emulator] [--shrink] …: see README.md.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <cstring>
#include <set>

#include "tests/random_arrays/check_program.hpp"
#include "tests/random_arrays/forked_check.hpp"
#include "tests/random_arrays/generate.hpp"
#include "tests/random_arrays/memory.hpp"
#include "tests/random_arrays/shrink.hpp"

namespace jitc::random_arrays {

namespace {

struct Options {
  uint64_t seed = 0, count = 100;
  bool shrink = false, print = false, fork = false, expect_difference = false;
  int show = 10;
  Mistake mistake = Mistake::none;
  std::vector<Where> always{Where::reference};
  uint64_t gpu_every = 0, cpu_every = 0, emulator_every = 0;
};

std::vector<Where> wheres_of(const Options& options, uint64_t number) {
  std::vector<Where> out = options.always;
  if (options.gpu_every != 0 && number % options.gpu_every == 0) out = {Where::reference_gpu};
  if (options.cpu_every != 0 && number % options.cpu_every == 1) out.push_back(Where::cpu);
  if (options.emulator_every != 0 && number % options.emulator_every == 2) out.push_back(Where::emulator);
  return out;
}

void print_program(const Program& program) {
  fmt::print("seed {}\n{}", program.seed, text_of(program));
  for (const Parameter& p : program.params) {
    fmt::print("# {}: {} ({}) order ({}) steps ({}) seed {}\n", p.name, name(p.dtype), fmt::join(p.shape, ", "),
               fmt::join(p.order, ", "), fmt::join(p.steps, ", "), p.seed);
  }
}

void report(Checker& checker, const Program& program, const std::vector<Where>& wheres, const Difference& difference,
            const Options& options) {
  const auto check = [&](const Program& candidate) {
    return options.fork ? forked_check(candidate, wheres, options.mistake) : checker.check(candidate, wheres);
  };
  Program smallest = program;
  if (options.shrink) {
    smallest = shrink(program, [&](const Program& candidate) {
      const auto found = check(candidate);
      return found && found->kind == difference.kind;
    });
  }
  fmt::print("--- {}\n", check(smallest).value_or(difference).text);
  print_program(smallest);
}

int run(const Options& options) {
  Checker checker(options.mistake);
  std::set<std::string> shown;
  uint64_t differences = 0;
  for (uint64_t number = options.seed; number < options.seed + options.count; ++number) {
    const Program program = generate(number);
    if (options.print) print_program(program);
    const std::vector<Where> wheres = wheres_of(options, number);
    const auto difference =
        options.fork ? forked_check(program, wheres, options.mistake) : checker.check(program, wheres);
    if (!difference) continue;
    ++differences;
    if (shown.insert(difference->kind).second && shown.size() <= static_cast<size_t>(options.show))
      report(checker, program, wheres, *difference, options);
    if (options.expect_difference) break;
  }
  const Counts& counts = checker.counts();
  fmt::print("{} programs from seed {}, {} with a difference, {} whose call fails;", options.count, options.seed, differences,
             counts.failures);
  for (const auto& [where, count] : counts.programs) fmt::print(" {} on {},", count, name_of(where));
  for (const auto& [part, ms] : counts.milliseconds) fmt::print(" {} {:.1f} s", part, ms / 1000);
  fmt::print("\n");
  return (differences != 0) == options.expect_difference ? 0 : 1;
}

std::vector<Where> parse_wheres(std::string text) {
  std::vector<Where> out;
  while (!text.empty()) {
    const std::string one = text.substr(0, text.find(','));
    text.erase(0, std::min(text.size(), one.size() + 1));
    bool known = false;
    for (const Where w : {Where::reference, Where::reference_gpu, Where::cpu, Where::emulator}) {
      if (one != name_of(w)) continue;
      out.push_back(w);
      known = true;
    }
    if (!known) throw std::runtime_error("there is no '" + one + "'; there are reference, reference_gpu, cpu, emulator");
  }
  return out;
}

Options parse(int argc, char** argv) {
  Options out;
  for (int k = 1; k < argc; ++k) {
    const std::string key = argv[k];
    const auto next = [&]() -> std::string {
      if (k + 1 == argc) throw std::runtime_error(key + " needs a value");
      return argv[++k];
    };
    const auto number = [&] { return std::stoull(next()); };
    if (key == "--seed") out.seed = number();
    else if (key == "--count") out.count = number();
    else if (key == "--where") out.always = parse_wheres(next());
    else if (key == "--gpu-every") out.gpu_every = number();
    else if (key == "--cpu-every") out.cpu_every = number();
    else if (key == "--emulator-every") out.emulator_every = number();
    else if (key == "--show") out.show = static_cast<int>(number());
    else if (key == "--shrink") out.shrink = true;
    else if (key == "--print") out.print = true;
    else if (key == "--fork") out.fork = true;
    else if (key == "--expect-difference") out.expect_difference = true;
    else if (key == "--mistake") out.mistake = next() == "sum" ? Mistake::sum_in_order : Mistake::swapped_subtraction;
    else throw std::runtime_error("there is no option " + key);
  }
  return out;
}

}  // namespace

}  // namespace jitc::random_arrays

int main(int argc, char** argv) {
  try {
    return jitc::random_arrays::run(jitc::random_arrays::parse(argc, argv));
  } catch (const std::exception& error) {
    fmt::print(stderr, "random_arrays: {}\n", error.what());
    return 2;
  }
}
