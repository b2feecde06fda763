#include "src/io/npy_header.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "src/io/input_error.hpp"
#include "src/io/npy_descr.hpp"
#include "src/io/python_literal.hpp"

namespace jitc::io {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
/// NumPy's own limit is 32, later 64.
constexpr size_t kMaxRank = 64;

/// Carries the file's name to every message.
class HeaderReader {
 public:
  HeaderReader(std::span<const std::byte> file, const std::string& name) : file_(file), name_(name) {}

  NpyHeader read() {
    const std::string_view text = header_text();
    std::string problem;
    const std::optional<PyValue> literal = parse_python_literal(text, problem);
    if (!literal) fail(fmt::format("its header cannot be read: {}", problem));
    const auto* dict = std::get_if<PyDict>(&literal->value);
    if (dict == nullptr) fail("its header is not a dict");
    read_dict(*dict);
    return std::move(header_);
  }

 private:
  /// The dict's text between the length field and the data; sets data_offset.
  std::string_view header_text() {
    const std::string_view all(reinterpret_cast<const char*>(file_.data()), file_.size());
    check_magic(all);
    const int major = byte(6);
    const int minor = byte(7);
    if (major < 1 || major > 3 || minor != 0) {
      fail(fmt::format("version {}.{} of the .npy format is unknown", major, minor),
           "versions 1.0, 2.0 and 3.0 are read");
    }
    const size_t length_bytes = major == 1 ? 2 : 4;
    const size_t begin = 8 + length_bytes;
    if (all.size() < begin) fail(fmt::format("it ends after {} bytes, inside the header", all.size()));
    size_t length = 0;
    for (size_t i = 0; i < length_bytes; ++i) length |= static_cast<size_t>(byte(8 + i)) << (8 * i);
    if (length > kMaxNpyHeaderBytes - begin) {
      fail(fmt::format("its header claims to be {} bytes long, the limit is {}", length, kMaxNpyHeaderBytes));
    }
    if (length > all.size() - begin) {
      fail(fmt::format("its header claims to be {} bytes long, {} are there", length, all.size() - begin));
    }
    header_.data_offset = begin + length;
    return all.substr(begin, length);
  }

  void check_magic(std::string_view all) {
    if (all.size() >= 8 && all.substr(0, kMagic.size()) == kMagic) return;
    if (all.empty()) fail("the file is empty");
    if (all.substr(0, 2) == "PK") fail("it is a .npz archive, not a .npy file", "save each array with np.save");
    if (all[0] == '\x80') fail("it is a Python pickle, not a .npy file", "save the array with np.save");
    fail("it is not a .npy file (it does not begin with \\x93NUMPY)", "write it with np.save");
  }

  void read_dict(const PyDict& dict) {
    bool seen[3] = {};
    for (const auto& [key_value, value] : dict.items) {
      const auto* key = std::get_if<std::string>(&key_value.value);
      if (key == nullptr) fail("its header has a key that is not a string");
      const size_t which = *key == "descr" ? 0 : *key == "fortran_order" ? 1 : *key == "shape" ? 2 : 3;
      if (which == 3) fail(fmt::format("its header has an unknown key '{}'", printable(*key)));
      if (seen[which]) fail(fmt::format("its header has the key '{}' twice", *key));
      seen[which] = true;
      if (which == 0) read_descr(value);
      if (which == 1) read_order(value);
      if (which == 2) read_shape(value);
    }
    constexpr std::string_view kKeys[] = {"descr", "fortran_order", "shape"};
    for (size_t i = 0; i < 3; ++i) {
      if (!seen[i]) fail(fmt::format("its header lacks the key '{}'", kKeys[i]));
    }
  }

  void read_descr(const PyValue& value) {
    if (std::holds_alternative<PySequence>(value.value)) {
      fail("it holds a structured dtype (records)",
           "save each field as an array of its own: np.save(path, a['field'])");
    }
    const auto* text = std::get_if<std::string>(&value.value);
    if (text == nullptr) fail("its descr is not a string");
    const DescrResult descr = parse_descr(*text);
    if (!descr.problem.empty()) fail(descr.problem, descr.help);
    header_.dtype = descr.dtype;
    header_.big_endian = descr.big_endian;
  }

  void read_order(const PyValue& value) {
    const bool* order = std::get_if<bool>(&value.value);
    if (order == nullptr) fail("its fortran_order is neither True nor False");
    header_.fortran_order = *order;
  }

  void read_shape(const PyValue& value) {
    const auto* shape = std::get_if<PySequence>(&value.value);
    if (shape == nullptr) fail("its shape is not a tuple");
    if (shape->items.size() > kMaxRank) fail(fmt::format("its shape has more than {} axes", kMaxRank));
    for (const PyValue& item : shape->items) {
      if (std::holds_alternative<PyHugeInt>(item.value)) fail("its shape has an extent beyond 2^63");
      const int64_t* extent = std::get_if<int64_t>(&item.value);
      if (extent == nullptr) fail("its shape is not a tuple of integers");
      if (*extent < 0) fail(fmt::format("its shape has the negative extent {}", *extent));
      header_.shape.push_back(*extent);
    }
  }

  int byte(size_t at) const { return std::to_integer<int>(file_[at]); }

  [[noreturn]] void fail(const std::string& what, const std::string& help = {}) const {
    throw InputError(ErrorCode::io, fmt::format("{}: {}", name_, what), help);
  }

  std::span<const std::byte> file_;
  const std::string& name_;
  NpyHeader header_;
};

}  // namespace

NpyHeader parse_npy_header(std::span<const std::byte> file, const std::string& name) {
  return HeaderReader(file, name).read();
}

// {'descr': '<f4', 'fortran_order': False, 'shape': (3,), }<spaces><newline>
std::string format_npy_header(DType dtype, const std::vector<int64_t>& shape) {
  // Room for the first extent to grow to 21 digits, so that a writer can append in place; then up to 64 bytes.
  constexpr size_t kGrowthDigits = 21;
  constexpr size_t kAlignment = 64;
  std::string dict = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", descr_text(dtype),
                                 fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  if (!shape.empty()) dict.append(kGrowthDigits - fmt::format("{}", shape[0]).size(), ' ');
  const size_t before = kMagic.size() + 4;
  dict.append(kAlignment - (before + dict.size() + 1) % kAlignment, ' ');
  dict += '\n';
  std::string out(kMagic);
  out += {'\x01', '\x00', static_cast<char>(dict.size() & 0xFF), static_cast<char>(dict.size() >> 8)};
  return out + dict;
}

}  // namespace jitc::io
