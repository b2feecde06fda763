// ArgSpec to values: fills, literals and files become HostArrays and Scalars.
#include <fmt/format.h>

#include "jitc/float_bits.hpp"
#include "jitc/random.hpp"
#include "src/io/array_file.hpp"
#include "src/io/array_spec.hpp"
#include "src/io/input_error.hpp"
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
  for (int64_t i = 0; i < out.size(); ++i) out.set_element(i, value.bits, value.imag_bits);
}

/// 0, 1, 2 … in C order, wrapped where the type is too narrow.
void fill_arange(HostArray& out) {
  for (int64_t i = 0; i < out.size(); ++i) {
    uint64_t bits = static_cast<uint64_t>(i);
    if (is_bool(out.dtype)) bits = i != 0;
    const DType part = part_type(out.dtype);
    if (is_float(part)) bits = float_to_bits(part, static_cast<double>(i));
    out.set_element(i, bits);
  }
}

/// The states of one generator per row.
void fill_generators(uint64_t seed, HostArray& out) {
  if (out.dtype != DType::u8 || out.shape.size() != 2 || out.shape[1] != 2) {
    fail("xoroshiro: makes the states of n generators, u8[n,2]", "write xoroshiro:u8[1000,2]:seed=1");
  }
  const std::vector<uint64_t> words = xoroshiro128p_states(static_cast<size_t>(out.shape[0]), seed);
  for (size_t i = 0; i < words.size(); ++i) out.set_element(static_cast<int64_t>(i), words[i]);
}

HostArray make_fill(const FillSpec& spec, std::optional<DType> declared) {
  HostArray out = make_zeros(dtype_of_spec(spec.dtype, declared), spec.shape);
  switch (spec.kind) {
    case FillSpec::Kind::zeros: break;
    case FillSpec::Kind::empty: out.is_undefined = true; break;
    case FillSpec::Kind::ones: fill_all(required_scalar("1", out.dtype), out); break;
    case FillSpec::Kind::full: fill_all(required_scalar(spec.value, out.dtype), out); break;
    case FillSpec::Kind::arange: fill_arange(out); break;
    case FillSpec::Kind::random:
    case FillSpec::Kind::normal: fill_random(spec, out); break;
    case FillSpec::Kind::xoroshiro: fill_generators(spec.seed, out); break;
  }
  return out;
}

HostArray make_literal(const LiteralSpec& spec, std::optional<DType> declared) {
  HostArray out = make_zeros(dtype_of_spec(spec.dtype, declared), spec.shape);
  for (size_t i = 0; i < spec.items.size(); ++i) {
    const Scalar value = required_scalar(spec.items[i], out.dtype);
    out.set_element(static_cast<int64_t>(i), value.bits, value.imag_bits);
  }
  return out;
}

// --- against a declaration -------------------------------------------------------------------------------------------

/// NumPy has no bf16: its files hold the bits, as those that we write do.
bool are_bits_of(DType in_file, DType wanted) { return in_file == DType::u2 && wanted == DType::bf16; }

void check_array(const SpecType& type, const ArgumentInfo& argument, bool may_be_bits) {
  DType dtype = type.dtype.value_or(argument.dtype);
  if (may_be_bits && are_bits_of(dtype, argument.dtype)) dtype = argument.dtype;
  const int rank = static_cast<int>(type.shape.size());
  if (dtype == argument.dtype && rank == (argument.is_array ? argument.rank : 0)) return;
  std::string help;
  if (argument.is_array && rank != argument.rank) {
    help = fmt::format("it needs {} ax{}", argument.rank, argument.rank == 1 ? "is" : "es");
  } else if (argument.is_array) {
    help = fmt::format("convert the elements to {}", name(argument.dtype));
  }
  fail(fmt::format("it is {}, {} is wanted", type_text(dtype, type.shape), type_text(argument)), help);
}

void check_scalar(const ScalarSpec& spec, const ArgumentInfo& argument) {
  if (argument.is_array) {
    fail(fmt::format("{} is a scalar, {} is wanted", spec.text, type_text(argument)),
         fmt::format("full:{}:{}[N] makes an array of it", spec.text, name(argument.dtype)));
  }
  if (spec.dtype && *spec.dtype != argument.dtype) {
    fail(fmt::format("it is a scalar of type {}, {} is wanted", name(*spec.dtype), name(argument.dtype)));
  }
  required_scalar(spec.text, argument.dtype);
}

/// Runs `action`; what it throws gets the argument's name.
template <class F>
auto naming(const ArgumentInfo& argument, F action) {
  try {
    return action();
  } catch (const InputError& error) {
    throw InputError(error.code(), fmt::format("argument {}: {}", argument.name, error.what()), error.help());
  }
}

}  // namespace

HostArray make_array(const ArgSpec& spec, std::optional<DType> declared) {
  return std::visit(Overloaded{[&](const FillSpec& fill) { return make_fill(fill, declared); },
                               [&](const LiteralSpec& literal) { return make_literal(literal, declared); },
                               [](const FileSpec& file) { return read_array_file(file.path); },
                               [](const ScalarSpec& scalar) -> HostArray {
                                 fail(fmt::format("{} is a scalar, an array is wanted", scalar.text),
                                      fmt::format("full:{}:f4[N] makes an array of it", scalar.text));
                               }},
                    spec);
}

SpecType type_of(const ArgSpec& spec) {
  return std::visit(Overloaded{[](const FileSpec& file) -> SpecType {
                                 ArrayType type = read_array_file_type(file.path);
                                 return {true, type.dtype, std::move(type.shape)};
                               },
                               [](const ScalarSpec& scalar) -> SpecType {
                                 return {false, scalar.dtype, {}};
                               },
                               [](const auto& array) -> SpecType {
                                 return {true, array.dtype, array.shape};
                               }},
                    spec);
}

void check_argument(const ArgSpec& spec, const ArgumentInfo& argument) {
  naming(argument, [&] {
    std::visit(Overloaded{[&](const ScalarSpec& scalar) { check_scalar(scalar, argument); },
                          [&](const FileSpec& file) {
                            check_array(type_of(ArgSpec(file)), argument, !is_picture_file(file.path));
                          },
                          [&](const auto& array) { check_array(type_of(ArgSpec(array)), argument, false); }},
               spec);
  });
}

ArgValue make_argument(const ArgSpec& spec, const ArgumentInfo& argument) {
  check_argument(spec, argument);
  return naming(argument, [&]() -> ArgValue {
    if (const auto* scalar = std::get_if<ScalarSpec>(&spec)) return required_scalar(scalar->text, argument.dtype);
    HostArray array = make_array(spec, argument.dtype);
    array.dtype = argument.dtype;
    if (argument.is_array) return array;
    return array.element(0);
  });
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
