#include "src/cli/run_arguments.hpp"

#include <fmt/format.h>

#include "src/cli/failure.hpp"
#include "src/cli/run_method.hpp"
#include "src/cli/stage_table.hpp"
#include "src/engine/engine.hpp"
#include "src/io/input_error.hpp"
#include "src/io/scalar_text.hpp"

namespace jitc::cli {

namespace {

/// Done when it returns. In C order, or in Fortran order where the signature asks for it.
Array upload(const Run& run, const io::HostArray& array, Layout layout) {
  const bool is_fortran = layout == Layout::fortran;
  const io::HostArray reversed = is_fortran ? io::transposed(array) : io::HostArray{};
  const io::HostArray& source = is_fortran ? reversed : array;
  const Array out = array.is_undefined
                        ? run.device.empty(source.shape, source.dtype, run.stream)
                        : run.device.to_device(source.bytes.data(), source.shape, source.dtype, run.stream);
  finish(run);
  return is_fortran ? out.transpose() : out;
}

/// The type that Python gives a number; b1 for true and false.
DType natural_dtype(const NamedSpec& spec, const std::string& text) {
  for (const DType dtype : {DType::i8, DType::f8, DType::c16, DType::b1}) {
    if (io::parse_scalar(text, dtype).value) return dtype;
  }
  fail(fmt::format("argument {}: {} is no value of i8 or f8", spec.name, text), "give it its type, such as u8(…)");
}

/// What a file cannot say of its array is an error that names the argument.
io::SpecType type_of(const NamedSpec& spec) {
  try {
    return io::type_of(spec.spec);
  } catch (const io::InputError& error) {
    throw io::InputError(error.code(), fmt::format("argument {}: {}", spec.name, error.what()), error.help());
  }
}

/// A ufunc takes arrays of any rank, and scalars, where its signature has a scalar; a gufunc more axes than its cores.
void adapt_to_specs(std::vector<ArgumentInfo>& infos, const std::vector<NamedSpec>& specs) {
  for (size_t i = 0; i < infos.size(); ++i) {
    const io::SpecType type = type_of(specs[i]);
    infos[i].is_array = type.is_array;
    infos[i].rank = static_cast<int>(type.shape.size());
  }
}

std::vector<ArgumentInfo> infos_of(const Function& function, size_t signature, const std::vector<NamedSpec>& specs) {
  std::vector<ArgumentInfo> out = function.arguments(signature);
  if (function.kind() != FunctionKind::kernel) adapt_to_specs(out, specs);
  return out;
}

size_t choose_signature(const Function& function, const std::vector<NamedSpec>& specs, const ProgramOptions& options) {
  const std::vector<std::string> texts = function.signatures();
  if (options.signature_number() || texts.size() == 1) return pick_signature(function, options);
  std::vector<std::vector<ArgumentInfo>> signatures;
  for (size_t i = 0; i < texts.size(); ++i) signatures.push_back(infos_of(function, i, specs));
  return match_signature(specs, signatures, texts, title_of(function));
}

}  // namespace

ArgumentInfo own_info(const NamedSpec& spec, const Function& function) {
  const io::SpecType type = type_of(spec);
  ArgumentInfo out{.name = spec.name, .is_array = type.is_array, .rank = static_cast<int>(type.shape.size())};
  if (type.dtype) {
    out.dtype = *type.dtype;
  } else if (const auto* scalar = std::get_if<io::ScalarSpec>(&spec.spec)) {
    out.dtype = natural_dtype(spec, scalar->text);
  } else {
    fail(fmt::format("argument {}: the array has no type, and {} declares none", spec.name, title_of(function)),
         "write it before the shape, such as zeros:f4[100]");
  }
  return out;
}

void make_values(Run& run, const std::vector<NamedSpec>& specs) {
  for (size_t i = 0; i < specs.size(); ++i) {
    run.values.push_back(io::make_argument(specs[i].spec, run.infos[i]));
    if (const auto* array = std::get_if<io::HostArray>(&run.values.back())) {
      const auto begin = std::chrono::steady_clock::now();
      run.arguments.emplace_back(upload(run, *array, run.infos[i].layout));
      run.copy_in_ms += milliseconds_since(begin);
    } else {
      run.arguments.emplace_back(std::get<Scalar>(run.values.back()));
    }
  }
}

std::string Run::title() const {
  return function.name() + (method.kind == MethodKind::call ? "" : fmt::format(".{}", cli::name(method.kind)));
}

size_t Run::index_of(const std::string& name, const std::string& option) const {
  std::vector<std::string> names;
  for (const ArgumentInfo& info : infos) names.push_back(info.name);
  names.insert(names.end(), result_names.begin(), result_names.end());
  for (size_t i = names.size(); i-- > 0;) {
    if (names[i] == name) return i;
  }
  if (name == "result" && result_names.size() == 1) return infos.size();
  fail(fmt::format("{} {}: {} has no argument{} of that name", option, name, title_of(function),
                   result_names.empty() ? "" : " or result"),
       suggest(name, names, is_called() ? "it has" : "its arguments are"));
}

Run prepare_run(Function function, const Method& method, const std::vector<std::string>& words,
                const ProgramOptions& options, const Device& device, const Stream& stream) {
  if (method.is_fold() || function.kind() == FunctionKind::reduction) {
    return prepare_fold(function, method, words, options, device, stream);
  }
  const bool is_open = function.is_typed_by_calls();
  const std::string title = title_of(function);
  const std::vector<NamedSpec> specs =
      order_args(parse_args(words), function.parameters(), title, is_open ? "" : function.signatures().front());
  Run out{function, device, stream, method};
  if (is_open) {
    if (function.kind() == FunctionKind::gufunc) {
      fail(fmt::format("{} has no signature, which would say of what type its results are", title),
           fmt::format("give it one, such as --signature \"void(f8[:], f8[:])\"; its layout is {}", function.layout()));
    }
    if (options.signature_number()) fail(fmt::format("{} has no signatures to choose from", title));
    for (const NamedSpec& spec : specs) out.infos.push_back(own_info(spec, function));
    make_values(out, specs);
    out.signature = function.resolve(out.arguments);
    // Now it is known which arrays are written.
    out.infos = infos_of(function, out.signature, specs);
  } else {
    out.signature = choose_signature(function, specs, options);
    out.infos = infos_of(function, out.signature, specs);
    make_values(out, specs);
  }
  const std::vector<ArgumentInfo>& all = engine::variant_of(function, out.signature).strided.arguments;
  for (size_t i = out.infos.size(); i < all.size(); ++i) out.result_names.push_back(all[i].name);
  return out;
}

void finish(const Run& run) { run.stream.synchronize(); }

io::HostArray download(Run& run, size_t index) {
  if (index < run.values.size()) {
    if (const auto* scalar = std::get_if<Scalar>(&run.values[index])) {
      io::HostArray out = io::make_zeros(scalar->dtype, {});
      out.set_element(0, scalar->bits, scalar->imag_bits);
      return out;
    }
  }
  const Array& array = std::get<Array>(run.arguments[index].value());
  io::HostArray out = io::make_zeros(array.dtype(), array.shape());
  const auto begin = std::chrono::steady_clock::now();
  array.copy_to_host(out.bytes.data(), out.bytes.size(), run.stream);
  finish(run);
  run.copy_out_ms += milliseconds_since(begin);
  return out;
}

void restore(const Run& run) {
  for (size_t i = 0; i < run.infos.size(); ++i) {
    const auto* array = std::get_if<io::HostArray>(&run.values[i]);
    if (array == nullptr || array->is_undefined || !run.infos[i].written) continue;
    const Array& target = std::get<Array>(run.arguments[i].value());
    target.copy_from_host(array->bytes.data(), array->bytes.size(), run.stream);
  }
  finish(run);
}

}  // namespace jitc::cli
