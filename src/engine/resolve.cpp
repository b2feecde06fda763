#include "src/engine/resolve.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "runtime/common/error.hpp"
#include "runtime/common/layout.hpp"
#include "src/base/match.hpp"
#include "src/engine/scalar_fit.hpp"

namespace jitc::engine {

using runtime::array_type_text;
using runtime::fail;

namespace {

std::string type_text(const ArgumentInfo& info) {
  return info.is_array ? array_type_text(info.dtype, info.rank, info.layout) : std::string(name(info.dtype));
}

std::string type_text(const Argument& arg) {
  return base::match(
      arg.value(),
      [](const Array& array) {
        return array_type_text(array.dtype(), array.rank()) + (array.rank() == 0 ? " array" : "");
      },
      [](const Scalar& scalar) { return std::string(name(scalar.dtype)); },
      [](const HostView& host) { return array_type_text(host.dtype(), static_cast<int>(host.shape().size())); });
}

/// How arguments fit parameters, from worst to best.
enum class Fit : uint8_t { none, lossless, exact };

Fit fit_scalar(Scalar scalar, const ArgumentInfo& info) {
  if (info.is_array) return Fit::none;
  if (scalar.dtype == info.dtype) return Fit::exact;
  return convert_scalar(scalar, info.dtype) ? Fit::lossless : Fit::none;
}

Fit fit_of(const Argument& arg, const ArgumentInfo& info) {
  return base::match(
      arg.value(),
      [&](const Array& array) {
        const bool fits = info.is_array && array.dtype() == info.dtype && array.rank() == info.rank;
        return fits ? Fit::exact : Fit::none;
      },
      [&](const Scalar& scalar) { return fit_scalar(scalar, info); },
      [](const HostView&) { return Fit::none; });  // launches put arrays in its place
}

Fit fit_of(std::span<const Argument> args, const Signature& signature) {
  Fit worst = Fit::exact;
  for (size_t i = 0; i < args.size() && worst != Fit::none; ++i) {
    worst = std::min(worst, fit_of(args[i], signature.arguments[i]));
  }
  return worst;
}

/// "argument 2 'x' is f8[:], the signature wants f4[:]": of the first argument that does not fit.
std::string misfit_text(std::span<const Argument> args, const Signature& signature) {
  size_t i = 0;
  while (fit_of(args[i], signature.arguments[i]) != Fit::none) ++i;
  const ArgumentInfo& info = signature.arguments[i];
  const std::string start = fmt::format("argument {} '{}' is ", i + 1, info.name);
  const auto* scalar = std::get_if<Scalar>(&args[i].value());
  if (scalar != nullptr && !info.is_array) {
    return start + fmt::format("{} {}, which does not convert to {} without loss", name(scalar->dtype),
                               value_text(*scalar), name(info.dtype));
  }
  return start + fmt::format("{}, the signature wants {}", type_text(args[i]), type_text(info));
}

/// The arguments of a signature that they fit, with the scalars in its types.
std::vector<Argument> convert(std::span<const Argument> args, const Signature& signature) {
  std::vector<Argument> out;
  out.reserve(args.size());
  for (size_t i = 0; i < args.size(); ++i) {
    const auto* scalar = std::get_if<Scalar>(&args[i].value());
    out.push_back(scalar == nullptr ? args[i] : Argument(*convert_scalar(*scalar, signature.arguments[i].dtype)));
  }
  return out;
}

bool has_layouts(std::span<const Argument> args, const Signature& signature) {
  for (size_t i = 0; i < args.size(); ++i) {
    const Array* array = std::get_if<Array>(&args[i].value());
    if (array == nullptr) continue;
    const Layout layout = signature.arguments[i].layout;
    if (layout == Layout::c && !array->is_c_contiguous()) return false;
    if (layout == Layout::fortran && !array->is_fortran_contiguous()) return false;
  }
  return true;
}

auto count_specific_layouts(const Signature& signature) {
  return std::ranges::count_if(signature.arguments, [](const ArgumentInfo& a) { return a.layout != Layout::any; });
}

/// Keeps, of several candidates, those whose layouts the arrays have, and of those the most specific ones.
std::vector<size_t> narrow_by_layout(std::vector<size_t> candidates, std::span<const Signature> signatures,
                                     std::span<const Argument> args) {
  if (candidates.size() < 2) return candidates;
  std::vector<size_t> kept;
  std::ranges::copy_if(candidates, std::back_inserter(kept),
                       [&](size_t i) { return has_layouts(args, signatures[i]); });
  if (kept.empty()) return candidates;
  const auto specific = [&](size_t i) { return count_specific_layouts(signatures[i]); };
  const auto most = specific(*std::ranges::max_element(kept, {}, specific));
  std::erase_if(kept, [&](size_t i) { return specific(i) != most; });
  return kept;
}

[[noreturn]] void fail_unfit(std::string_view title, std::span<const Signature> signatures,
                             std::span<const Argument> args) {
  std::string lines;
  for (const Signature& signature : signatures) {
    lines += fmt::format("\n  {}: {}", signature.text, misfit_text(args, signature));
  }
  fail(ErrorCode::argument, "no signature of {} takes {}{}", title, given_text(args), lines);
}

[[noreturn]] void fail_ambiguous(std::string_view title, std::span<const Signature> signatures,
                                 std::span<const size_t> candidates, std::span<const Argument> args) {
  std::vector<Signature> listed;
  for (size_t i : candidates) listed.push_back(signatures[i]);
  fail(ErrorCode::argument, "{} fits several signatures of {}; give the scalars the exact types of one:{}",
       given_text(args), title, list_text(listed));
}

std::vector<std::string> params_of(const Signature& signature) {
  std::vector<std::string> out;
  for (const ArgumentInfo& info : signature.arguments) out.push_back(info.name);
  return out;
}

[[noreturn]] void fail_count(std::string_view title, std::span<const std::string> params,
                             std::span<const Signature> signatures, size_t given) {
  std::string missing;
  for (size_t i = given; i < params.size(); ++i) missing += fmt::format("{}'{}'", i == given ? "" : ", ", params[i]);
  if (!missing.empty()) missing = fmt::format(": {} {} missing", missing, params.size() - given == 1 ? "is" : "are");
  const std::string list = signatures.empty() ? "" : "; its signatures are" + list_text(signatures);
  fail(ErrorCode::argument, "{} takes {} argument{}, {} {} given{}{}", title, params.size(),
       params.size() == 1 ? "" : "s", given, given == 1 ? "was" : "were", missing, list);
}

/// Not an array without memory.
bool is_there(const Argument& arg) {
  const Array* array = std::get_if<Array>(&arg.value());
  return array == nullptr || array->valid();
}

}  // namespace

std::string given_text(std::span<const Argument> args) {
  std::vector<std::string> types;
  for (const Argument& arg : args) types.push_back(type_text(arg));
  return fmt::format("({})", fmt::join(types, ", "));
}

std::string list_text(std::span<const Signature> signatures) {
  std::string out;
  for (const Signature& signature : signatures) out += fmt::format("\n  {}", signature.text);
  return out;
}

void check_given(std::string_view title, std::span<const std::string> params, std::span<const Signature> signatures,
                 std::span<const Argument> args) {
  if (params.size() != args.size()) fail_count(title, params, signatures, args.size());
  for (size_t i = 0; i < args.size(); ++i) {
    if (is_there(args[i])) continue;
    fail(ErrorCode::argument, "{}: argument {} '{}' is an array that was never allocated on a device", title, i + 1,
         params[i]);
  }
}

Resolution resolve(std::string_view title, std::span<const Signature> signatures, std::span<const Argument> args) {
  // All signatures of a kernel are of one def, so they agree in the number and names of arguments.
  const bool all_there = args.size() == signatures[0].arguments.size() && std::ranges::all_of(args, is_there);
  if (!all_there) check_given(title, params_of(signatures[0]), signatures, args);

  std::vector<size_t> candidates;
  Fit best = Fit::lossless;
  for (size_t i = 0; i < signatures.size(); ++i) {
    const Fit fit = fit_of(args, signatures[i]);
    if (fit < best) continue;
    if (fit > best) candidates.clear();
    best = fit;
    candidates.push_back(i);
  }
  candidates = narrow_by_layout(std::move(candidates), signatures, args);
  if (candidates.empty()) fail_unfit(title, signatures, args);
  if (candidates.size() > 1) fail_ambiguous(title, signatures, candidates, args);
  return {candidates[0], convert(args, signatures[candidates[0]])};
}

}  // namespace jitc::engine
