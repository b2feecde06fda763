#include "runtime/emulator/driver/launch_print.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "runtime/emulator/exec/access.hpp"

namespace jitc::emulator::driver {
namespace {

/// Thrown and caught here: an argument is not in memory.
struct OutOfMemoryBounds {};

constexpr std::string_view kFlags = "-+ #0", kDigits = "0123456789", kLengths = "hlLqjzt";

/// %[flags][width][.precision][length]conversion; `spec` has no length, and numbers for stars.
struct Conversion {
  std::string spec = "%";
  bool is_wide = false;  ///< l, ll, j, z, t: 8 bytes
  bool is_byte = false;  ///< hh
  bool is_short = false;
  char letter = 0;
};

class PrintFormatter {
 public:
  PrintFormatter(Warp& warp, uint32_t lane, const PrintCall& call)
      : warp_(warp), lane_(lane), format_(text_at(call.format)), arguments_(call.arguments) {}

  Printed format() {
    for (rest_ = format_; !rest_.empty();) {
      const size_t plain = std::min(rest_.find('%'), rest_.size());
      printed_.text += rest_.substr(0, plain);
      rest_.remove_prefix(plain);
      if (!rest_.empty()) convert();
    }
    return std::move(printed_);
  }

  std::string text_at(uint64_t address) {
    auto text = read_text(warp_, lane_, address);
    if (!text) throw OutOfMemoryBounds();
    return *text;
  }

 private:
  template <class T>
  T next() {
    offset_ = (offset_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    const std::byte* bytes = generic_bytes(warp_, lane_, arguments_ + offset_, sizeof(T));
    if (bytes == nullptr) throw OutOfMemoryBounds();
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    offset_ += sizeof(T);
    ++printed_.count_arguments;
    return value;
  }

  void take_while(std::string_view set, std::string& to) {
    const size_t count = std::min(rest_.find_first_not_of(set), rest_.size());
    to += rest_.substr(0, count);
    rest_.remove_prefix(count);
  }

  bool take(char letter) {
    if (rest_.empty() || rest_.front() != letter) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void take_number(std::string& to) {
    if (take('*'))
      to += std::to_string(next<int32_t>());
    else
      take_while(kDigits, to);
  }

  Conversion read_conversion() {
    rest_.remove_prefix(1);
    Conversion one;
    take_while(kFlags, one.spec);
    take_number(one.spec);
    if (take('.')) {
      one.spec += '.';
      take_number(one.spec);
    }
    std::string length;
    take_while(kLengths, length);
    one.is_byte = length == "hh";
    one.is_short = length == "h";
    one.is_wide = !length.empty() && length.front() != 'h';
    if (rest_.empty()) return one;
    one.letter = rest_.front();
    rest_.remove_prefix(1);
    return one;
  }

  template <class Value>
  void put(const std::string& spec, Value value) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    std::string text(static_cast<size_t>(std::max(std::snprintf(nullptr, 0, spec.c_str(), value), 0)) + 1, '\0');
    std::snprintf(text.data(), text.size(), spec.c_str(), value);
#pragma GCC diagnostic pop
    printed_.text.append(text, 0, text.size() - 1);
  }

  void put_signed(const Conversion& one) {
    int64_t value = one.is_wide ? next<int64_t>() : next<int32_t>();
    if (one.is_byte) value = static_cast<int8_t>(value);
    if (one.is_short) value = static_cast<int16_t>(value);
    put(one.spec + "ll" + one.letter, static_cast<long long>(value));
  }

  void put_unsigned(const Conversion& one) {
    uint64_t value = one.is_wide ? next<uint64_t>() : next<uint32_t>();
    if (one.is_byte) value &= UINT8_MAX;
    if (one.is_short) value &= UINT16_MAX;
    put(one.spec + "ll" + one.letter, static_cast<unsigned long long>(value));
  }

  void convert() {
    const Conversion one = read_conversion();
    const std::string spec = one.spec + one.letter;
    switch (one.letter) {
      case 'd':
      case 'i': return put_signed(one);
      case 'u':
      case 'x':
      case 'X':
      case 'o': return put_unsigned(one);
      case 'c': return put(spec, static_cast<int>(next<int32_t>()));
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A': return put(spec, next<double>());
      case 's': return put(spec, text_at(next<uint64_t>()).c_str());
      case 'p': return put(spec, reinterpret_cast<void*>(next<uint64_t>()));
      case '%': printed_.text += '%'; return;
      default: printed_.text += one.letter == 0 ? one.spec : spec; return;
    }
  }

  Warp& warp_;
  uint32_t lane_;
  std::string format_;
  uint64_t arguments_;
  uint64_t offset_ = 0;
  std::string_view rest_;
  Printed printed_;
};

}  // namespace

std::optional<std::string> read_text(Warp& warp, uint32_t lane, uint64_t address) {
  for (std::string text;; ++address) {
    const std::byte* byte = generic_bytes(warp, lane, address, 1);
    if (byte == nullptr) return std::nullopt;
    if (*byte == std::byte{0}) return text;
    text += static_cast<char>(*byte);
  }
}

std::optional<Printed> format_print(Warp& warp, uint32_t lane, const PrintCall& call) {
  try {
    return PrintFormatter(warp, lane, call).format();
  } catch (const OutOfMemoryBounds&) { return std::nullopt; }
}

}  // namespace jitc::emulator::driver
