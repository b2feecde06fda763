// ArgSpec to values: fills, literals and files become HostArrays and Scalars.
#include <fmt/format.h>

#include "src/io/array_spec.hpp"
#include "src/io/input_error.hpp"
#include "src/io/npy.hpp"
#include "src/io/random_fill.hpp"
#include "src/io/scalar_text.hpp"

namespace jitc::io {

namespace {

/// One handler per alternative of a SPEC.
template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

[[noreturn]] void fail(const std::string& message, const std::string& help = {}) {
  throw InputError(ErrorCode::argument, message, help);
}

Scalar required_scalar(const std::string& text, DType dtype) {
  const ScalarResult result = parse_scalar(text, dtype);
  if (!result.value) fail(result.problem);
  return *result.value;
}

DType dtype_of_spec(std::optional<DType> written, std::optional<DType> declared) {
  if (!written && !declared) fail("the array has no type", "write it before the shape, such as zeros:f4[100]");
  return written ? *written : *declared;
}

// --- fills -----------------------------------------------------------------------------------------------------------

void fill_all(Scalar value, HostArray& out) {
  for (int64_t i = 0; i < out.size(); ++i) out.set_element(i, value.bits);
}

/// 0, 1, 2 … in C order, wrapped where the type is too narrow.
void fill_arange(HostArray& out) {
  for (int64_t i = 0; i < out.size(); ++i) {
    uint64_t bits = static_cast<uint64_t>(i);
    if (is_bool(out.dtype)) bits = i != 0;
    if (out.dtype == DType::f4) bits = Scalar::of(static_cast<float>(i)).bits;
    if (out.dtype == DType::f8) bits = Scalar::of(static_cast<double>(i)).bits;
    out.set_element(i, bits);
  }
}

HostArray make_fill(const FillSpec& spec, std::optional<DType> declared) {
  HostArray out = make_zeros(dtype_of_spec(spec.dtype, declared), spec.shape);
  switch (spec.kind) {
    case FillSpec::Kind::zeros:
    case FillSpec::Kind::empty: break;
    case FillSpec::Kind::ones: fill_all(required_scalar("1", out.dtype), out); break;
    case FillSpec::Kind::full: fill_all(required_scalar(spec.value, out.dtype), out); break;
    case FillSpec::Kind::arange: fill_arange(out); break;
    case FillSpec::Kind::random:
    case FillSpec::Kind::normal: fill_random(spec, out); break;
  }
  return out;
}

HostArray make_literal(const LiteralSpec& spec, std::optional<DType> declared) {
  HostArray out = make_zeros(dtype_of_spec(spec.dtype, declared), spec.shape);
  for (size_t i = 0; i < spec.items.size(); ++i) {
    out.set_element(static_cast<int64_t>(i), required_scalar(spec.items[i], out.dtype).bits);
  }
  return out;
}

// --- against a declaration -------------------------------------------------------------------------------------------

void check_declared(const HostArray& value, const ArgumentInfo& argument) {
  if (value.dtype == argument.dtype && value.rank() == argument.rank) return;
  const std::string help = value.dtype != argument.dtype
                               ? fmt::format("convert the elements to {}, or call a signature that takes {}",
                                             name(argument.dtype), name(value.dtype))
                               : fmt::format("it needs {} ax{}", argument.rank, argument.rank == 1 ? "is" : "es");
  fail(fmt::format("it is {}, the kernel takes {}", type_text(value.dtype, value.shape), type_text(argument)), help);
}

ArgValue make_unnamed(const ArgSpec& spec, const ArgumentInfo& argument) {
  if (!argument.is_array) return make_scalar(spec, argument.dtype);
  HostArray out = make_array(spec, argument.dtype);
  check_declared(out, argument);
  return out;
}

}  // namespace

HostArray make_array(const ArgSpec& spec, std::optional<DType> declared) {
  return std::visit(Overloaded{[&](const FillSpec& fill) { return make_fill(fill, declared); },
                               [&](const LiteralSpec& literal) { return make_literal(literal, declared); },
                               [](const FileSpec& file) { return read_npy(file.path); },
                               [](const ScalarSpec& scalar) -> HostArray {
                                 fail(fmt::format("{} is a scalar, an array is wanted", scalar.text),
                                      fmt::format("full:{}:f4[N] makes an array of it", scalar.text));
                               }},
                    spec);
}

Scalar make_scalar(const ArgSpec& spec, DType declared) {
  if (const auto* scalar = std::get_if<ScalarSpec>(&spec)) {
    if (scalar->dtype && *scalar->dtype != declared) {
      fail(fmt::format("it is a scalar of type {}, the kernel takes {}", name(*scalar->dtype), name(declared)));
    }
    return required_scalar(scalar->text, declared);
  }
  const HostArray array = make_array(spec, declared);
  if (array.rank() != 0 || array.dtype != declared) {
    fail(fmt::format("it is {}, the kernel takes a scalar of type {}", type_text(array.dtype, array.shape),
                     name(declared)));
  }
  return array.element(0);
}

ArgValue make_argument(const ArgSpec& spec, const ArgumentInfo& argument) {
  try {
    return make_unnamed(spec, argument);
  } catch (const InputError& error) {
    throw InputError(error.code(), fmt::format("argument {}: {}", argument.name, error.what()), error.help());
  }
}

std::string type_text(const ArgumentInfo& argument) {
  if (!argument.is_array) return std::string(name(argument.dtype));
  std::string axes;
  for (int axis = 0; axis < argument.rank; ++axis) {
    const auto at = static_cast<size_t>(axis);
    const bool is_unit = (argument.layout == Layout::c && axis + 1 == argument.rank) ||
                         (argument.layout == Layout::fortran && axis == 0);
    const bool is_named = at < argument.extent_names.size() && !argument.extent_names[at].empty();
    if (axis > 0) axes += ',';
    axes += is_named ? argument.extent_names[at] : is_unit ? "::1" : ":";
  }
  return fmt::format("{}[{}]", name(argument.dtype), axes);
}

}  // namespace jitc::io
