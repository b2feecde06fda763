#include "src/cli/run_method.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "src/cli/failure.hpp"
#include "src/io/scalar_text.hpp"

namespace jitc::cli {

namespace {

/// Names of the arguments; a reduction's others than the array may be left out.
std::vector<std::string> argument_names(const Function& function, const Method& method,
                                        const std::vector<NamedSpec>& specs) {
  if (method.kind == MethodKind::at) return {"target", "indices", "values"};
  std::vector<std::string> out{"array"};
  if (function.kind() != FunctionKind::reduction) return out;
  for (const std::string name : {"init", "size"}) {
    if (std::ranges::any_of(specs, [&](const NamedSpec& spec) { return spec.name == name; })) out.push_back(name);
  }
  return out;
}

/// The type of the array that chooses the signature; where it says none, that of the signature that is named or alone.
ArgumentInfo array_info(const NamedSpec& spec, const Function& function, const ProgramOptions& options) {
  const io::SpecType type = io::type_of(spec.spec);
  if (!type.is_array) fail(fmt::format("argument {}: it is a scalar, and must be an array", spec.name));
  const bool is_clear = function.signatures().size() == 1 || options.signature_number();
  if (type.dtype || !is_clear || function.is_typed_by_calls()) return own_info(spec, function);
  ArgumentInfo out = function.arguments(pick_signature(function, options)).front();
  out.name = spec.name;
  out.is_array = true;
  out.rank = static_cast<int>(type.shape.size());
  return out;
}

/// Of the others. What is combined with elements of the array has their type.
ArgumentInfo other_info(const NamedSpec& spec, DType dtype) {
  const io::SpecType type = io::type_of(spec.spec);
  const bool is_number = spec.name == "size" || spec.name == "indices";
  ArgumentInfo out{.name = spec.name, .dtype = is_number ? DType::i8 : dtype, .is_array = type.is_array};
  out.rank = static_cast<int>(type.shape.size());
  if (spec.name == "indices") {
    if (!type.is_array) fail("argument indices: it is a scalar, and must be an array", "such as indices=i8[2]{0,3}");
    out.dtype = type.dtype.value_or(DType::i8);
  } else if (spec.name != "values" && type.is_array) {
    fail(fmt::format("argument {}: it is an array, and must be a scalar", spec.name));
  }
  return out;
}

std::optional<Argument> initial_of(const Run& run) {
  for (size_t i = 0; i < run.infos.size(); ++i) {
    if (run.infos[i].name == "init") return run.arguments[i];
  }
  if (run.method.initial.empty()) return std::nullopt;
  return *io::parse_scalar(run.method.initial, run.infos[0].dtype).value;
}

std::optional<int64_t> size_of(const Run& run) {
  for (size_t i = 0; i < run.infos.size(); ++i) {
    if (run.infos[i].name == "size") return static_cast<int64_t>(std::get<Scalar>(run.values[i]).bits);
  }
  return std::nullopt;
}

void check_initial(const Method& method, DType dtype) {
  if (method.initial.empty() || io::parse_scalar(method.initial, dtype).value) return;
  fail(fmt::format("--initial {}: it is no value of {}, the type of the array", method.initial, jitc::name(dtype)),
       "write the number alone, such as --initial 2.5");
}

engine::CallReport reduce(const Run& run, const engine::LaunchEvents& events) {
  const ReduceOptions options{.axes = run.method.axes,
                              .all_axes = run.method.all_axes,
                              .keepdims = run.method.keepdims,
                              .initial = initial_of(run),
                              .size = size_of(run),
                              .stream = run.stream};
  return engine::reduce(run.function, run.arguments[0], options, &events);
}

}  // namespace

Run prepare_fold(Function function, const Method& method, const std::vector<std::string>& words,
                 const ProgramOptions& options, const Device& device, const Stream& stream) {
  std::vector<NamedSpec> specs = parse_args(words);
  const std::vector<std::string> names = argument_names(function, method, specs);
  if (function.kind() == FunctionKind::reduction && method.kind != MethodKind::call) {
    fail(fmt::format("{} has no {}: it is run by its name alone", title_of(function), name(method.kind)));
  }
  if (options.signature_number() && function.signatures().size() > 0) pick_signature(function, options);
  Run out{function, device, stream, method};
  specs = order_args(std::move(specs), names, method.is_fold() ? out.title() : title_of(function), "");
  for (const NamedSpec& spec : specs) {
    out.infos.push_back(out.infos.empty() ? array_info(spec, function, options) : other_info(spec, out.infos[0].dtype));
  }
  check_initial(method, out.infos[0].dtype);
  out.infos[0].written = method.kind == MethodKind::at;
  if (function.kind() != FunctionKind::reduction) {
    out.signature = engine::fold_signature(function, out.infos[0].dtype, name(method.kind));
    if (options.signature_number().value_or(out.signature) != out.signature) {
      fail(fmt::format("{}: signature {} is {}, but the array is {}", out.title(), *options.signature_number(),
                       function.signatures()[*options.signature_number()], jitc::name(out.infos[0].dtype)),
           "leave --signature out: the type of the array chooses");
    }
  } else if (options.signature_number()) {
    fail(fmt::format("{} has no signatures to choose from", out.title()), "leave --signature out");
  }
  make_values(out, specs);
  if (function.kind() == FunctionKind::reduction) out.signature = function.resolve({out.arguments[0]});
  if (method.kind != MethodKind::at) out.result_names = {"out"};
  return out;
}

engine::CallReport call_method(const Run& run, const engine::LaunchEvents& events) {
  const CallOptions options{.stream = run.stream};
  const std::vector<Argument>& args = run.arguments;
  if (run.function.kind() == FunctionKind::reduction) return reduce(run, events);
  switch (run.method.kind) {
    case MethodKind::call: break;
    case MethodKind::reduce: return reduce(run, events);
    case MethodKind::accumulate: return engine::accumulate(run.function, args[0], run.method.axes[0], options, &events);
    case MethodKind::outer: return engine::outer(run.function, args[0], args[1], options, &events);
    case MethodKind::at: return engine::at(run.function, args[0], args[1], args[2], run.stream, &events);
  }
  return engine::call(run.function, args, options, &events);
}

}  // namespace jitc::cli
