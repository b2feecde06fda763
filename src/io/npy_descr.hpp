// NumPy's type strings ("<f4", "|b1", ">i2") against our types.
#pragma once

#include <string>
#include <string_view>

#include "jitc/dtype.hpp"

namespace jitc::io {

struct DescrResult {
  DType dtype = DType::f8;
  bool big_endian = false;
  std::string problem;  ///< empty when the type is ours
  std::string help;
};

DescrResult parse_descr(std::string_view descr);

/// As np.save writes it on this machine: "<f4", "|b1".
std::string descr_text(DType dtype);

/// `text` with everything that a terminal could misread replaced by '?', cut after 40 characters.
std::string printable(std::string_view text);

}  // namespace jitc::io
