// <folder>/entries/<32 digits>, and <folder>/locks/<32 digits> while a value is made.
#include "src/cache/disk_cache.hpp"

#include "src/cache/eviction.hpp"

namespace jitc::cache {

namespace {

/// Larger files are not ours.
constexpr uint64_t kMaxEntryBytes = uint64_t{256} << 20;
/// A process that takes longer to make a value is not waited for.
constexpr double kLockSeconds = 60;
/// The folder is looked through for what must go when so much of its limit was written since the last time.
constexpr uint64_t kTrimFraction = 16;

std::optional<Entry> read_entry(const Folder& folder, const std::string& name) {
  const std::optional<std::string> bytes = folder.read(name, kMaxEntryBytes);
  return bytes ? decode(*bytes) : std::nullopt;
}

std::optional<std::string> value_in(const Folder& folder, const std::string& name, std::string_view build,
                                    std::string_view key) {
  std::optional<Entry> entry = read_entry(folder, name);
  if (!entry || entry->build != build || entry->key != key) return {};
  return std::move(entry->value);
}

}  // namespace

DiskCache::DiskCache(const Settings& settings, std::string build)
    : build_(std::move(build)),
      folder_(settings.folder),
      why_off_(settings.why_off),
      limit_bytes_(settings.limit_bytes) {
  if (!settings.is_on()) {
    if (why_off_.empty()) why_off_ = "no folder is named";
    return;
  }
  const Folder folder(settings.folder, Trust::own);
  entries_ = folder.inside("entries", true);
  locks_ = folder.inside("locks", true);
  if (!folder.usable()) {
    why_off_ = settings.folder + ": " + folder.why();
  } else if (!entries_ || !locks_) {
    why_off_ = settings.folder + ": its folders 'entries' and 'locks' cannot be made or used";
  }
  for (const std::string& path : settings.provided) {
    std::optional<Folder> entries = Folder(path, Trust::provided).inside("entries", false);
    if (entries) provided_.push_back(std::move(*entries));
  }
}

std::optional<std::string> DiskCache::find(std::string_view key) const {
  const std::string name = entry_name(build_, key);
  if (entries_) {
    std::optional<std::string> value = value_in(*entries_, name, build_, key);
    if (value) {
      entries_->touch(name);
      return value;
    }
  }
  for (const Folder& folder : provided_) {
    std::optional<std::string> value = value_in(folder, name, build_, key);
    if (value) return value;
  }
  return {};
}

bool DiskCache::store(std::string_view key, std::string_view title, std::string_view value) {
  if (!entries_) return false;
  const std::string bytes = encode({build_, std::string(title), std::string(key), std::string(value)});
  if (bytes.size() > kMaxEntryBytes || bytes.size() > limit_bytes_) return false;
  if (!entries_->write(entry_name(build_, key), bytes)) return false;
  const uint64_t written = written_bytes_ += bytes.size();
  if (!was_trimmed_.exchange(true) || written > limit_bytes_ / kTrimFraction) {
    written_bytes_ = 0;
    trim(*entries_, limit_bytes_);
    remove_old(*locks_);
  }
  return true;
}

/// Whoever waits for the lock of a file that is gone finds the value when it gets it.
DiskCache::Lock::~Lock() {
  if (held_) folder_->remove(name_);
}

DiskCache::Lock DiskCache::lock(std::string_view key) const {
  if (!locks_) return {};
  std::string name = entry_name(build_, key);
  Descriptor held = locks_->lock(name, kLockSeconds);
  return {*locks_, std::move(name), std::move(held)};
}

void DiskCache::for_each_file(bool read, const std::function<void(const FileInfo&)>& visit) const {
  if (!entries_) return;
  entries_->list([&](const std::string& name) {
    if (!is_entry_name(name)) return;
    const auto status = entries_->look_at(name);
    if (!status) return;
    FileInfo info{name, static_cast<uint64_t>(status->st_size), status->st_mtime, {}};
    if (read) {
      info.entry = read_entry(*entries_, name);
      // A whole file under the name of another key would never be found.
      if (info.entry && entry_name(info.entry->build, info.entry->key) != name) info.entry.reset();
    }
    visit(info);
  });
}

DiskCache::Removed DiskCache::clear() const {
  Removed removed;
  if (!entries_) return removed;
  const auto remove_ours = [&](const Folder& folder) {
    std::vector<std::string> names;
    folder.list([&](const std::string& name) {
      if (is_entry_name(name) || is_temporary_name(name)) names.push_back(name);
    });
    for (const std::string& name : names) {
      const auto status = folder.look_at(name);
      if (!folder.remove(name) || &folder != &*entries_) continue;
      ++removed.files;
      removed.size_bytes += status ? static_cast<uint64_t>(status->st_size) : 0;
    }
  };
  remove_ours(*entries_);
  remove_ours(*locks_);
  return removed;
}

}  // namespace jitc::cache
