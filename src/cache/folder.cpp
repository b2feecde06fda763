#include "src/cache/folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <memory>
#include <thread>

namespace jitc::cache {

namespace {

constexpr std::string_view kTemporary = ".new-";
constexpr mode_t kWritableByOthers = S_IWGRP | S_IWOTH;

std::string reason() { return std::strerror(errno); }

bool is_plain(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

/// A write past the limit of the process (ulimit -f) would end it.
bool is_allowed_size(size_t bytes) {
  struct rlimit limit;
  return ::getrlimit(RLIMIT_FSIZE, &limit) != 0 || bytes <= limit.rlim_cur;
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

std::optional<std::string> read_all(int fd, size_t size) {
  std::string bytes(size, '\0');
  size_t done = 0;
  while (done < size) {
    const ssize_t count = ::read(fd, bytes.data() + done, size - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return {};
    done += static_cast<size_t>(count);
  }
  return bytes;
}

/// Of no other writer, in this process or another.
std::string temporary_name() {
  static std::atomic<uint64_t> count{0};
  return std::string(kTemporary) + std::to_string(::getpid()) + "-" + std::to_string(count++);
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

int Descriptor::release() {
  const int fd = fd_;
  fd_ = -1;
  return fd;
}

bool is_temporary_name(std::string_view name) { return name.starts_with(kTemporary); }

Folder::Folder(const std::string& path, Trust trust) : trust_(trust) {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::path(path).lexically_normal();
  if (trust == Trust::own) {
    std::filesystem::create_directories(folder.parent_path(), error);
    ::mkdir(folder.c_str(), S_IRWXU);
  }
  fd_ = Descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd_) {
    why_ = errno == ENOTDIR || errno == ELOOP ? "it is a link or a file, not a folder" : reason();
    return;
  }
  why_ = distrust();
  if (!why_.empty()) fd_ = Descriptor();
}

std::string Folder::distrust() const {
  struct stat status;
  if (::fstat(fd_.get(), &status) != 0) return reason();
  if (is_trusted(status)) return {};
  if ((status.st_mode & kWritableByOthers) != 0) return "other users may write to it: name a folder of your own";
  return "it belongs to another user";
}

bool Folder::is_trusted(const struct stat& file) const {
  const bool is_ours = file.st_uid == ::geteuid() || (trust_ == Trust::provided && file.st_uid == 0);
  return is_ours && (file.st_mode & kWritableByOthers) == 0;
}

std::optional<Folder> Folder::inside(const std::string& name, bool make) const {
  if (!usable() || !is_plain(name)) return {};
  if (make) ::mkdirat(fd_.get(), name.c_str(), S_IRWXU);
  Folder folder(Descriptor(::openat(fd_.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)), trust_);
  if (!folder.usable() || !folder.distrust().empty()) return {};
  return folder;
}

std::optional<std::string> Folder::read(const std::string& name, uint64_t max_bytes) const {
  if (!usable() || !is_plain(name)) return {};
  // Without O_NONBLOCK a pipe of that name would be waited for.
  const Descriptor file(::openat(fd_.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status;
  if (!file || ::fstat(file.get(), &status) != 0) return {};
  if (!S_ISREG(status.st_mode) || !is_trusted(status)) return {};
  if (status.st_size < 0 || static_cast<uint64_t>(status.st_size) > max_bytes) return {};
  return read_all(file.get(), static_cast<size_t>(status.st_size));
}

bool Folder::write(const std::string& name, std::string_view bytes) const {
  if (!usable() || !is_plain(name) || !is_allowed_size(bytes.size())) return false;
  const std::string temporary = temporary_name();
  const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  Descriptor file(::openat(fd_.get(), temporary.c_str(), flags, S_IRUSR | S_IWUSR));
  if (!file) return false;
  const bool is_whole = write_all(file.get(), bytes) && ::close(file.release()) == 0;
  if (is_whole && ::renameat(fd_.get(), temporary.c_str(), fd_.get(), name.c_str()) == 0) return true;
  ::unlinkat(fd_.get(), temporary.c_str(), 0);
  return false;
}

bool Folder::remove(const std::string& name) const {
  return usable() && is_plain(name) && ::unlinkat(fd_.get(), name.c_str(), 0) == 0;
}

void Folder::touch(const std::string& name) const {
  const struct timespec times[2] = {{0, UTIME_OMIT}, {0, UTIME_NOW}};
  if (usable() && is_plain(name)) ::utimensat(fd_.get(), name.c_str(), times, AT_SYMLINK_NOFOLLOW);
}

std::optional<struct stat> Folder::look_at(const std::string& name) const {
  struct stat status;
  if (!usable() || !is_plain(name)) return {};
  if (::fstatat(fd_.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return {};
  if (!S_ISREG(status.st_mode) || !is_trusted(status)) return {};
  return status;
}

void Folder::list(const std::function<void(const std::string& name)>& visit) const {
  if (!usable()) return;
  const int fd = ::openat(fd_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(fd), ::closedir);
  if (!stream) {
    ::close(fd);
    return;
  }
  while (const dirent* found = ::readdir(stream.get())) {
    const std::string name = found->d_name;
    if (is_plain(name)) visit(name);
  }
}

Descriptor Folder::lock(const std::string& name, double seconds) const {
  using Clock = std::chrono::steady_clock;
  if (!usable() || !is_plain(name)) return {};
  const int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  Descriptor file(::openat(fd_.get(), name.c_str(), flags, S_IRUSR | S_IWUSR));
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  auto pause = std::chrono::microseconds(100);
  while (file && ::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    const bool is_held = errno == EWOULDBLOCK || errno == EINTR;
    if (!is_held || Clock::now() > end) return {};
    std::this_thread::sleep_for(pause);
    if (pause < std::chrono::milliseconds(10)) pause *= 2;
  }
  return file;
}

}  // namespace jitc::cache
