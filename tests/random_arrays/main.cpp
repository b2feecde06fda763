// random_arrays [--seed N] [--count N] [--where reference,cpu,emulator] [--shrink] …: see README.md.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "tests/random_arrays/expected.hpp"
#include "tests/random_arrays/forked_check.hpp"
#include "tests/random_arrays/generate.hpp"
#include "tests/random_arrays/options.hpp"
#include "tests/random_arrays/shrink.hpp"

namespace jitc::random_arrays {

namespace {

/// A difference that was made on purpose must shrink to so few statements.
constexpr size_t kSmall = 2;

class Run {
 public:
  explicit Run(const Options& options) : options_(options), checker_(options.mistake) {}

  /// Whether all went as expected.
  bool all() {
    for (uint64_t number = options_.seed; number < options_.seed + options_.count; ++number) {
      const Program program = generate(number);
      if (options_.print) print(program);
      const std::vector<Where> wheres = wheres_of(number);
      const auto difference = check(program, wheres);
      if (!difference) continue;
      ++differences_;
      if (shown_.size() < options_.show && shown_.insert(difference->kind).second) report(program, wheres, *difference);
      if (options_.expect_difference) break;
    }
    sum_up();
    if (options_.expect_difference) return differences_ != 0 && smallest_statements_ <= kSmall;
    return differences_ == 0;
  }

 private:
  std::vector<Where> wheres_of(uint64_t number) const {
    const auto is_one = [&](uint64_t every, uint64_t rest) { return every != 0 && number % every == rest % every; };
    std::vector<Where> out = options_.where;
    if (is_one(options_.gpu_every, 0)) out = {Where::reference_gpu};
    if (is_one(options_.cpu_every, 1)) out.push_back(Where::cpu);
    if (is_one(options_.emulator_every, 2)) out.push_back(Where::emulator);
    return out;
  }

  std::optional<Difference> check(const Program& program, const std::vector<Where>& wheres) {
    return options_.fork ? forked_check(program, wheres, options_.mistake) : checker_.check(program, wheres);
  }

  void report(const Program& program, const std::vector<Where>& wheres, const Difference& difference) {
    Program smallest = program;
    if (options_.shrink) {
      smallest = shrink(program, [&](const Program& candidate) {
        const auto found = check(candidate, wheres);
        return found && found->kind == difference.kind;
      });
    }
    smallest_statements_ = smallest.stmts.size();
    fmt::print("--- {}\n", check(smallest, wheres).value_or(difference).text);
    print(smallest);
  }

  static void print(const Program& program) {
    fmt::print("seed {}\n{}", program.seed, text_of(program));
    for (const Parameter& p : program.params) {
      fmt::print("{}\n", argument_text(p));
      fmt::print("# {}: {} ({}) order ({}) steps ({}) seed {}\n", p.name, name(p.dtype), fmt::join(p.shape, ", "),
                 fmt::join(p.order, ", "), fmt::join(p.steps, ", "), p.seed);
    }
  }

  void sum_up() const {
    const Counts& counts = checker_.counts();
    fmt::print("{} programs from seed {}, {} with a difference, {} whose call must fail;", options_.count,
               options_.seed, differences_, counts.failures);
    for (const auto& [where, count] : counts.programs) fmt::print(" {} on {},", count, name_of(where));
    for (const auto& [part, ms] : counts.milliseconds) fmt::print(" {} {:.1f} s", part, ms / 1000);
    fmt::print("\n");
  }

  const Options& options_;
  Checker checker_;
  std::set<std::string> shown_;
  uint64_t differences_ = 0;
  size_t smallest_statements_ = 0;
};

}  // namespace

}  // namespace jitc::random_arrays

int main(int argc, char** argv) {
  using namespace jitc::random_arrays;
  try {
    const Options options = parse_options({argv + 1, argv + argc});
    return Run(options).all() ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "random_arrays: {}\n", error.what());
    return 2;
  }
}
