#include "src/sema/fold_math.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "src/sema/constant.hpp"

namespace jitc::sema {

namespace {

using kernel::MathFn;
using kernel::UnaryOp;

using Fn1 = double (*)(double);
using Fn2 = double (*)(double, double);

double logistic(double x) {
  const double e = std::exp(-std::fabs(x));
  return x < 0 ? e / (1 + e) : 1 / (1 + e);
}

Fn1 function_of_one(MathFn fn) {
  switch (fn) {
    case MathFn::kSin: return std::sin;
    case MathFn::kCos: return std::cos;
    case MathFn::kTan: return std::tan;
    case MathFn::kAsin: return std::asin;
    case MathFn::kAcos: return std::acos;
    case MathFn::kAtan: return std::atan;
    case MathFn::kSinh: return std::sinh;
    case MathFn::kCosh: return std::cosh;
    case MathFn::kTanh: return std::tanh;
    case MathFn::kAsinh: return std::asinh;
    case MathFn::kAcosh: return std::acosh;
    case MathFn::kAtanh: return std::atanh;
    case MathFn::kExp: return std::exp;
    case MathFn::kExp2: return std::exp2;
    case MathFn::kExpm1: return std::expm1;
    case MathFn::kLog: return std::log;
    case MathFn::kLog2: return std::log2;
    case MathFn::kLog10: return std::log10;
    case MathFn::kLog1p: return std::log1p;
    case MathFn::kCbrt: return std::cbrt;
    case MathFn::kErf: return std::erf;
    case MathFn::kErfc: return std::erfc;
    case MathFn::kGamma: return std::tgamma;
    case MathFn::kLogistic: return logistic;
    default: return nullptr;
  }
}

Fn2 function_of_two(MathFn fn) {
  switch (fn) {
    case MathFn::kAtan2: return std::atan2;
    case MathFn::kPow: return std::pow;
    case MathFn::kHypot: return std::hypot;
    case MathFn::kFmod: return std::fmod;
    case MathFn::kRemainder: return std::remainder;
    case MathFn::kNextafter: return std::nextafter;
    case MathFn::kFloorDiv: return python_floor_div;
    case MathFn::kPyMod: return python_mod;
    default: return nullptr;
  }
}

}  // namespace

double number_value(Number number) {
  switch (number) {
    case Number::kPi: return std::numbers::pi;
    case Number::kE: return std::numbers::e;
    case Number::kTau: return 2 * std::numbers::pi;
    case Number::kInf: return std::numeric_limits<double>::infinity();
    case Number::kNan: return std::numeric_limits<double>::quiet_NaN();
    case Number::kEulerGamma: return std::numbers::egamma;
  }
  return 0;
}

double scale_factor(Scale scale) { return scale == Scale::kDegrees ? 180 / std::numbers::pi : std::numbers::pi / 180; }

std::optional<double> fold_math(MathFn fn, const std::vector<double>& args) {
  if (args.size() == 1) {
    if (const Fn1 f = function_of_one(fn)) return f(args[0]);
  } else if (args.size() == 2) {
    if (const Fn2 f = function_of_two(fn)) return f(args[0], args[1]);
  }
  return std::nullopt;
}

std::optional<double> fold_unary_float(UnaryOp op, double x) {
  switch (op) {
    case UnaryOp::kSqrt: return std::sqrt(x);
    case UnaryOp::kFloor: return std::floor(x);
    case UnaryOp::kCeil: return std::ceil(x);
    case UnaryOp::kTrunc: return std::trunc(x);
    case UnaryOp::kRint: return std::nearbyint(x);
    case UnaryOp::kAbs: return std::fabs(x);
    case UnaryOp::kNeg: return -x;
    default: return std::nullopt;
  }
}

}  // namespace jitc::sema
