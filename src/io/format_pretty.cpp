// The layout of NumPy's print: brackets, line breaks and the dots of long arrays.
#include <string>
#include <vector>

#include "src/io/column_format.hpp"
#include "src/io/format_array.hpp"

namespace jitc::io {

namespace {

constexpr int64_t kMaxShownElems = 200;
constexpr int64_t kEdgeItems = 3;
constexpr size_t kLineChars = 75;
constexpr std::string_view kDots = "...";

class PrettyPrinter {
 public:
  explicit PrettyPrinter(const HostArray& array) : array_(array), is_cut_(array.size() > kMaxShownElems) {
    for (int64_t stride = 1, axis = array.rank(); axis-- > 0; stride *= array.shape[static_cast<size_t>(axis)]) {
      strides_.insert(strides_.begin(), stride);
    }
    std::vector<Scalar> shown;
    collect(0, 0, shown);
    format_ = choose_column_format(shown);
  }

  std::string print() const {
    return array_.rank() == 0 ? format_(array_.element(0)) : axis_text(0, 0, " ", kLineChars);
  }

 private:
  /// The positions along `axis` that are printed; -1 stands for the dots.
  std::vector<int64_t> shown_positions(size_t axis) const {
    const int64_t extent = array_.shape[axis];
    std::vector<int64_t> out;
    for (int64_t i = 0; i < extent; ++i) {
      if (is_cut_ && extent > 2 * kEdgeItems && i == kEdgeItems) {
        out.push_back(-1);
        i = extent - kEdgeItems;
      }
      out.push_back(i);
    }
    return out;
  }

  void collect(size_t axis, int64_t index, std::vector<Scalar>& shown) const {
    if (axis == array_.shape.size()) {
      shown.push_back(array_.element(index));
      return;
    }
    for (const int64_t i : shown_positions(axis)) {
      if (i >= 0) collect(axis + 1, index + i * strides_[axis], shown);
    }
  }

  /// "[…]" of the axes from `axis` on. Lines after the first begin with `indent`; `width` is left for a line.
  std::string axis_text(size_t axis, int64_t index, const std::string& indent, size_t width) const {
    const bool is_last = axis + 1 == array_.shape.size();
    const std::string body = is_last ? row_text(axis, index, indent, width) : blocks_text(axis, index, indent, width);
    return "[" + body.substr(indent.size()) + "]";
  }

  std::string row_text(size_t axis, int64_t index, const std::string& indent, size_t width) const {
    std::string out;
    std::string line = indent;
    for (const int64_t i : shown_positions(axis)) {
      const std::string word = i < 0 ? std::string(kDots) : format_(array_.element(index + i * strides_[axis]));
      if (line.size() > indent.size()) line += ' ';
      if (line.size() + word.size() > width - 1 && line.size() > indent.size()) {
        out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
        line = indent;
      }
      line += word;
    }
    return out + line;
  }

  std::string blocks_text(size_t axis, int64_t index, const std::string& indent, size_t width) const {
    const std::string line_end(array_.shape.size() - axis - 1, '\n');
    std::string out;
    for (const int64_t i : shown_positions(axis)) {
      if (!out.empty()) out += line_end;
      out += indent;
      out += i < 0 ? std::string(kDots) : axis_text(axis + 1, index + i * strides_[axis], indent + " ", width - 1);
    }
    return out;
  }

  const HostArray& array_;
  bool is_cut_;
  std::vector<int64_t> strides_;  ///< in elements
  ColumnFormat format_;
};

}  // namespace

std::string format_pretty(const HostArray& array) {
  if (array.size() == 0) return "[]";
  return PrettyPrinter(array).print();
}

}  // namespace jitc::io
