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

/// How one argument fits one parameter; `converted` holds it in the parameter's type when it does.
struct ArgumentFit {
  std::optional<Argument> converted;
  bool exact = false;
  std::string reason;  ///< "is f8[:], the signature wants f4[:]"
};

ArgumentFit misfit(const Argument& arg, const ArgumentInfo& info) {
  return {std::nullopt, false, fmt::format("is {}, the signature wants {}", type_text(arg), type_text(info))};
}

ArgumentFit fit_array(const Array& array, const Argument& arg, const ArgumentInfo& info) {
  if (!info.is_array || array.dtype() != info.dtype || array.rank() != info.rank) return misfit(arg, info);
  return {arg, true, ""};
}

ArgumentFit fit_scalar(Scalar scalar, const Argument& arg, const ArgumentInfo& info) {
  if (info.is_array) return misfit(arg, info);
  if (const auto converted = convert_scalar(scalar, info.dtype)) return {*converted, scalar.dtype == info.dtype, ""};
  return {std::nullopt, false,
          fmt::format("is {} {}, which does not convert to {} without loss", name(scalar.dtype), value_text(scalar),
                      name(info.dtype))};
}

ArgumentFit fit_argument(const Argument& arg, const ArgumentInfo& info) {
  return base::match(
      arg.value(), [&](const Array& array) { return fit_array(array, arg, info); },
      [&](const Scalar& scalar) { return fit_scalar(scalar, arg, info); },
      [&](const HostView&) { return misfit(arg, info); });  // launches put arrays in its place
}

/// How the whole list fits one signature.
struct SignatureFit {
  std::vector<Argument> converted;
  bool fits = true;
  bool exact = true;
  std::string reason;  ///< of the first argument that does not fit
};

SignatureFit fit_signature(std::span<const Argument> args, const Signature& signature) {
  SignatureFit out;
  for (size_t i = 0; i < args.size() && out.fits; ++i) {
    ArgumentFit fit = fit_argument(args[i], signature.arguments[i]);
    out.fits = fit.converted.has_value();
    out.exact = out.exact && fit.exact;
    if (out.fits) {
      out.converted.push_back(std::move(*fit.converted));
    } else {
      out.reason = fmt::format("argument {} '{}' {}", i + 1, signature.arguments[i].name, fit.reason);
    }
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

[[noreturn]] void fail_unfit(std::string_view kernel, std::span<const Signature> signatures,
                             std::span<const SignatureFit> fits, std::span<const Argument> args) {
  std::string lines;
  for (size_t i = 0; i < signatures.size(); ++i) {
    lines += fmt::format("\n  {}: {}", signatures[i].text, fits[i].reason);
  }
  fail(ErrorCode::argument, "no signature of kernel '{}' takes {}{}", kernel, given_text(args), lines);
}

[[noreturn]] void fail_ambiguous(std::string_view kernel, std::span<const Signature> signatures,
                                 std::span<const size_t> candidates, std::span<const Argument> args) {
  std::vector<Signature> listed;
  for (size_t i : candidates) listed.push_back(signatures[i]);
  fail(ErrorCode::argument, "{} fits several signatures of kernel '{}'; give the scalars the exact types of one:{}",
       given_text(args), kernel, list_text(listed));
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
    const Array* array = std::get_if<Array>(&args[i].value());
    if (array == nullptr || array->valid()) continue;
    fail(ErrorCode::argument, "{}: argument {} '{}' is an array that was never allocated on a device", title, i + 1,
         params[i]);
  }
}

Resolution resolve(std::string_view kernel, std::span<const Signature> signatures, std::span<const Argument> args) {
  // All signatures of a kernel are of one def, so they agree in the number and names of arguments.
  check_given(fmt::format("kernel '{}'", kernel), params_of(signatures[0]), signatures, args);
  std::vector<SignatureFit> fits;
  for (const Signature& signature : signatures) fits.push_back(fit_signature(args, signature));

  std::vector<size_t> exact, lossless;
  for (size_t i = 0; i < fits.size(); ++i) {
    if (!fits[i].fits) continue;
    (fits[i].exact ? exact : lossless).push_back(i);
  }
  const std::vector<size_t> candidates =
      narrow_by_layout(exact.empty() ? std::move(lossless) : std::move(exact), signatures, args);
  if (candidates.empty()) fail_unfit(kernel, signatures, fits, args);
  if (candidates.size() > 1) fail_ambiguous(kernel, signatures, candidates, args);
  return {candidates[0], std::move(fits[candidates[0]].converted)};
}

}  // namespace jitc::engine
