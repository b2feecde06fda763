// Functions whose text has no signature: each new list of argument types is typed at its first call and kept.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "runtime/common/error.hpp"
#include "runtime/common/layout.hpp"
#include "src/base/match.hpp"
#include "src/engine/messages.hpp"
#include "src/engine/resolve_ufunc.hpp"
#include "src/engine/state.hpp"

namespace jitc::engine {

namespace {

constexpr int kMaxRank = 3, kMaxArrayRank = 16;  // as signatures of array functions

DType dtype_of(const Argument& arg) {
  return base::match(
      arg.value(), [](const Array& array) { return array.dtype(); }, [](const Scalar& scalar) { return scalar.dtype; },
      [](const HostView& host) { return host.dtype(); });
}

/// "f4[:,:]" or "i8"; of a ufunc's array that of one element.
std::string type_text(const FunctionState& function, size_t index, const Argument& arg) {
  const auto* array = std::get_if<Array>(&arg.value());
  if (array == nullptr) return std::string(name(std::get<Scalar>(arg.value()).dtype));
  if (!function.is_kernel() && !function.is_array_function()) return std::string(name(array->dtype()));
  const int max_rank = function.is_kernel() ? kMaxRank : kMaxArrayRank;
  if (array->rank() < 1 || array->rank() > max_rank) {
    runtime::fail(ErrorCode::argument, "{}: argument {} '{}' has {} axes; arrays of {}s have 1 to {}", function.title,
                  index + 1, function.group->params[index], array->rank(), spelling(function.group->kind), max_rank);
  }
  return runtime::array_type_text(array->dtype(), array->rank());
}

std::string types_text(const FunctionState& function, std::span<const Argument> args) {
  std::vector<std::string> types;
  for (size_t i = 0; i < args.size(); ++i) types.push_back(type_text(function, i, args[i]));
  return fmt::format("({})", fmt::join(types, ", "));
}

/// Of a gufunc: arrays of the ranks of their cores, and elements of those that have none.
std::string types_text(const FunctionState& function, std::span<const Argument> args,
                       std::span<const Argument> results) {
  const sema::CoreLayout& layout = *function.group->layout;
  if (results.size() != layout.outputs.size()) {
    runtime::fail(ErrorCode::argument,
                  "{} has no signature, which would say of what type its results are: give it one, or arrays for the "
                  "results (call_into, CallOptions::out)",
                  function.title);
  }
  std::vector<std::string> types;
  for (size_t i = 0; i < args.size(); ++i) {
    types.push_back(runtime::array_type_text(dtype_of(args[i]), layout.inputs[i].rank()));
  }
  for (size_t i = 0; i < results.size(); ++i) {
    types.push_back(runtime::array_type_text(dtype_of(results[i]), std::max(layout.outputs[i].rank(), 1)));
  }
  return fmt::format("({})", fmt::join(types, ", "));
}

/// What the text of the function would say: of a reduction, that its results are what it takes.
std::string signature_text(const FunctionState& function, const std::string& types) {
  const bool has_results = function.is_ufunc() || function.is_array_function();  // which follow from the body
  if (!function.is_reduction()) return (has_results ? "" : "void") + types;
  const std::string elem = types.substr(1, types.size() - 2);
  return fmt::format("{0}({0}, {0})", elem);
}

/// Types the function; the CompileError of one that cannot have these types names them.
TypedSignature specialize(const FunctionState& function, const std::string& types) {
  const pipeline::Module& text = *function.program->compiled->module;
  const auto module = pipeline::specialize(text, function.group->name, signature_text(function, types));
  if (!module->ok) {
    throw CompileError(fmt::format("{} does not compile for the types of this call, {}\n{}", function.title, types,
                                   source::render_all(module->file, module->diagnostics)),
                       to_messages(module->file, module->diagnostics));
  }
  return {module, &module->kernels.at(0).variants.at(0)};
}

}  // namespace

Resolution choose_signature(const FunctionState& function, std::span<const Argument> args,
                            std::span<const Argument> results) {
  if (!function.group->is_typed_by_calls()) {
    return function.is_kernel() || function.is_array_function()
               ? resolve(function.title, function.written, args)
               : resolve_ufunc(function.title, function.group->params, function.written, args);
  }
  check_given(function.title, function.group->params, function.written, args);
  const std::string types = function.is_gufunc() ? types_text(function, args, results) : types_text(function, args);
  const size_t index =
      function.by_types.get(types, [&] { return function.signatures.append(specialize(function, types)); });
  return {index, {args.begin(), args.end()}};
}

}  // namespace jitc::engine
