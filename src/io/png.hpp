// Arrays in PNG files (PNG, third edition), through libpng.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "src/io/host_array.hpp"
#include "src/io/npy.hpp"

namespace jitc::io {

/// Writes the picture that `array` is (picture.hpp); as write_file() does, whole or not at all. No colour space is
/// named in the file: samples are stored as they are. Throws InputError: of to_picture(), and io with path and reason.
void write_png(const std::string& path, const HostArray& array);

/// Grey samples of 1 bit become b1[height,width], of 2, 4 and 8 bits u1, of 16 bits u2; red, green and blue
/// u1[height,width,3] or u2, with alpha 4 channels. A palette is resolved to u1[height,width,3], grey with alpha to
/// red, green, blue and alpha. Transparency of a palette or of one colour is left out, and so is a colour space. Throws
/// InputError(io) that begins with the path for files that cannot be read, are no PNG, damaged or cut short, and for
/// sizes that so short a file cannot hold, before memory is taken for them.
HostArray read_png(const std::string& path);
/// The same from memory; `name` stands in for the path.
HostArray parse_png(const std::vector<std::byte>& file, const std::string& name);

/// What the header says; reads no samples. Throws as read_png() does.
ArrayType read_png_type(const std::string& path);

}  // namespace jitc::io
