// The header of a .npy file: magic, version, length, and a Python dict with descr, fortran_order and shape.
// Source: NumPy's numpy/lib/format.py, "Format Version 1.0" to "3.0".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jitc/dtype.hpp"

namespace jitc::io {

struct NpyHeader {
  DType dtype = DType::f8;
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<int64_t> shape;
  size_t data_offset = 0;  ///< bytes from the start of the file
};

/// No header is longer; np.save's have 128 bytes. The limit keeps damaged lengths from costing time.
inline constexpr size_t kMaxNpyHeaderBytes = size_t{1} << 20;

/// `file` is the whole file, or its first kMaxNpyHeaderBytes. Throws InputError that begins with `name` for anything
/// that is no such header or holds a type that jitc lacks.
NpyHeader parse_npy_header(std::span<const std::byte> file, const std::string& name);

/// All bytes before the data of a version 1.0 file in C order, as np.save writes them.
std::string format_npy_header(DType dtype, const std::vector<int64_t>& shape);

}  // namespace jitc::io
