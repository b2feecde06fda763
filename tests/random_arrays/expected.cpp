#include "tests/random_arrays/expected.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <stdexcept>

#include "src/sema/sema.hpp"
#include "src/syntax/parser.hpp"

namespace jitc::random_arrays {

std::vector<Number> numbers_of(DType dtype, const std::vector<std::byte>& bytes) {
  const size_t size = size_bytes(dtype), part = size_bytes(part_type(dtype));
  std::vector<Number> out(bytes.size() / size);
  for (size_t k = 0; k < out.size(); ++k) {
    std::memcpy(&out[k].real, bytes.data() + k * size, part);
    if (is_complex(dtype)) std::memcpy(&out[k].imag, bytes.data() + k * size + part, part);
  }
  return out;
}

namespace {

Dense dense_of(const Parameter& p, const Memory& memory) {
  const auto size = static_cast<int64_t>(size_bytes(p.dtype));
  Dense out{p.dtype, std::make_shared<std::vector<Number>>(numbers_of(p.dtype, memory.bytes)), p.shape, {}, 0};
  for (const int64_t stride : memory.strides_bytes) out.strides.push_back(stride / size);
  out.offset = memory.offset_bytes / size;
  return out;
}

}  // namespace

std::string text_of(DType dtype, const Number& n) {
  const DType part = part_type(dtype);
  const auto one = [&](Bits bits) -> std::string {
    if (!is_float(part)) {
      if (is_unsigned_int(part)) return fmt::format("{}", bits);
      return fmt::format("{}", static_cast<int64_t>(reference::convert(part, DType::i8, bits)));
    }
    const Bits wide = reference::convert(part, DType::f8, bits);
    double value = 0;
    std::memcpy(&value, &wide, sizeof value);
    return fmt::format("{}", value);
  };
  if (!is_complex(dtype)) return one(n.real);
  const std::string imag = one(n.imag);
  return one(n.real) + (imag[0] == '-' ? "" : "+") + imag + "j";
}

std::string argument_text(const Parameter& p) {
  const Dense dense = dense_of(p, memory_of(p));
  std::vector<std::string> values;
  for (const Number& n : elements_of(dense)) values.push_back(text_of(p.dtype, n));
  if (!p.is_array) return fmt::format("arg {}: {}({})", p.name, name(p.dtype), values[0]);
  return fmt::format("arg {}: {}[{}]{{{}}}", p.name, name(p.dtype), fmt::join(p.shape, ","), fmt::join(values, ", "));
}

namespace {

/// One name, one extent.
void check_named_extents(const Program& program, Expected& out) {
  std::map<std::string, int64_t> extents;
  for (const Parameter& p : program.params) {
    for (size_t k = 0; k < p.extent_names.size(); ++k) {
      const std::string& axis = p.extent_names[k];
      if (axis[0] == ':' || extents.emplace(axis, p.shape[k]).first->second == p.shape[k]) continue;
      out.fails = true;
      out.failure = "two extents of one name";
    }
  }
}

}  // namespace

Expected evaluate(const std::string& text, const Program& program, const std::vector<Memory>& memories,
                  Mistake mistake) {
  const source::SourceFile file("program.dsl", text);
  source::DiagnosticSink sink;
  syntax::Ast ast = syntax::parse(file, sink);
  const sema::TypedModule module = sema::analyze(file, ast, {}, sink);
  // Behind it come functions without signatures.
  const auto entry = std::ranges::find_if(module.kernels, [](const auto& k) { return !k.variants.empty(); });
  if (entry == module.kernels.end()) throw std::runtime_error("the program does not compile");
  const sema::TypedFunction& function = *entry->variants.at(0);
  Expected out;
  std::vector<Value> args;
  for (size_t k = 0; k < memories.size(); ++k) {
    Dense dense = dense_of(program.params[k], memories[k]);
    out.args.push_back(dense);
    args.push_back(program.params[k].is_array ? Value::of(dense) : Value{dense.at({}), nullptr, {}});
  }
  check_named_extents(program, out);
  if (out.fails) return out;
  Evaluator evaluator(*module.types, mistake);
  try {
    const Value got = evaluator.call(function, args);
    std::vector<Value> values{got};
    std::vector<sema::TypeId> types{function.return_type};
    if (const types::TupleType* tuple = module.types->as_tuple(function.return_type)) {
      values = got.items;
      types = tuple->elements;
    }
    for (size_t k = 0; k < values.size(); ++k) {
      const types::Scalar* scalar = module.types->as_scalar(types[k]);
      if (scalar == nullptr && values.at(k).array == nullptr) throw std::logic_error("the evaluator has no array");
      Dense result = scalar != nullptr ? new_dense(scalar->dtype, {}) : *values[k].array;
      if (scalar != nullptr) result.numbers->at(0) = values[k].number;
      out.results.push_back(result);
    }
  } catch (const CallFailure& failure) {
    out.fails = true;
    out.failure = failure.what();
  }
  return out;
}

}  // namespace jitc::random_arrays
