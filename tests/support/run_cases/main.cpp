// run_cases [--filter WORD] [--list] [--rebase] [-v] PATH…
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/support/run_cases/run_case.hpp"

namespace jitc::cases {

namespace {

namespace fs = std::filesystem;

struct CommandLine {
  std::vector<fs::path> paths;
  std::string filter;
  bool list = false, rebase = false, verbose = false;
};

CommandLine parse_command_line(const std::vector<std::string>& words) {
  CommandLine out;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--list")
      out.list = true;
    else if (words[i] == "--rebase")
      out.rebase = true;
    else if (words[i] == "-v")
      out.verbose = true;
    else if (words[i] == "--filter" && i + 1 < words.size())
      out.filter = words[++i];
    else
      out.paths.emplace_back(words[i]);
  }
  return out;
}

/// All cases below the paths whose path holds the filter, sorted.
std::vector<fs::path> find_cases(const CommandLine& line) {
  std::vector<fs::path> found;
  for (const fs::path& path : line.paths) {
    if (!fs::exists(path)) throw CaseError("there is no " + path.string());
    if (fs::is_regular_file(path)) found.push_back(path);
    if (!fs::is_directory(path)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
      if (entry.path().extension() == ".case") found.push_back(entry.path());
    }
  }
  std::erase_if(found, [&](const fs::path& path) { return path.string().find(line.filter) == std::string::npos; });
  std::sort(found.begin(), found.end());
  return found;
}

/// A case with all that is known of it so far.
struct Entry {
  fs::path path;
  std::optional<Case> test;
  std::optional<PreparedRun> run;
  std::optional<size_t> numpy_job;
  std::string error;  ///< the case could not be read or prepared
};

Entry prepare(const fs::path& path, std::vector<NumpyJob>& jobs) {
  Entry entry{.path = path};
  try {
    entry.test = parse_case(read_case_file(path));
    if (entry.test->mode != Mode::kRun) return entry;
    entry.run = prepare_run(*entry.test);
    entry.error = entry.run->error;
    if (entry.error.empty() && !entry.test->numpy_script.empty()) {
      entry.numpy_job = jobs.size();
      jobs.push_back(numpy_job(*entry.test, *entry.run));
    }
  } catch (const std::exception& error) { entry.error = error.what(); }
  return entry;
}

Verdict judge(const Entry& entry, const std::vector<NumpyResult>& numpy) {
  if (!entry.error.empty()) return {{entry.error}, {}, {}};
  try {
    if (!entry.run) return judge_text(*entry.test);
    return judge_run(*entry.test, *entry.run, entry.numpy_job ? &numpy[*entry.numpy_job] : nullptr);
  } catch (const std::exception& error) { return {{error.what()}, {}, {}}; }
}

/// Nothing is wrong but sections that can be written anew.
bool is_only_text(const Verdict& verdict) {
  const size_t sections = (verdict.wrong_expect ? 1 : 0) + (verdict.wrong_stdout ? 1 : 0);
  return sections != 0 && verdict.failures.size() == sections;
}

void rebase(CaseFile file, const Verdict& verdict) {
  if (verdict.wrong_expect) file.set_section("expect", *verdict.wrong_expect);
  if (verdict.wrong_stdout) file.set_section("stdout", *verdict.wrong_stdout);
  write_case_file(file);
}

/// True when the case passed, or was rebased.
bool report(const Entry& entry, const Verdict& verdict, const CommandLine& line) {
  if (line.rebase && is_only_text(verdict)) {
    rebase(entry.test->file, verdict);
    fmt::print("rebased {}\n", entry.path.string());
    return true;
  }
  if (verdict.failures.empty()) {
    if (line.verbose) fmt::print("ok      {}\n", entry.path.string());
    return true;
  }
  fmt::print("FAILED  {}\n", entry.path.string());
  for (const std::string& failure : verdict.failures) fmt::print("  {}\n", failure);
  return false;
}

int run(const CommandLine& line) {
  const std::vector<fs::path> paths = find_cases(line);
  if (line.list) {
    for (const fs::path& path : paths) fmt::print("{}\n", path.string());
    return 0;
  }
  if (paths.empty()) throw CaseError("no case is there to run");
  std::vector<NumpyJob> jobs;
  std::vector<Entry> entries;
  for (const fs::path& path : paths) entries.push_back(prepare(path, jobs));
  const std::vector<NumpyResult> numpy = run_numpy(jobs);
  size_t failed = 0;
  for (const Entry& entry : entries) {
    if (!report(entry, judge(entry, numpy), line)) ++failed;
    std::fflush(stdout);
  }
  fmt::print("{} cases, {} failed\n", entries.size(), failed);
  return failed == 0 ? 0 : 1;
}

}  // namespace

}  // namespace jitc::cases

int main(int argc, char** argv) {
  try {
    return jitc::cases::run(jitc::cases::parse_command_line({argv + 1, argv + argc}));
  } catch (const std::exception& error) {
    fmt::print(stderr, "run_cases: {}\n", error.what());
    return 2;
  }
}
