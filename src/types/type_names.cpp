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

constexpr std::string_view kFutureNames[] = {"f2", "float16", "half",      "bf16",      "bfloat16",
                                             "c8", "c16",     "complex64", "complex128"};

}  // namespace

std::optional<DType> scalar_type_from_name(std::string_view name) {
  for (const Row& row : kRows) {
    if (row.name == name) return row.dtype;
  }
  return std::nullopt;
}

bool is_future_type_name(std::string_view name) {
  return std::find(std::begin(kFutureNames), std::end(kFutureNames), name) != std::end(kFutureNames);
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
