#include <fmt/format.h>

#include "src/io/format_array.hpp"
#include "src/io/scalar_text.hpp"

namespace jitc::io {

namespace {

/// The braces of the axes from `axis` on; `index` walks the elements in C order.
void append_axis(const HostArray& array, size_t axis, int64_t& index, std::string& out) {
  if (axis == array.shape.size()) {
    out += format_scalar(array.element(index++));
    return;
  }
  out += '{';
  for (int64_t i = 0; i < array.shape[axis]; ++i) {
    if (i > 0) out += ", ";
    append_axis(array, axis + 1, index, out);
  }
  out += '}';
}

}  // namespace

std::string format_literal(const HostArray& array) {
  std::string out = type_text(array.dtype, array.shape) + " ";
  int64_t index = 0;
  if (array.size() == 0) return out + "{}";
  if (array.rank() == 0) return out + "{" + format_scalar(array.element(0)) + "}";
  append_axis(array, 0, index, out);
  return out;
}

}  // namespace jitc::io
