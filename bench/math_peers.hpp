// Functions of other math libraries on arrays, found at run time: glibc's libm one by one, libmvec and SLEEF in vectors
// of the widest kind that the processor has.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace jitc::bench {

/// What a library is called here, and whether its functions are meant to be within about an ulp.
struct MathPeer {
  std::string name;
  bool is_accurate = false;
  std::function<void(const void* x, const void* y, void* out, size_t count)> run;
};

/// Those that have the function of this C name ("sin", for f4 its "sinf").
std::vector<MathPeer> math_peers(const std::string& c_name, int arity, bool is_f4);

/// Lines about libraries that are missing on this machine.
std::vector<std::string> missing_math_peers();

}  // namespace jitc::bench
