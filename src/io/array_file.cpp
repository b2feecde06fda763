#include "src/io/array_file.hpp"

#include "src/io/png.hpp"

namespace jitc::io {

namespace {

/// A name of more than the ending.
bool has_ending(std::string_view path, std::string_view ending) {
  return path.size() > ending.size() && path.ends_with(ending);
}

}  // namespace

bool is_array_file(std::string_view path) { return has_ending(path, ".npy") || is_picture_file(path); }

bool is_picture_file(std::string_view path) { return has_ending(path, ".png"); }

HostArray read_array_file(const std::string& path) { return is_picture_file(path) ? read_png(path) : read_npy(path); }

ArrayType read_array_file_type(const std::string& path) {
  return is_picture_file(path) ? read_png_type(path) : read_npy_type(path);
}

void write_array_file(const std::string& path, const HostArray& array) {
  return is_picture_file(path) ? write_png(path, array) : write_npy(path, array);
}

}  // namespace jitc::io
