// Arrays in files whose names say of which kind they are: .npy or .png.
#pragma once

#include <string>
#include <string_view>

#include "src/io/host_array.hpp"
#include "src/io/npy.hpp"

namespace jitc::io {

/// The name ends in .npy or .png.
bool is_array_file(std::string_view path);
/// The name ends in .png.
bool is_picture_file(std::string_view path);

/// These throw as those of npy.hpp and png.hpp do; `path` must be an array file.
HostArray read_array_file(const std::string& path);
ArrayType read_array_file_type(const std::string& path);
void write_array_file(const std::string& path, const HostArray& array);

}  // namespace jitc::io
