// The SPEC of `--arg NAME=SPEC`: how a scalar or an array is written on a command line or in a test case.
//
//   spec    := fill | literal | typed | file | scalar
//   fill    := ("zeros" | "empty" | "ones" | "arange") ":" type
//            | "full" ":" scalar ":" type
//            | "random" ":" type { ":" ("seed" | "low" | "high") "=" scalar }
//            | ( "normal" | "xoroshiro" ) ":" type [ ":" "seed" "=" scalar ]
//   literal := type "{" [ item { "," item } [ "," ] ] "}"      item := scalar | "{" … "}"     C order, flat or nested
//   typed   := dtype "(" scalar ")"
//   file    := a path that ends in .npy or .png
//   type    := [dtype] "[" [ extent { "," extent } ] "]"       no dtype: the one that the kernel declares
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "jitc/artifact.hpp"
#include "jitc/program.hpp"
#include "src/io/host_array.hpp"

namespace jitc::io {

/// zeros:f4[100,3] and its like.
struct FillSpec {
  enum class Kind : uint8_t { zeros, empty, ones, full, arange, random, normal, xoroshiro };
  Kind kind = Kind::zeros;
  std::optional<DType> dtype;
  std::vector<int64_t> shape;
  std::string value;      ///< full
  uint64_t seed = 0;      ///< random, normal, xoroshiro
  std::string low, high;  ///< random; empty where not given
};
/// f4[3]{1, 2.5, nan}.
struct LiteralSpec {
  std::optional<DType> dtype;
  std::vector<int64_t> shape;
  std::vector<std::string> items;  ///< C order, one for each element
};
/// points.npy, photo.png.
struct FileSpec {
  std::string path;
};
/// 2.5, or f4(2.5).
struct ScalarSpec {
  std::optional<DType> dtype;
  std::string text;
};
using ArgSpec = std::variant<FillSpec, LiteralSpec, FileSpec, ScalarSpec>;

/// Throws InputError for text that is no SPEC; reads no file.
ArgSpec parse_arg_spec(std::string_view text);

/// What a SPEC says of its type: an array has a shape, a scalar or an array may leave the dtype out.
struct SpecType {
  bool is_array = false;
  std::optional<DType> dtype;
  std::vector<int64_t> shape;
};
/// Reads the header of a FileSpec. Throws InputError for a bad file.
SpecType type_of(const ArgSpec& spec);

/// The array that the SPEC describes; reads the file of a FileSpec. `declared` stands in for a missing dtype. Throws
/// InputError for a scalar, a value that does not fit, a bad file.
HostArray make_array(const ArgSpec& spec, std::optional<DType> declared = {});

using ArgValue = std::variant<HostArray, Scalar>;

/// Throws InputError when the SPEC is not of the argument's dtype and rank, or a scalar does not fit its type. Of files
/// it reads the header only; the elements of arrays are not looked at.
void check_argument(const ArgSpec& spec, const ArgumentInfo& argument);

/// The value for one argument of a kernel, checked as check_argument() does. Where a scalar is declared, an array of
/// rank 0 gives its element. Errors name the argument.
ArgValue make_argument(const ArgSpec& spec, const ArgumentInfo& argument);

/// "f4[:,:]", "f4[:,::1]", "f4[n,m]", "i4": an argument's type as a signature writes it.
std::string type_text(const ArgumentInfo& argument);

}  // namespace jitc::io
