// Measures the library against MPFR and writes the table of docs/accuracy.md: see options.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "tests/accuracy/accuracy_page.hpp"
#include "tests/accuracy/exhaustive.hpp"
#include "tests/accuracy/options.hpp"
#include "tests/accuracy/progress.hpp"
#include "tests/accuracy/quick_reference.hpp"

namespace jitc::accuracy {
namespace {

using math_test::Reference;
using math_test::Worst;

/// One row to measure.
struct Job {
  const Reference* reference;
  std::string type;
};

bool is_wanted(const std::vector<std::string>& list, const std::string& name) {
  return list.empty() || std::find(list.begin(), list.end(), name) != list.end();
}

void check_names(const std::vector<std::string>& names, bool one_parameter) {
  for (const std::string& name : names) {
    const Reference* reference = math_test::find_reference(name);
    if (reference == nullptr) throw std::runtime_error("there is no measured function " + name);
    if (one_parameter && reference->arity != 1) throw std::runtime_error(name + " has more than one parameter");
  }
}

std::vector<Job> jobs_of(const Options& options) {
  std::vector<Job> jobs;
  for (const PageRow& row : wanted_rows()) {
    if (!row.is_measured() || !is_wanted(options.functions, row.function) || !is_wanted(options.types, row.type))
      continue;
    jobs.push_back({math_test::find_reference(row.function), row.type});
  }
  return jobs;
}

Worst sampled(const Reference& reference, const std::string& type, const Options& options,
              const std::function<void(uint64_t)>& on_points) {
  const uint64_t seed = options.seed == 0 ? math_test::kUsualSeed : options.seed;
  if (type == "f8") return math_test::measure<double>(reference, options.points, seed, on_points);
  return math_test::measure<float>(reference, options.points, seed, on_points);
}

/// The worst of `known` and of a search on from there.
Worst search_on(const Reference& reference, DType dtype, const Worst& known, SearchOptions options) {
  options.least = known.ulps;
  Worst worst = known;
  worst.merge(measure_all(reference, dtype, options));
  return worst;
}

bool is_half(const std::string& type) { return type == "f2" || type == "bf16"; }

/// Arguments that libm looks at first, besides those of MPFR alone: they take about a hundredth of the time.
uint64_t quick_points(const Job& job, const Options& options) {
  if (is_half(job.type) || !quick_function(job.reference->name)) return 0;
  return job.type == "f4" && job.reference->arity == 1 ? (uint64_t{1} << 32) / options.step : options.quick_points;
}
constexpr uint64_t kQuickPart = 100;

PageRow measure(const Job& job, const Options& options, const std::function<void(uint64_t)>& on_points) {
  const Reference& reference = *job.reference;
  const DType dtype = *dtype_from_name(job.type);
  if (is_half(job.type))
    return measured_row(reference, job.type, measure_all(reference, dtype, {.on_points = on_points}), true);
  Worst worst = sampled(reference, job.type, options, on_points);
  if (const uint64_t count = quick_points(job, options); count != 0) {
    const auto on_quick = [&](uint64_t done) { on_points(done / kQuickPart); };
    worst = search_on(reference, dtype, worst,
                      {.step = options.step, .random_points = count, .seed = options.seed, .on_points = on_quick});
  }
  return measured_row(reference, job.type, worst, false);
}

uint64_t points_of(const Job& job, const Options& options) {
  if (is_half(job.type)) return uint64_t{1} << 16;
  return static_cast<uint64_t>(options.points) + quick_points(job, options) / kQuickPart;
}

/// All jobs, several at once; the rows in the order of the jobs.
std::vector<PageRow> measure_jobs(const std::vector<Job>& jobs, const Options& options) {
  uint64_t points = 0;
  for (const Job& job : jobs) points += points_of(job, options);
  Progress progress(points);
  std::vector<PageRow> rows(jobs.size());
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      for (size_t i = next++; i < jobs.size(); i = next++) {
        progress.name(fmt::format("{} {}", jobs[i].reference->name, jobs[i].type));
        rows[i] = measure(jobs[i], options, [&](uint64_t done) { progress.add(done); });
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
    mpfr_free_cache();
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < options.threads; ++i) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
  if (failure) std::rethrow_exception(failure);
  return rows;
}

/// What random points find is where the search starts: little is worse.
PageRow measure_exhaustively(const std::string& name, const Options& options) {
  const Reference& reference = *math_test::find_reference(name);
  Progress progress(uint64_t{1} << 32);
  progress.name(name + " f4");
  const Worst known = sampled(reference, "f4", options, {});
  const auto on_points = [&](uint64_t done) { progress.add(done); };
  Worst worst = search_on(reference, DType::f4, known, {.threads = options.threads, .on_points = on_points});
  worst.points = uint64_t{1} << 32;
  return measured_row(reference, "f4", worst, true);
}

/// A row of all arguments says more than one of random points, as long as nothing speaks against it.
bool stays(const PageRow& old, const PageRow& row) {
  if (!old.is_exhaustive() || row.is_exhaustive() || old.bound != row.bound) return false;
  const auto x = static_cast<float>(old.arguments().first);
  const Reference& reference = *math_test::find_reference(old.function);
  return ulps_text(math_test::error_at<float>(reference, x, 0), old.type) == old.found &&
         std::stod(row.found) <= std::stod(old.found);
}

void update_page(const std::string& page, const std::vector<PageRow>& measured) {
  std::vector<PageRow> rows = wanted_rows();
  const auto same = [](const PageRow& a, const PageRow& b) { return a.function == b.function && a.type == b.type; };
  const std::vector<PageRow> before = read_page(page);
  for (PageRow& row : rows) {
    if (!row.is_measured()) continue;
    const auto is_row = [&](const PageRow& other) { return same(row, other); };
    const auto old = std::find_if(before.begin(), before.end(), is_row);
    const auto found = std::find_if(measured.begin(), measured.end(), is_row);
    if (found != measured.end() && !(old != before.end() && stays(*old, *found)))
      row = *found;
    else if (old != before.end())
      row = *old;
  }
  write_page(page, rows);
}

void run(Options options) {
  if (options.threads == 0) options.threads = std::max(1U, std::thread::hardware_concurrency());
  check_names(options.functions, false);
  check_names(options.exhaustive, true);
  std::vector<PageRow> rows;
  if (options.exhaustive.empty()) rows = measure_jobs(jobs_of(options), options);
  for (const std::string& name : options.exhaustive) rows.push_back(measure_exhaustively(name, options));
  if (options.page.empty()) return fmt::print("{}", table_text(rows));
  update_page(options.page, rows);
}

}  // namespace
}  // namespace jitc::accuracy

int main(int argc, char** argv) {
  using namespace jitc::accuracy;
  try {
    const Options options = parse_options({argv + 1, argv + argc});
    if (options.help) return fmt::print("{}", kHelp), 0;
    setenv("JITC_CPU_THREADS", "1", 1);  // the threads are ours
    run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "accuracy_table: {}\n", error.what());
    return 1;
  }
}
