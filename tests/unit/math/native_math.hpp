// The library's functions as native code: the embedded bitcode, compiled for the host, is linked into the test.
#pragma once

#include <cstdint>
#include <string_view>

namespace jitc::math_test {

using Symbol = void (*)();

/// One row of math.def.
struct NativeFunction {
  std::string_view name;
  int arity;
  Symbol f4, f8;
};

/// The row of that name; throws std::out_of_range.
const NativeFunction& native(std::string_view name);

template <typename T>
Symbol symbol(std::string_view name) {
  return sizeof(T) == 4 ? native(name).f4 : native(name).f8;
}

/// The function `name` for T with T parameters, or with the parameters given.
template <typename T, typename Result = T, typename... Params>
auto function(std::string_view name) {
  return reinterpret_cast<Result (*)(Params...)>(symbol<T>(name));
}

template <typename T>
auto unary(std::string_view name) {
  return function<T, T, T>(name);
}

template <typename T>
auto binary(std::string_view name) {
  return function<T, T, T, T>(name);
}

}  // namespace jitc::math_test

extern "C" int64_t jitc_ipow(int64_t base, int64_t exponent);
extern "C" uint64_t jitc_upow(uint64_t base, uint64_t exponent);
