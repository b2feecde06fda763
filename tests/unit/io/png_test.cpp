#include "src/io/png.hpp"

#include <zlib.h>

#include <catch2/catch.hpp>

#include "src/io/file.hpp"
#include "src/io/format_array.hpp"
#include "src/io/input_error.hpp"
#include "src/io/picture.hpp"
#include "tests/support/temporary_folder.hpp"

using jitc::test::TemporaryFolder;

using namespace jitc;
using Catch::Matchers::Contains;

namespace {

std::string big_endian(uint32_t value) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>(value >> shift));
  return out;
}

std::string chunk(const std::string& name, const std::string& body) {
  const std::string covered = name + body;
  const auto* bytes = reinterpret_cast<const Bytef*>(covered.data());
  return big_endian(static_cast<uint32_t>(body.size())) + covered +
         big_endian(static_cast<uint32_t>(crc32(0, bytes, static_cast<uInt>(covered.size()))));
}

std::string deflated(const std::string& data) {
  std::string out(compressBound(data.size()), '\0');
  uLongf size = out.size();
  compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(data.data()), data.size());
  out.resize(size);
  return out;
}

struct Ihdr {
  uint32_t width = 1, height = 1;
  char bits = 8, colour = 0, interlace = 0;
};

/// A file of this header, these chunks and these rows, each with its filter byte.
std::string png(const Ihdr& h, const std::string& rows, const std::string& chunks = {}) {
  const std::string header = big_endian(h.width) + big_endian(h.height) + h.bits + h.colour + '\0' + '\0' + h.interlace;
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunks + chunk("IDAT", deflated(rows)) + chunk("IEND", "");
}

std::string text(const char* bytes, size_t count) { return {bytes, count}; }

/// The elements, or the refusal.
std::string parsed(const std::string& file) {
  const auto* bytes = reinterpret_cast<const std::byte*>(file.data());
  try {
    return io::format_literal(io::parse_png({bytes, bytes + file.size()}, "a.png"));
  } catch (const io::InputError& error) {
    CHECK(error.code() == ErrorCode::io);
    CHECK_FALSE(error.help().empty());
    return error.what();
  }
}

std::string refusal(const io::HostArray& array) {
  try {
    io::write_png("unwritten.png", array);
  } catch (const io::InputError& error) { return error.what(); }
  return "written";
}

}  // namespace

TEST_CASE("samples of every kind of PNG become elements") {
  CHECK(parsed(png({2, 1}, text("\0\1\xff", 3))) == "u1[1,2] {{1, 255}}");
  CHECK(parsed(png({2, 1, 16}, text("\0\1\2\xff\xfe", 5))) == "u2[1,2] {{258, 65534}}");
  CHECK(parsed(png({9, 1, 1}, text("\0\x81\x80", 3))) ==
        "b1[1,9] {{true, false, false, false, false, false, false, true, true}}");
  CHECK(parsed(png({3, 1, 2}, text("\0\x1b", 2))) == "u1[1,3] {{0, 85, 170}}");
  CHECK(parsed(png({2, 1, 4}, text("\0\x3f", 2))) == "u1[1,2] {{51, 255}}");
  CHECK(parsed(png({1, 1, 8, 2}, text("\0\1\2\3", 4))) == "u1[1,1,3] {{{1, 2, 3}}}");
  CHECK(parsed(png({1, 1, 8, 6}, text("\0\1\2\3\4", 5))) == "u1[1,1,4] {{{1, 2, 3, 4}}}");
  CHECK(parsed(png({1, 1, 16, 6}, text("\0\0\1\0\2\0\3\0\4", 9))) == "u2[1,1,4] {{{1, 2, 3, 4}}}");
  CHECK(parsed(png({1, 1, 8, 4}, text("\0\7\x80", 3))) == "u1[1,1,4] {{{7, 7, 7, 128}}}");
  CHECK(parsed(png({2, 1, 1, 3}, text("\0\x40", 2), chunk("PLTE", text("\1\2\3\4\5\6", 6)))) ==
        "u1[1,2,3] {{{1, 2, 3}, {4, 5, 6}}}");
}

TEST_CASE("transparency without a channel is left out, and what is not of the samples is skipped") {
  const std::string palette = chunk("PLTE", text("\1\2\3\4\5\6", 6)) + chunk("tRNS", text("\0", 1));
  CHECK(parsed(png({2, 1, 1, 3}, text("\0\x40", 2), palette)) == "u1[1,2,3] {{{1, 2, 3}, {4, 5, 6}}}");
  CHECK(parsed(png({2, 1}, text("\0\1\2", 3), chunk("tRNS", text("\0\1", 2)))) == "u1[1,2] {{1, 2}}");
  CHECK(parsed(png({1, 1}, text("\0\5", 2), chunk("gAMA", big_endian(100000)) + chunk("iCCP", "not a profile"))) ==
        "u1[1,1] {{5}}");
}

TEST_CASE("interlaced pictures are put together") {
  // The passes of 3 × 2 pixels that have any: 1, 4, 6 and 7.
  const std::string rows = text("\0\1", 2) + text("\0\3", 2) + text("\0\2", 2) + text("\0\4\5\6", 4);
  CHECK(parsed(png({3, 2, 8, 0, 1}, rows)) == "u1[2,3] {{1, 2, 3}, {4, 5, 6}}");
}

TEST_CASE("files that are no PNG, cut short or damaged are refused") {
  const std::string good = png({2, 1}, text("\0\1\2", 3));
  CHECK(parsed("") == "a.png: it is no PNG file");
  CHECK(parsed("GIF89a") == "a.png: it is no PNG file");
  for (const size_t size : {20, 32}) CHECK(parsed(good.substr(0, size)) == "a.png: it is cut short, in its header");
  for (size_t size = 33; size < good.size(); ++size) {
    CHECK(parsed(good.substr(0, size)) == "a.png: it is damaged: it is cut short");
  }
  for (size_t at = 16; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    INFO("byte " << at);
    CHECK_THAT(parsed(bad), Contains("a.png: it"));
  }
  CHECK(parsed(png({2, 2}, text("\0\1\2", 3))) == "a.png: it is damaged: Not enough image data");
  CHECK_THAT(parsed(png({1, 1}, text("\5\1", 2))), Contains("it is damaged: bad adaptive filter"));
}

TEST_CASE("headers that PNG does not have are refused") {
  CHECK(parsed(png({0, 1}, "")) == "a.png: its header says 0 × 1 pixels");
  CHECK(parsed(png({1, 0x80000000}, "")) == "a.png: its header says 1 × 2147483648 pixels");
  CHECK(parsed(png({1, 1, 3}, "")) == "a.png: its header says colour type 0 with 3 bits, which PNG does not have");
  CHECK(parsed(png({1, 1, 8, 5}, "")) == "a.png: its header says colour type 5 with 8 bits, which PNG does not have");
}

TEST_CASE("no memory is taken for a size that so short a file cannot hold") {
  CHECK_THAT(parsed(png({0x7fffffff, 0x7fffffff, 16, 6}, text("\0\1", 2))), Contains("cannot hold"));
  CHECK_THAT(parsed(png({10000, 10000}, text("\0\1", 2))), Contains("10000 × 10000 pixels, which a file of"));
  // A ratio that deflate reaches is taken.
  CHECK_THAT(parsed(png({100000, 1}, std::string(100001, '\0'))), Contains("u1[1,100000]"));
}

TEST_CASE("arrays that are no pictures are refused before a file is made") {
  CHECK(refusal(io::make_zeros(i4, {2, 2})) == "unwritten.png: i4[2,2] is no picture: i4 has no range of brightness");
  CHECK(refusal(io::make_zeros(c8, {2, 2})) == "unwritten.png: c8[2,2] is no picture: c8 has no range of brightness");
  CHECK(refusal(io::make_zeros(u1, {})) == "unwritten.png: u1[] is no picture: it has 0 axes");
  CHECK(refusal(io::make_zeros(u1, {1, 2, 1})) == "unwritten.png: u1[1,2,1] is no picture: axis 2 has 1 channel");
  CHECK(refusal(io::make_zeros(u1, {1, 0})) == "unwritten.png: u1[1,0] is no picture: it has no pixels");
  const io::HostArray wide{u1, {1, int64_t{1} << 31}, {}};
  CHECK(refusal(wide) ==
        "unwritten.png: u1[1,2147483648] is no picture: a PNG has at most 2147483647 rows and columns");
}

TEST_CASE("a picture that cannot be written leaves the old file and nothing beside it") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.png");
  io::write_file(path, "old");
  CHECK_THROWS_AS(io::write_png(path, io::make_zeros(i4, {1, 1})), io::InputError);
  CHECK(io::read_file(path).size() == 3);
  CHECK_THROWS_AS(io::write_png(folder.file("none/a.png"), io::make_zeros(u1, {1, 1})), io::InputError);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("what is written is read back") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.png");
  for (const DType dtype : {b1, u1, u2}) {
    for (const std::vector<int64_t>& shape : {std::vector<int64_t>{7, 13}, {7, 13, 3}, {7, 13, 4}}) {
      if (dtype == b1 && shape.size() == 3) continue;
      io::HostArray array = io::make_zeros(dtype, shape);
      for (int64_t i = 0; i < array.size(); ++i) {
        array.set_element(i, static_cast<uint64_t>(i * 7919) % (dtype == b1 ? 2 : dtype == u1 ? 256 : 65536));
      }
      io::write_png(path, array);
      const io::ArrayType type = io::read_png_type(path);
      CHECK((type.dtype == dtype && type.shape == shape));
      CHECK(io::read_png(path).bytes == array.bytes);
    }
  }
}
