#include "src/sema/libdevice.hpp"

#include <algorithm>

#include "src/kernel/ir.hpp"

namespace jitc::sema {

namespace {

using kernel::BinaryOp;
using kernel::MathFn;
using kernel::UnaryOp;

/// "f8 i4" as types; returns how many.
template <size_t N>
constexpr size_t read_types(std::string_view text, std::array<DType, N>& out) {
  constexpr struct {
    std::string_view name;
    DType dtype;
  } kNames[] = {{"i4", DType::i4}, {"i8", DType::i8}, {"u2", DType::u2}, {"u4", DType::u4},
                {"u8", DType::u8}, {"f4", DType::f4}, {"f8", DType::f8}};
  size_t count = 0;
  for (size_t at = 0; at < text.size(); at += 3) {
    for (const auto& row : kNames) {
      if (row.name == text.substr(at, 2)) out[count++] = row.dtype;
    }
  }
  return count;
}

template <class Function, class Second>
LibdeviceFunction make_row(std::string_view name, std::string_view results, std::string_view params, Served served,
                           Function function, Second second) {
  LibdeviceFunction row{name, {}, 0, {}, 0, served, static_cast<int>(function), static_cast<int>(second)};
  row.result_count = read_types(results, row.results);
  row.param_count = read_types(params, row.params);
  return row;
}

std::vector<Builtin> make_builtins() {
  std::vector<Builtin> out;
  for (const LibdeviceFunction& row : libdevice_functions()) {
    out.push_back({"", row.name, Rule::kLibdevice, static_cast<int>(out.size())});
  }
  return out;
}

}  // namespace

const std::vector<LibdeviceFunction>& libdevice_functions() {
  static const std::vector<LibdeviceFunction> rows = {
#define JITC_LIBDEVICE(name, results, params, how, function, second) \
  make_row(name, results, params, Served::how, function, second),
#include "src/sema/libdevice.def"
#undef JITC_LIBDEVICE
  };
  return rows;
}

const Builtin* find_libdevice_builtin(std::string_view name) {
  static const std::vector<Builtin> builtins = make_builtins();
  const auto found = std::find_if(builtins.begin(), builtins.end(), [&](const Builtin& b) { return b.name == name; });
  return found == builtins.end() ? nullptr : &*found;
}

const LibdeviceFunction& libdevice_function(const Builtin& builtin) {
  return libdevice_functions()[static_cast<size_t>(builtin.detail)];
}

DType declared_type(DType dtype) {
  switch (dtype) {
    case DType::u2: return DType::i2;
    case DType::u4: return DType::i4;
    case DType::u8: return DType::i8;
    default: return dtype;
  }
}

}  // namespace jitc::sema
