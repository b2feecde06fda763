// read_png(): the whole file is in memory before libpng sees it, and its size is held against what the header promises.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "src/io/file.hpp"
#include "src/io/input_error.hpp"
#include "src/io/png.hpp"
#include "src/io/png_error.hpp"
#include "src/io/png_header.hpp"

namespace jitc::io {

namespace {

/// What of the file libpng has not read.
struct Source {
  const std::byte* at;
  size_t left;
};

void take_bytes(png_structp png, png_bytep out, size_t count) {
  auto* source = static_cast<Source*>(png_get_io_ptr(png));
  if (count > source->left) png_error(png, "it is cut short");
  std::memcpy(out, source->at, count);
  source->at += count;
  source->left -= count;
}

/// libpng's state of one file that is read, freed on every way out.
class Reader {
 public:
  explicit Reader(Source& source)
      : png_(png_create_read_struct(PNG_LIBPNG_VER_STRING, &error_, jump_out, ignore_warning)) {
    if (png_ == nullptr) throw std::bad_alloc();
    info_ = png_create_info_struct(png_);
    if (info_ == nullptr) {
      png_destroy_read_struct(&png_, nullptr, nullptr);
      throw std::bad_alloc();
    }
    png_set_read_fn(png_, &source, take_bytes);
  }
  ~Reader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  png_structp png() const { return png_; }
  png_infop info() const { return info_; }
  const char* message() const { return error_.message; }

 private:
  PngError error_;
  png_structp png_;
  png_infop info_ = nullptr;
};

/// Samples as PngHeader::array_type() has them: whole bytes, channels in full, this machine's byte order.
void ask_for_array(png_structp png, const PngHeader& header) {
  using Colour = PngHeader::Colour;
  if (header.colour == Colour::palette) {
    png_set_palette_to_rgb(png);
    png_set_strip_alpha(png);
  }
  if (header.colour == Colour::grey && header.bits == 1) png_set_packing(png);
  if (header.colour == Colour::grey && (header.bits == 2 || header.bits == 4)) png_set_expand_gray_1_2_4_to_8(png);
  if (header.colour == Colour::grey_alpha) png_set_gray_to_rgb(png);
  if (header.bits == 16) png_set_swap(png);
}

/// False after a longjmp: nothing in this function owns memory.
bool decode(png_structp png, png_infop info, const PngHeader& header, png_bytepp rows, size_t row_bytes) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
  png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
  // Texts, colour spaces and the like are skipped unread.
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
  png_read_info(png, info);
  ask_for_array(png, header);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  if (png_get_rowbytes(png, info) != row_bytes) png_error(png, "its rows are not as its header says");
  png_read_image(png, rows);
  png_read_end(png, nullptr);
  return true;
}

/// deflate makes at most 1032 bytes of one: RFC 1951, a match of 258 bytes in 2 bits.
void check_ratio(const PngHeader& header, size_t file_bytes, const std::string& name) {
  constexpr unsigned kMaxRatio = 1032;
  if (header.packed_bytes() / kMaxRatio <= file_bytes) return;
  throw InputError(ErrorCode::io,
                   fmt::format("{}: its header says {} × {} pixels, which a file of {} bytes cannot hold", name,
                               header.width, header.height, file_bytes),
                   "write the file again");
}

HostArray make_array(const PngHeader& header, const std::string& name) {
  const ArrayType type = header.array_type();
  try {
    return make_zeros(type.dtype, type.shape);
  } catch (const InputError& error) {
    throw InputError(ErrorCode::io, fmt::format("{}: {}", name, error.what()), error.help());
  }
}

}  // namespace

HostArray parse_png(const std::vector<std::byte>& file, const std::string& name) {
  const PngHeader header = parse_png_header(file, name);
  check_ratio(header, file.size(), name);
  HostArray out = make_array(header, name);
  const size_t row_bytes = out.bytes.size() / header.height;
  std::vector<png_bytep> rows;
  for (size_t y = 0; y < header.height; ++y) {
    rows.push_back(reinterpret_cast<png_bytep>(out.bytes.data() + y * row_bytes));
  }
  Source source{file.data(), file.size()};
  const Reader reader(source);
  if (!decode(reader.png(), reader.info(), header, rows.data(), row_bytes)) {
    throw InputError(ErrorCode::io, fmt::format("{}: it is damaged: {}", name, reader.message()),
                     "write the file again");
  }
  return out;
}

HostArray read_png(const std::string& path) { return parse_png(read_file(path), path); }

ArrayType read_png_type(const std::string& path) {
  return parse_png_header(read_file(path, kPngHeaderBytes), path).array_type();
}

}  // namespace jitc::io
