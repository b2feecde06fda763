#include "src/engine/resolve_ufunc.hpp"

#include <utility>

#include "runtime/common/error.hpp"
#include "src/engine/scalar_fit.hpp"

namespace jitc::engine {

namespace {

using runtime::fail;

/// How the whole list fits one signature.
struct Fit {
  bool exact = true;
  std::vector<std::string> problems;  ///< "cast 'b' from f8 to f4"
};

void fit_array(const Array& array, const ArgumentInfo& info, Fit& out) {
  if (array.dtype() == info.dtype) return;
  out.problems.push_back(fmt::format("cast '{}' from {} to {}", info.name, name(array.dtype()), name(info.dtype)));
}

void fit_scalar(Scalar scalar, const ArgumentInfo& info, Fit& out) {
  if (adopt_scalar(scalar, info.dtype)) {
    out.exact = out.exact && scalar.dtype == info.dtype;
  } else {
    out.problems.push_back(fmt::format("the scalar '{}' is {} {}, which is no value of {}", info.name,
                                       name(scalar.dtype), value_text(scalar), name(info.dtype)));
  }
}

Fit fit_signature(std::span<const Argument> args, const Signature& signature) {
  Fit out;
  for (size_t i = 0; i < args.size(); ++i) {
    const ArgumentInfo& info = signature.arguments[i];
    if (const Array* array = std::get_if<Array>(&args[i].value())) {
      fit_array(*array, info, out);
    } else {
      fit_scalar(std::get<Scalar>(args[i].value()), info, out);
    }
  }
  return out;
}

/// The arguments with the scalars in the signature's types, which they fit.
std::vector<Argument> adopt(std::span<const Argument> args, const Signature& signature) {
  std::vector<Argument> out(args.begin(), args.end());
  for (size_t i = 0; i < out.size(); ++i) {
    const auto* scalar = std::get_if<Scalar>(&args[i].value());
    if (scalar != nullptr) out[i] = *adopt_scalar(*scalar, signature.arguments[i].dtype);
  }
  return out;
}

[[noreturn]] void fail_unfit(std::string_view title, std::span<const Signature> signatures, std::span<const Fit> fits,
                             std::span<const Argument> args) {
  std::string lines;
  for (size_t i = 0; i < signatures.size(); ++i) {
    lines += fmt::format("\n  {}: {}", signatures[i].text, fmt::join(fits[i].problems, "; "));
  }
  fail(ErrorCode::argument, "no signature of {} takes {}; the types of arrays must match exactly{}", title,
       given_text(args), lines);
}

[[noreturn]] void fail_ambiguous(std::string_view title, std::span<const Signature> signatures,
                                 std::span<const size_t> candidates, std::span<const Argument> args) {
  std::vector<Signature> listed;
  for (const size_t i : candidates) listed.push_back(signatures[i]);
  fail(ErrorCode::argument, "{} fits several signatures of {}; give the scalars the exact types of one:{}",
       given_text(args), title, list_text(listed));
}

}  // namespace

Resolution resolve_ufunc(std::string_view title, std::span<const std::string> params,
                         std::span<const Signature> signatures, std::span<const Argument> args) {
  check_given(title, params, signatures, args);
  std::vector<Fit> fits;
  fits.reserve(signatures.size());
  std::vector<size_t> exact, adopted;
  for (size_t i = 0; i < signatures.size(); ++i) {
    fits.push_back(fit_signature(args, signatures[i]));
    if (fits[i].problems.empty()) (fits[i].exact ? exact : adopted).push_back(i);
  }
  const std::vector<size_t>& candidates = exact.empty() ? adopted : exact;
  if (candidates.empty()) fail_unfit(title, signatures, fits, args);
  if (candidates.size() > 1) fail_ambiguous(title, signatures, candidates, args);
  return {candidates[0], adopt(args, signatures[candidates[0]])};
}

}  // namespace jitc::engine
