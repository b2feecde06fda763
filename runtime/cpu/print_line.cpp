#include "runtime/cpu/print_line.hpp"

#include <bit>
#include <cinttypes>
#include <cstdio>
#include <string>
#include <string_view>

namespace jitc::runtime::cpu {

namespace {

/// Appends one argument; `rest` begins after the '%' and loses the conversion.
void append(std::string& line, std::string_view& rest, uint64_t arg) {
  char text[512];  // %f of the largest double has 316 characters
  int size = 0;
  if (rest.starts_with("lld")) {
    size = std::snprintf(text, sizeof text, "%" PRId64, static_cast<int64_t>(arg));
    rest.remove_prefix(3);
  } else if (rest.starts_with("llu")) {
    size = std::snprintf(text, sizeof text, "%" PRIu64, arg);
    rest.remove_prefix(3);
  } else if (rest.starts_with("f")) {
    size = std::snprintf(text, sizeof text, "%f", std::bit_cast<double>(arg));
    rest.remove_prefix(1);
  } else if (rest.starts_with("c")) {
    text[size++] = static_cast<char>(arg);
    rest.remove_prefix(1);
  } else {  // %s
    line += std::bit_cast<const char*>(arg);
    rest.remove_prefix(1);
  }
  line.append(text, static_cast<size_t>(size));
}

}  // namespace

void print_line(const char* format, const uint64_t* args) {
  std::string line;
  std::string_view rest = format;
  while (!rest.empty()) {
    const char c = rest.front();
    rest.remove_prefix(1);
    if (c != '%' || rest.empty()) {
      line += c;
    } else if (rest.front() == '%') {
      line += '%';
      rest.remove_prefix(1);
    } else {
      append(line, rest, *args++);
    }
  }
  std::fwrite(line.data(), 1, line.size(), stdout);
}

}  // namespace jitc::runtime::cpu
