// A folder of files that only its owner could have written.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace jitc::cache {

/// A file descriptor that is closed at the end.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  int release();

 private:
  int fd_ = -1;
};

/// Who may have written what is read.
enum class Trust : uint8_t {
  own,       ///< this user alone
  provided,  ///< this user or root: what an administrator has installed
};

/// Files are opened relative to the folder, by plain names, without following links; what is no regular file, belongs
/// to someone else, or may be written by others is as if it were not there. No function throws or waits.
class Folder {
 public:
  /// Makes the folder, with those above it, where `trust` is own and it is missing. Where it cannot be used, why() says
  /// so. Links in the path above are followed.
  Folder(const std::string& path, Trust trust);

  bool usable() const { return static_cast<bool>(fd_); }
  const std::string& why() const { return why_; }

  /// The folder inside of that name, made where it is missing and `make` is set.
  std::optional<Folder> inside(const std::string& name, bool make) const;

  std::optional<std::string> read(const std::string& name, uint64_t max_bytes) const;
  /// Replaces the file as a whole or not at all.
  bool write(const std::string& name, std::string_view bytes) const;
  bool remove(const std::string& name) const;
  /// Notes that the file was used now.
  void touch(const std::string& name) const;

  /// Of a file that read() would read.
  std::optional<struct stat> look_at(const std::string& name) const;
  /// All names in it but "." and "..".
  void list(const std::function<void(const std::string& name)>& visit) const;

  /// Waits up to `seconds` for the lock file of that name; it is held as long as the result lives. Nothing where it
  /// cannot be had.
  Descriptor lock(const std::string& name, double seconds) const;

 private:
  Folder(Descriptor fd, Trust trust) : fd_(std::move(fd)), trust_(trust) {}
  bool is_trusted(const struct stat& file) const;
  /// Why the opened folder must not be used; empty where it may.
  std::string distrust() const;

  Descriptor fd_;
  Trust trust_;
  std::string why_;
};

/// Temporary files of write(); those of a process that was killed stay behind.
bool is_temporary_name(std::string_view name);

}  // namespace jitc::cache
