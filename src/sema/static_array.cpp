#include "src/sema/static_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "jitc/float_bits.hpp"
#include "src/sema/static_eval.hpp"
#include "src/types/promotion.hpp"

namespace jitc::sema {

namespace {

using types::Scalar;
using types::Strength;

constexpr size_t kMaxRank = 3;

const char kNumbersHelp[] = "nested lists of numbers, every row as long as the others: np.array([[1, 2], [3, 4]])";
const char kShapeHelp[] = "the shape is an int or a tuple of up to three ints";

ArrayResult wrong(std::string why, std::string help) { return {nullptr, std::move(why), std::move(help)}; }

StaticValue weak_int(Int128 v) { return {{DType::i8, Strength::kWeakConst}, Constant::of_int(v), false, {}}; }

/// A constant array under construction.
class Filler {
 public:
  Filler(DType dtype, std::vector<uint64_t> shape) {
    array_->dtype = dtype;
    array_->shape = std::move(shape);
  }

  void add(const StaticValue& value) {
    if (!is_complex(array_->dtype)) {
      if (value.is_complex()) misfit_ = fmt::format("a complex number is not a value of {}", name(array_->dtype));
      return add(value.constant, array_->dtype);
    }
    const DType part = part_type(array_->dtype);
    add(value.is_complex() ? value.elements[0].constant : value.constant, part);
    add(value.is_complex() ? value.elements[1].constant : Constant::of_float(0), part);
  }
  void add(const Constant& value) { add(StaticValue{{}, value, false, {}}); }

  ArrayResult finish() {
    if (!misfit_.empty()) return wrong(misfit_, "choose a wider dtype");
    return {array_, {}, {}};
  }

 private:
  void add(const Constant& value, DType dtype) {
    if (value.is_int() && is_int(dtype) && !fits(value, dtype) && misfit_.empty()) {
      misfit_ = fmt::format("{} is not a value of {}", to_string(value), name(dtype));
    }
    const uint64_t bits = bits_of(cast(value, dtype), dtype);
    const size_t size = size_bytes(dtype), at = array_->bytes.size();
    array_->bytes.resize(at + size);
    std::memcpy(array_->bytes.data() + at, &bits, size);
  }

  std::shared_ptr<ConstantArray> array_ = std::make_shared<ConstantArray>();
  std::string misfit_;
};

std::optional<ArrayResult> too_large(DType dtype, const std::vector<uint64_t>& shape) {
  Int128 bytes = static_cast<Int128>(size_bytes(dtype));
  for (uint64_t n : shape) bytes = std::min(bytes * static_cast<Int128>(n), Int128{1} << 60);
  if (bytes <= static_cast<Int128>(kConstantMemoryBytes)) return std::nullopt;
  return wrong(fmt::format("an array of {} bytes; the constant memory of a kernel has {}",
                           to_string(Constant::of_int(bytes)), kConstantMemoryBytes),
               "pass larger arrays as arguments");
}

std::optional<std::vector<uint64_t>> read_shape(const StaticValue& value) {
  std::vector<uint64_t> out;
  for (const StaticValue& n : value.is_tuple ? value.elements : std::vector<StaticValue>{value}) {
    const bool ok =
        n.is_real() && !n.constant.is_float() && n.constant.as_int() >= 0 && n.constant.as_int() <= (Int128{1} << 31);
    if (!ok) return std::nullopt;
    out.push_back(static_cast<uint64_t>(n.constant.as_int()));
  }
  if (out.empty() || out.size() > kMaxRank) return std::nullopt;
  return out;
}

/// The shape of nested tuples and their scalars in order; false when rows differ.
bool flatten(const StaticValue& value, size_t depth, std::vector<uint64_t>& shape, std::vector<StaticValue>& out) {
  if (value.is_scalar()) {
    out.push_back(value);
    return depth == shape.size();
  }
  if (value.array || depth >= shape.size() || value.elements.size() != shape[depth]) return false;
  return std::all_of(value.elements.begin(), value.elements.end(),
                     [&](const StaticValue& v) { return flatten(v, depth + 1, shape, out); });
}

DType common_type(const std::vector<StaticValue>& values) {
  if (values.empty()) return DType::f8;
  Scalar type{natural_dtype(values[0].type, values[0].constant), Strength::kTyped};
  for (const StaticValue& v : values) type = types::join(type, {natural_dtype(v.type, v.constant), Strength::kTyped});
  return type.dtype;
}

ArrayResult from_items(const StaticValue& items, std::optional<DType> dtype) {
  if (items.array) return {items.array, {}, {}};
  std::vector<uint64_t> shape;
  for (const StaticValue* v = &items; v->is_tuple; v = &v->elements[0]) {
    shape.push_back(v->elements.size());
    if (v->elements.empty()) break;
  }
  std::vector<StaticValue> values;
  if (shape.empty() || shape.size() > kMaxRank || !flatten(items, 0, shape, values)) {
    return wrong("these items make no array of rank 1 to 3", kNumbersHelp);
  }
  const DType type = dtype.value_or(common_type(values));
  if (auto bad = too_large(type, shape)) return *bad;
  Filler out(type, shape);
  for (const StaticValue& v : values) out.add(v);
  return out.finish();
}

ArrayResult filled(const StaticValue& shape_value, const StaticValue& value, DType dtype) {
  const auto shape = read_shape(shape_value);
  if (!shape) return wrong("this is not the shape of an array", kShapeHelp);
  if (auto bad = too_large(dtype, *shape)) return *bad;
  Filler out(dtype, *shape);
  uint64_t count = 1;
  for (uint64_t n : *shape) count *= n;
  for (uint64_t i = 0; i < count; ++i) out.add(value);
  return out.finish();
}

/// arange(stop), arange(start, stop[, step]): floats count as NumPy does, start + i * ((start + step) - start).
ArrayResult count_up(const std::vector<StaticValue>& args, std::optional<DType> dtype) {
  const StaticValue start = args.size() > 1 ? args[0] : weak_int(0), stop = args.size() > 1 ? args[1] : args[0];
  const StaticValue step = args.size() > 2 ? args[2] : weak_int(1);
  const bool floats = start.constant.is_float() || stop.constant.is_float() || step.constant.is_float();
  if (step.constant.as_double() == 0) return wrong("the step of np.arange() cannot be zero", "give another step");
  const double first = start.constant.as_double(), by = step.constant.as_double();
  const double length = std::ceil((stop.constant.as_double() - first) / by);
  if (std::isnan(length) || std::isinf(length)) return wrong("np.arange() without end", "give finite numbers");
  const auto count = static_cast<uint64_t>(std::clamp(length, 0.0, 0x1p31));
  const DType type = dtype.value_or(floats ? DType::f8 : DType::i8);
  if (auto bad = too_large(type, {count})) return *bad;
  Filler out(type, {count});
  const double delta = (first + by) - first;
  for (uint64_t i = 0; i < count; ++i) {
    out.add(floats ? Constant::of_float(first + static_cast<double>(i) * delta)
                   : Constant::of_int(start.constant.as_int() + static_cast<Int128>(i) * step.constant.as_int()));
  }
  return out.finish();
}

/// linspace(start, stop, num): the last one is stop itself.
ArrayResult space_evenly(const StaticValue& start, const StaticValue& stop, const StaticValue& num,
                         std::optional<DType> dtype) {
  const auto shape = read_shape(num);
  if (!shape || shape->size() != 1) return wrong("np.linspace() needs the number of points", "np.linspace(0, 1, 11)");
  const DType type = dtype.value_or(DType::f8);
  if (auto bad = too_large(type, *shape)) return *bad;
  const uint64_t count = (*shape)[0];
  const double first = start.constant.as_double(), last = stop.constant.as_double();
  const double step = count > 1 ? (last - first) / static_cast<double>(count - 1) : 0;
  Filler out(type, {count});
  for (uint64_t i = 0; i < count; ++i) {
    const bool at_end = i + 1 == count && count > 1;
    out.add(Constant::of_float(at_end ? last : static_cast<double>(i) * step + first));
  }
  return out.finish();
}

/// Parameters after the dtype was taken out.
const std::vector<std::string>& parameters(ArrayMaker maker) {
  static const std::vector<std::string> object{"object"}, shape{"shape"}, full{"shape", "fill_value"},
      arange{"start", "stop", "step"}, linspace{"start", "stop", "num"};
  switch (maker) {
    case ArrayMaker::kArray: return object;
    case ArrayMaker::kFull: return full;
    case ArrayMaker::kArange: return arange;
    case ArrayMaker::kLinspace: return linspace;
    case ArrayMaker::kZeros:
    case ArrayMaker::kOnes:
    case ArrayMaker::kEmpty: break;
  }
  return shape;
}

/// Keywords put behind the positional arguments; false where they do not fit.
bool bind_named(ArrayMaker maker, ArrayArguments& args) {
  const auto& names = parameters(maker);
  for (auto& [key, value] : args.named) {
    if (args.positional.size() >= names.size() || names[args.positional.size()] != key) return false;
    args.positional.push_back(std::move(value));
  }
  return args.positional.size() <= names.size();
}

bool all_scalars(const std::vector<StaticValue>& values) {
  return std::all_of(values.begin(), values.end(), [](const StaticValue& v) { return v.is_real(); });
}

}  // namespace

size_t dtype_position(ArrayMaker maker) { return parameters(maker).size(); }

DType natural_dtype(Scalar type, const Constant& constant) {
  return type.dtype == DType::i8 && constant.is_int() && !fits(constant, DType::i8) ? DType::u8 : type.dtype;
}

ArrayResult make_array(ArrayMaker maker, ArrayArguments args) {
  const size_t most = parameters(maker).size();
  const size_t least = maker == ArrayMaker::kArange ? 1 : maker == ArrayMaker::kLinspace ? 2 : most;
  const bool bound = bind_named(maker, args);
  auto& a = args.positional;
  const bool numbers = maker != ArrayMaker::kArange && maker != ArrayMaker::kLinspace;
  if (!bound || a.size() < least || (!numbers && !all_scalars(a)) ||
      (maker == ArrayMaker::kFull && !a[1].is_scalar())) {
    return wrong("these arguments make no array",
                 fmt::format("parameters: {}, dtype", fmt::join(parameters(maker), ", ")));
  }
  switch (maker) {
    case ArrayMaker::kArray: return from_items(a[0], args.dtype);
    case ArrayMaker::kOnes: return filled(a[0], weak_int(1), args.dtype.value_or(DType::f8));
    case ArrayMaker::kFull: return filled(a[0], a[1], args.dtype.value_or(common_type({a[1]})));
    case ArrayMaker::kArange: return count_up(a, args.dtype);
    case ArrayMaker::kLinspace: return space_evenly(a[0], a[1], a.size() > 2 ? a[2] : weak_int(50), args.dtype);
    case ArrayMaker::kZeros:
    case ArrayMaker::kEmpty: break;
  }
  return filled(a[0], weak_int(0), args.dtype.value_or(DType::f8));
}

namespace {

StaticValue value_at(const ConstantArray& array, size_t at_bytes, DType dtype) {
  uint64_t bits = 0;
  std::memcpy(&bits, array.bytes.data() + at_bytes, size_bytes(dtype));
  StaticValue out{{dtype, Strength::kTyped}, {}, false, {}};
  if (dtype == DType::b1) {
    out.constant = Constant::of_bool(bits != 0);
  } else if (is_float(dtype)) {
    out.constant = Constant::of_float(float_from_bits(dtype, bits));
  } else {
    out.constant = cast(Constant::of_int(static_cast<Int128>(bits)), dtype);
  }
  return out;
}

StaticValue element_at(const ConstantArray& array, uint64_t index) {
  const size_t size = size_bytes(array.dtype);
  if (!is_complex(array.dtype)) return value_at(array, index * size, array.dtype);
  const DType part = part_type(array.dtype);
  StaticValue out{{array.dtype, Strength::kTyped}, {}, false, {}};
  out.elements = {value_at(array, index * size, part), value_at(array, index * size + size / 2, part)};
  return out;
}

}  // namespace

std::optional<StaticValue> array_item(const std::shared_ptr<const ConstantArray>& array, const StaticValue& index) {
  if (index.is_tuple) {
    std::optional<StaticValue> out = StaticValue{{array->dtype, Strength::kTyped}, {}, false, {}, array};
    for (const StaticValue& i : index.elements) out = out && out->array ? array_item(out->array, i) : std::nullopt;
    return out;
  }
  if (!index.is_real() || index.constant.is_float()) return std::nullopt;
  const auto extent = static_cast<Int128>(array->shape[0]);
  const Int128 i = index.constant.as_int() + (index.constant.as_int() < 0 ? extent : 0);
  if (i < 0 || i >= extent) return std::nullopt;
  if (array->shape.size() == 1) return element_at(*array, static_cast<uint64_t>(i));
  auto part = std::make_shared<ConstantArray>();
  part->dtype = array->dtype;
  part->shape.assign(array->shape.begin() + 1, array->shape.end());
  const auto row_bytes = static_cast<std::ptrdiff_t>(array->bytes.size() / array->shape[0]);
  const auto from = array->bytes.begin() + static_cast<std::ptrdiff_t>(i) * row_bytes;
  part->bytes.assign(from, from + row_bytes);
  return StaticValue{{part->dtype, Strength::kTyped}, {}, false, {}, part};
}

std::optional<StaticValue> array_attribute(const ConstantArray& array, const std::string& name) {
  StaticValue shape;
  shape.is_tuple = true;
  Int128 size = 1;
  for (uint64_t n : array.shape) {
    shape.elements.push_back(weak_int(static_cast<Int128>(n)));
    size *= static_cast<Int128>(n);
  }
  if (name == "shape") return shape;
  if (name == "size") return weak_int(size);
  if (name == "ndim") return weak_int(static_cast<Int128>(array.shape.size()));
  return std::nullopt;
}

}  // namespace jitc::sema
