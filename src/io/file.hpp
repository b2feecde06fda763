// Whole files in and out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jitc::io {

/// All bytes of a file or pipe, or the first `max_bytes` of them. Throws InputError(io) with path and reason.
std::vector<std::byte> read_file(const std::string& path, size_t max_bytes = SIZE_MAX);

/// Replaces `path` by `parts`, one after the other, as a whole or not at all: the bytes go to a new file beside it that
/// takes its name at the end. A symbolic link keeps pointing where it did, and an existing file keeps its permissions.
/// Devices and pipes are written in place. Throws InputError(io) with path and reason.
void write_file(const std::string& path, std::span<const std::span<const std::byte>> parts);
void write_file(const std::string& path, std::string_view text);

}  // namespace jitc::io
