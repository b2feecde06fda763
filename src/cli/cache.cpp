// jitc cache: the kernels that are kept on disk.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "runtime/common/size_text.hpp"
#include "src/cache/build_id.hpp"
#include "src/cache/disk_cache.hpp"
#include "src/cli/commands.hpp"
#include "src/cli/console.hpp"
#include "src/cli/failure.hpp"
#include "src/cli/output_format.hpp"

namespace jitc::cli {

namespace {

using cache::FileInfo;

/// The cache that the environment names.
struct DiskState {
  cache::Settings settings = cache::settings_of_environment();
  cache::DiskCache disk{settings, cache::build_id()};

  DiskState() {
    if (!settings.problem.empty()) write_stderr(fmt::format("jitc: {}\n", settings.problem));
  }

  /// For what cannot be done without a folder.
  void require() const {
    if (disk.why_off().empty()) return;
    fail(fmt::format("there is no disk cache: {}", disk.why_off()), "see `jitc cache --help`");
  }
};

/// The one used last first.
std::vector<FileInfo> files_of(const DiskState& state) {
  std::vector<FileInfo> files;
  state.disk.for_each_file(true, [&](const FileInfo& file) { files.push_back(file); });
  std::sort(files.begin(), files.end(), [](const FileInfo& a, const FileInfo& b) {
    return a.used_at != b.used_at ? a.used_at > b.used_at : a.name < b.name;
  });
  return files;
}

bool is_current(const FileInfo& file) { return file.entry && file.entry->build == cache::build_id(); }

std::string status_of(const FileInfo& file) {
  if (!file.entry) return "damaged";
  return is_current(file) ? "current" : "other version";
}

std::string time_text(int64_t seconds) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::localtime(static_cast<std::time_t>(seconds)));
}

int show_path(const std::string& format) {
  const DiskState state;
  if (format == "json") {
    write_json({{"folder", state.settings.folder}, {"shared", state.settings.provided}});
    return kExitDone;
  }
  state.require();
  write_stdout(state.settings.folder + "\n");
  return kExitDone;
}

struct Sums {
  uint64_t files = 0, size_bytes = 0, current = 0, other_version = 0, damaged = 0;
};

Sums sums_of(const std::vector<FileInfo>& files) {
  Sums sums;
  for (const FileInfo& file : files) {
    ++sums.files;
    sums.size_bytes += file.size_bytes;
    ++(!file.entry ? sums.damaged : is_current(file) ? sums.current : sums.other_version);
  }
  return sums;
}

int show_stats(const std::string& format) {
  const DiskState state;
  const Sums sums = sums_of(files_of(state));
  if (format == "json") {
    nlohmann::ordered_json out;
    out["folder"] = state.settings.folder;
    out["off"] = nullptr;
    if (!state.disk.why_off().empty()) out["off"] = state.disk.why_off();
    out["shared"] = state.settings.provided;
    out["limit_bytes"] = state.settings.limit_bytes;
    out["size_bytes"] = sums.size_bytes;
    out["kernels"] = sums.files;
    out["current"] = sums.current;
    out["other_version"] = sums.other_version;
    out["damaged"] = sums.damaged;
    write_json(out);
    return kExitDone;
  }
  state.require();
  const auto row = [](std::string_view what, const std::string& value) {
    write_stdout(fmt::format("{:<14} {}\n", what, value));
  };
  row("folder", state.settings.folder);
  for (const std::string& folder : state.settings.provided) row("shared", folder);
  row("kernels", std::to_string(sums.files));
  row("of this jitc", std::to_string(sums.current));
  row("of others", std::to_string(sums.other_version));
  row("damaged", std::to_string(sums.damaged));
  row("size", fmt::format("{} of at most {}", runtime::size_text(sums.size_bytes),
                          runtime::size_text(state.settings.limit_bytes)));
  return kExitDone;
}

int show_list(const std::string& format) {
  const DiskState state;
  const std::vector<FileInfo> files = files_of(state);
  if (format == "json") {
    auto all = nlohmann::ordered_json::array();
    for (const FileInfo& file : files) {
      nlohmann::ordered_json row = {{"name", file.name}, {"size_bytes", file.size_bytes}, {"used", file.used_at}};
      row["status"] = status_of(file);
      row["kernel"] = nullptr;
      if (file.entry) row["kernel"] = file.entry->title;
      all.push_back(row);
    }
    write_json(all);
    return kExitDone;
  }
  state.require();
  std::string out = fmt::format("{:<19}  {:>10}  {:<13}  {}\n", "last used", "size", "status", "kernel");
  for (const FileInfo& file : files) {
    out += fmt::format("{:<19}  {:>10}  {:<13}  {}\n", time_text(file.used_at), runtime::size_text(file.size_bytes),
                       status_of(file), file.entry ? file.entry->title : "entries/" + file.name);
  }
  write_stdout(out);
  return kExitDone;
}

int clear(const std::string& format) {
  const DiskState state;
  state.require();
  const cache::DiskCache::Removed removed = state.disk.clear();
  if (format == "json") {
    write_json({{"removed", removed.files}, {"size_bytes", removed.size_bytes}});
  } else {
    write_stdout(fmt::format("removed {} file{}, {}, from {}\n", removed.files, removed.files == 1 ? "" : "s",
                             runtime::size_text(removed.size_bytes), state.settings.folder));
  }
  return kExitDone;
}

/// Damaged files are never used: removing them is all there is to do.
int verify(const std::string& format) {
  const DiskState state;
  state.require();
  const std::vector<FileInfo> files = files_of(state);
  std::vector<std::string> removed, kept;
  for (const FileInfo& file : files) {
    if (!file.entry) (state.disk.remove(file.name) ? removed : kept).push_back(file.name);
  }
  if (format == "json") {
    write_json({{"checked", files.size()}, {"removed", removed}, {"not_removed", kept}});
  } else {
    write_stdout(fmt::format("{} file{} checked, {} damaged{}\n", files.size(), files.size() == 1 ? "" : "s",
                             removed.size() + kept.size(), removed.empty() ? "" : " and removed"));
  }
  return kept.empty() ? kExitDone : kExitError;
}

constexpr const char* kHelp = R"(
Kernels are kept in jitc below XDG_CACHE_HOME, or ~/.cache, for the next process. The environment changes that:
  JITC_CACHE=off            keeps nothing on disk
  JITC_CACHE_DIR=FOLDER     keeps kernels there
  JITC_CACHE_SHARED=A:B     reads these folders too, and never writes to them
  JITC_CACHE_LIMIT=800M     what was not used for longest goes above that (512M)

examples:
  jitc cache stats
  jitc cache list --format=json
  JITC_CACHE=off jitc run axpy.dsl --arg a=2 --arg x=arange:f4[9] --arg y=ones:f4[9])";

struct Command {
  const char *name, *help;
  int (*run)(const std::string& format);
};

constexpr Command kCommands[] = {
    {"path", "Show the folder", show_path},
    {"stats", "Show how many kernels there are, and their size", show_stats},
    {"list", "List the kernels, the one used last first", show_list},
    {"clear", "Remove all kernels", clear},
    {"verify", "Read every file, and remove what is damaged", verify},
};

}  // namespace

void add_cache(CLI::App& app, Action& action) {
  CLI::App& command = *app.add_subcommand("cache", "Show, check or clear the kernels that are kept on disk");
  command.require_subcommand(1);
  command.footer(kHelp);
  for (const Command& row : kCommands) {
    auto format = std::make_shared<std::string>("text");
    CLI::App& sub = *command.add_subcommand(row.name, row.help);
    add_format(sub, *format, "Text, or JSON");
    sub.callback([format, run = row.run, &action] { action = [format, run] { return run(*format); }; });
  }
}

}  // namespace jitc::cli
