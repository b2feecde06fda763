// An array in the process's own memory: what files and SPECs become before a device sees them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "jitc/dtype.hpp"
#include "jitc/program.hpp"

namespace jitc::io {

/// Elements in C order and in this machine's byte order; b1 elements are 0 or 1. Rank 0 holds one element.
struct HostArray {
  DType dtype = DType::f8;
  std::vector<int64_t> shape;
  std::vector<std::byte> bytes;
  /// No one has said what its elements are (`empty:`).
  bool is_undefined = false;
  /// The file it was read from was in Fortran order; `bytes` is in C order all the same.
  bool fortran_order = false;

  int rank() const { return static_cast<int>(shape.size()); }
  int64_t size() const { return static_cast<int64_t>(bytes.size() / size_bytes(dtype)); }
  /// The element at `index` in C order.
  Scalar element(int64_t index) const;
  /// `bits` are those of this array's dtype; `imag_bits` count for complex numbers only.
  void set_element(int64_t index, uint64_t bits, uint64_t imag_bits = 0);
};

/// Bytes of such an array. Throws InputError for negative extents and for more than this machine could hold.
size_t checked_size_bytes(DType dtype, const std::vector<int64_t>& shape);

/// All elements zero. Throws as checked_size_bytes() does.
HostArray make_zeros(DType dtype, std::vector<int64_t> shape);

/// The array with its axes reversed. Its C order is the Fortran order of `array`.
HostArray transposed(const HostArray& array);

/// "f4[2,3]".
std::string type_text(DType dtype, const std::vector<int64_t>& shape);

}  // namespace jitc::io
