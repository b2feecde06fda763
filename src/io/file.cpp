#include "src/io/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "src/io/input_error.hpp"

namespace jitc::io {

namespace {

using Parts = std::span<const std::span<const std::byte>>;

[[noreturn]] void fail(std::string_view what, const std::string& path, int error) {
  throw InputError(ErrorCode::io, fmt::format("cannot {} {}: {}", what, path, std::strerror(error)));
}

/// An open file that is closed on every way out.
class OpenFile {
 public:
  explicit OpenFile(int fd) : fd_(fd) {}
  ~OpenFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int fd() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  /// 0, or errno: some file systems report a failed write only here.
  int close() { return ::close(std::exchange(fd_, -1)) == 0 ? 0 : errno; }

 private:
  int fd_;
};

/// 0, or errno.
int write_all(int fd, Parts parts) {
  for (std::span<const std::byte> part : parts) {
    while (!part.empty()) {
      const ssize_t count = ::write(fd, part.data(), part.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return errno;
      part = part.subspan(static_cast<size_t>(count));
    }
  }
  return 0;
}

/// Where `path` leads when its last part is a symbolic link, whether a file is there or not.
std::string resolve_links(const std::string& path) {
  constexpr int kMaxLinks = 40;
  std::filesystem::path out = path;
  std::error_code ignored;
  for (int i = 0; i < kMaxLinks && std::filesystem::is_symlink(out, ignored); ++i) {
    out = out.parent_path() / std::filesystem::read_symlink(out, ignored);
  }
  return out.string();
}

/// dir/x.npy -> dir/.x.npy.1234-0.tmp: other processes and threads make other names.
std::string temporary_name(const std::string& path) {
  static std::atomic<unsigned> counter = 0;
  const size_t slash = path.rfind('/');
  const size_t base = slash == std::string::npos ? 0 : slash + 1;
  return fmt::format("{}.{}.{}-{}.tmp", path.substr(0, base), path.substr(base), ::getpid(), counter++);
}

void write_in_place(const std::string& path, Parts parts) {
  OpenFile file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.is_open()) fail("write", path, errno);
  if (const int error = write_all(file.fd(), parts)) fail("write", path, error);
  if (const int error = file.close()) fail("write", path, error);
}

/// 0, or errno; the temporary file is complete and closed on success.
int write_temporary(OpenFile& file, const struct stat* replaced, Parts parts) {
  if (replaced != nullptr && ::fchmod(file.fd(), replaced->st_mode & 07777) != 0) return errno;
  if (const int error = write_all(file.fd(), parts)) return error;
  return file.close();
}

void write_and_rename(const std::string& path, const struct stat* replaced, Parts parts) {
  // Renaming needs no permission for the old file; writing to it would.
  if (replaced != nullptr && ::access(path.c_str(), W_OK) != 0) fail("write", path, errno);
  const std::string temporary = temporary_name(path);
  OpenFile file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file.is_open()) fail("write", path, errno);
  int error = write_temporary(file, replaced, parts);
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return;
  ::unlink(temporary.c_str());
  fail("write", path, error);
}

constexpr size_t kChunkBytes = size_t{1} << 16;

/// Reads from the current position to the end, whatever the size says, or up to `max_bytes`.
void read_all(int fd, const std::string& path, size_t max_bytes, std::vector<std::byte>& out) {
  size_t used = 0;
  while (used < max_bytes) {
    if (out.size() - used < kChunkBytes) out.resize(std::max(used + kChunkBytes, used + used / 2));
    const ssize_t count = ::read(fd, out.data() + used, out.size() - used);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("read", path, errno);
    if (count == 0) break;
    used += static_cast<size_t>(count);
  }
  out.resize(std::min(used, max_bytes));
}

}  // namespace

std::vector<std::byte> read_file(const std::string& path, size_t max_bytes) {
  OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) fail("read", path, errno);
  struct stat info {};
  if (::fstat(file.fd(), &info) != 0) fail("read", path, errno);
  std::vector<std::byte> out;
  // One spare chunk beyond the size, so that a regular file is read without growing.
  if (S_ISREG(info.st_mode)) out.resize(std::min(static_cast<size_t>(info.st_size), max_bytes) + kChunkBytes);
  read_all(file.fd(), path, max_bytes, out);
  return out;
}

void write_file(const std::string& path, Parts parts) {
  const std::string real = resolve_links(path);
  struct stat info {};
  const bool exists = ::stat(real.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) fail("write", path, EISDIR);
  if (exists && !S_ISREG(info.st_mode)) return write_in_place(real, parts);
  write_and_rename(real, exists ? &info : nullptr, parts);
}

void write_file(const std::string& path, std::string_view text) {
  const std::span<const std::byte> part = std::as_bytes(std::span(text));
  write_file(path, std::span(&part, 1));
}

}  // namespace jitc::io
