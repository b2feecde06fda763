#include "src/types/type_names.hpp"

#include <algorithm>

namespace jitc::types {

namespace {

struct Row {
  std::string_view name;
  DType dtype;
};

constexpr Row kRows[] = {
#define JITC_TYPE_NAME(name, dtype) {name, DType::dtype},
#include "src/types/type_names.def"
#undef JITC_TYPE_NAME
};

}  // namespace

std::optional<DType> scalar_type_from_name(std::string_view name) {
  for (const Row& row : kRows) {
    if (row.name == name) return row.dtype;
  }
  return std::nullopt;
}

const std::vector<std::string_view>& scalar_type_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> out;
    for (const Row& row : kRows) out.push_back(row.name);
    return out;
  }();
  return names;
}

}  // namespace jitc::types
