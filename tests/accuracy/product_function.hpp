// A math function as users have it: compiled kernel text, run on arrays by the CPU device.
#pragma once

#include <string>
#include <string_view>

#include "jitc/jitc.hpp"

namespace jitc::accuracy {

/// Arrays of arguments and of results, computed as often as wanted. One thread at a time.
class ProductFunction {
 public:
  /// A function of one parameter or two, by its name in math.def.
  ProductFunction(std::string_view name, int arity, DType dtype, int64_t count);

  /// `count` elements in host memory.
  template <class T>
  T* arguments() {
    return reinterpret_cast<T*>(x_.data());
  }
  /// Of two parameters: the second ones.
  template <class T>
  T* second_arguments() {
    return reinterpret_cast<T*>(y_.data());
  }
  template <class T>
  const T* results() const {
    return reinterpret_cast<const T*>(out_.data());
  }
  void run() const { launch_.run(); }

 private:
  Array x_, y_, out_;
  PreparedLaunch launch_;
};

/// Functions of f4 and f8 alone, which only the module of libdevice's names has.
bool is_of_libdevice(std::string_view name);

/// How kernel text calls it: "math.sin", "libdevice.exp10f".
std::string text_name(std::string_view name, DType dtype);

}  // namespace jitc::accuracy
