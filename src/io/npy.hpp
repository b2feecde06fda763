// Arrays in NumPy's .npy files.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "src/io/host_array.hpp"

namespace jitc::io {

/// Versions 1.0 to 3.0, both orders, both byte orders, any rank. Throws InputError(io) that begins with the path for
/// unreadable files, dtypes that jitc lacks, and data that is too short or too long.
HostArray read_npy(const std::string& path);
/// The same from memory; `name` stands in for the path.
HostArray parse_npy(std::vector<std::byte> file, const std::string& name);

struct ArrayType {
  DType dtype;
  std::vector<int64_t> shape;
};
/// What the header says; reads no data. Throws as read_npy() does.
ArrayType read_npy_type(const std::string& path);

/// Writes version 1.0 in C order, byte for byte what np.save writes; as write_file() does, whole or not at all.
void write_npy(const std::string& path, const HostArray& array);

}  // namespace jitc::io
