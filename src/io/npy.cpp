#include "src/io/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "src/io/file.hpp"
#include "src/io/input_error.hpp"
#include "src/io/npy_header.hpp"

namespace jitc::io {

namespace {

size_t expected_bytes(const NpyHeader& header, const std::string& name) {
  try {
    return checked_size_bytes(header.dtype, header.shape);
  } catch (const InputError& error) { throw InputError(ErrorCode::io, fmt::format("{}: {}", name, error.what())); }
}

void check_data_size(const NpyHeader& header, size_t found, const std::string& name) {
  const size_t expected = expected_bytes(header, name);
  if (found == expected) return;
  const std::string what = type_text(header.dtype, header.shape);
  if (found < expected) {
    throw InputError(
        ErrorCode::io,
        fmt::format("{}: it is cut short: {} has {} bytes of data, {} are there", name, what, expected, found),
        "write the file again");
  }
  throw InputError(ErrorCode::io,
                   fmt::format("{}: {} bytes follow after the {} bytes of {}", name, found - expected, expected, what),
                   "a file holds one array; write it again with np.save");
}

void swap_bytes(HostArray& array) {
  const auto width = static_cast<std::ptrdiff_t>(size_bytes(part_type(array.dtype)));
  for (auto at = array.bytes.begin(); at != array.bytes.end(); at += width) std::reverse(at, at + width);
}

/// Any byte but 0 is True.
void normalise_bools(HostArray& array) {
  for (std::byte& value : array.bytes) value = value == std::byte{0} ? std::byte{0} : std::byte{1};
}

/// `array.bytes` are in Fortran order of `array.shape`: brings them into C order.
HostArray from_fortran(HostArray array) {
  std::reverse(array.shape.begin(), array.shape.end());
  HostArray out = transposed(array);
  out.fortran_order = true;
  return out;
}

}  // namespace

HostArray parse_npy(std::vector<std::byte> file, const std::string& name) {
  const NpyHeader header = parse_npy_header(file, name);
  check_data_size(header, file.size() - header.data_offset, name);
  file.erase(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(header.data_offset));
  HostArray out{header.dtype, header.shape, std::move(file), false};
  if (header.big_endian) swap_bytes(out);
  if (is_bool(out.dtype)) normalise_bools(out);
  return header.fortran_order ? from_fortran(std::move(out)) : out;
}

HostArray read_npy(const std::string& path) { return parse_npy(read_file(path), path); }

ArrayType read_npy_type(const std::string& path) {
  NpyHeader header = parse_npy_header(read_file(path, kMaxNpyHeaderBytes), path);
  return {header.dtype, std::move(header.shape)};
}

void write_npy(const std::string& path, const HostArray& array) {
  const std::string header = format_npy_header(array.dtype, array.shape);
  const std::array<std::span<const std::byte>, 2> parts = {std::as_bytes(std::span(header)), std::span(array.bytes)};
  write_file(path, parts);
}

}  // namespace jitc::io
