// write_png(): the file is made in memory and written as a whole.
#include <fmt/format.h>

#include <array>
#include <new>
#include <span>

#include "src/io/file.hpp"
#include "src/io/input_error.hpp"
#include "src/io/picture.hpp"
#include "src/io/png.hpp"
#include "src/io/png_error.hpp"

namespace jitc::io {

namespace {

/// libpng's state of one file that is written, freed on every way out.
class Writer {
 public:
  explicit Writer(std::vector<std::byte>& out)
      : png_(png_create_write_struct(PNG_LIBPNG_VER_STRING, &error_, jump_out, ignore_warning)) {
    if (png_ == nullptr) throw std::bad_alloc();
    info_ = png_create_info_struct(png_);
    if (info_ == nullptr) {
      png_destroy_write_struct(&png_, nullptr);
      throw std::bad_alloc();
    }
    png_set_write_fn(png_, &out, append, [](png_structp) {});
  }
  ~Writer() { png_destroy_write_struct(&png_, &info_); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  png_structp png() const { return png_; }
  png_infop info() const { return info_; }
  const char* message() const { return error_.message; }

 private:
  /// No exception may cross libpng.
  static void append(png_structp png, png_bytep data, size_t count) {
    auto& out = *static_cast<std::vector<std::byte>*>(png_get_io_ptr(png));
    bool done = false;
    try {
      const std::span<const std::byte> bytes = std::as_bytes(std::span(data, count));
      out.insert(out.end(), bytes.begin(), bytes.end());
      done = true;
    } catch (const std::bad_alloc&) {}
    if (!done) png_error(png, "out of memory");
  }

  PngError error_;
  png_structp png_;
  png_infop info_ = nullptr;
};

int colour_of(int channels) {
  return channels == 1 ? PNG_COLOR_TYPE_GRAY : channels == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGBA;
}

/// False after a longjmp: nothing in this function owns memory.
bool encode(png_structp png, png_infop info, const Picture& picture, size_t row_bytes) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
  png_set_IHDR(png, info, picture.width, picture.height, picture.bits, colour_of(picture.channels), PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  if (picture.bits == 1) png_set_packing(png);
  if (picture.bits == 16) png_set_swap(png);
  const auto* row = reinterpret_cast<png_const_bytep>(picture.samples.data());
  for (uint32_t y = 0; y < picture.height; ++y) png_write_row(png, row + y * row_bytes);
  png_write_end(png, nullptr);
  return true;
}

}  // namespace

void write_png(const std::string& path, const HostArray& array) {
  const ScaledPicture source = to_picture(array, path);
  std::vector<std::byte> file;
  {
    const Writer writer(file);
    if (!encode(writer.png(), writer.info(), source.picture, source.picture.row_bytes())) {
      throw InputError(ErrorCode::io, fmt::format("cannot write {}: {}", path, writer.message()));
    }
  }
  const std::array<std::span<const std::byte>, 1> parts = {std::span(file)};
  write_file(path, parts);
}

}  // namespace jitc::io
