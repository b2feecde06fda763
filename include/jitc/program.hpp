// Compiled kernel text: programs and the functions in them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "jitc/api.hpp"
#include "jitc/array.hpp"
#include "jitc/artifact.hpp"
#include "jitc/device.hpp"
#include "jitc/error.hpp"

namespace jitc {

namespace engine {
struct Access;
struct FunctionState;
struct ProgramState;
}  // namespace engine

struct CompileOptions {
  std::string file_name = "<string>";  ///< shown in messages
  /// Gives `entry` this signature, for text that has none: "void(f4, f4[:], f4[:])".
  std::string entry;
  std::string signature;
  bool check = false;     ///< bounds checks in every kernel
  bool warn_f64 = false;  ///< warn where f4 or integer operands become f8
  uint32_t max_nesting = 256;
  size_t max_source_bytes = size_t{16} << 20;
  size_t max_nodes = size_t{1} << 20;  ///< kernel IR nodes of one kernel
};

/// Number of blocks or threads along x, y, z.
struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
};

struct LaunchConfig {
  Dim3 grid;
  Dim3 block;
  uint32_t dynamic_shared_bytes = 0;  ///< for arrays that the kernel declares with shape 0
};

/// A scalar of exactly one type, as a launch argument.
struct Scalar {
  DType dtype = DType::f8;
  uint64_t bits = 0;  ///< the value's bytes, little-endian, zero-extended

  template <class T>
  static Scalar of(T value);
};

/// One launch argument: an array, or a scalar. C++ arithmetic types convert to the Scalar of their own type.
class Argument {
 public:
  Argument(Array array) : value_(std::move(array)) {}  // NOLINT: implicit by design
  Argument(Scalar scalar) : value_(scalar) {}          // NOLINT
  template <class T>
  requires std::is_arithmetic_v<T> Argument(T value) : value_(Scalar::of(value)) {}  // NOLINT
  const std::variant<Array, Scalar>& value() const { return value_; }

 private:
  std::variant<Array, Scalar> value_;
};

/// Which compiled form of a kernel.
struct TargetOptions {
  std::string name = "sm_75";  ///< "sm_50" … "sm_90", or "cpu"
  /// Treats every array of unspecified layout as C-contiguous: fewer parameters, faster, and only for such arrays.
  bool contiguous = false;
};

/// One kernel of a Program, with all its signatures. Cheap to copy, keeps its program alive, safe from any thread.
class JITC_API Function {
 public:
  const std::string& name() const;
  /// Canonical text of each signature, in source order.
  std::vector<std::string> signatures() const;
  /// The arguments of one signature.
  std::vector<ArgumentInfo> arguments(size_t signature = 0) const;

  /// Runs the kernel and returns when it has finished. The signature is chosen by the exact types of the arrays;
  /// scalars convert to the chosen signature's types when that loses nothing and one signature remains. Throws
  /// Error(argument), Error(launch), or Error(kernel) from a checked kernel.
  template <class... Args>
  void launch(const LaunchConfig& config, const Args&... args) const {
    const std::vector<Argument> list{Argument(args)...};
    launch_list(config, list);
  }
  void launch_list(const LaunchConfig& config, const std::vector<Argument>& args) const;
  /// Index of the signature that launch() would choose for these arguments; throws Error(argument) if there is none.
  size_t resolve(const std::vector<Argument>& args) const;

  /// Compiles one signature for a target; nothing is launched. Needs neither a GPU nor a driver. The result is kept.
  const Artifact& artifact(const TargetOptions& target, size_t signature = 0) const;
  std::string ptx(const std::string& sm = "sm_75", size_t signature = 0) const;

 private:
  friend struct engine::Access;
  explicit Function(std::shared_ptr<const engine::FunctionState> state) : state_(std::move(state)) {}
  std::shared_ptr<const engine::FunctionState> state_;
};

/// The compiled form of one text. Cheap to copy; safe from any thread.
class JITC_API Program {
 public:
  /// Throws Error(argument) naming the kernels there are.
  Function operator[](std::string_view name) const;
  /// Kernels in source order.
  std::vector<std::string> kernels() const;
  const std::vector<DiagnosticMessage>& warnings() const;

 private:
  friend struct engine::Access;
  explicit Program(std::shared_ptr<const engine::ProgramState> state) : state_(std::move(state)) {}
  std::shared_ptr<const engine::ProgramState> state_;
};

/// Compiles kernel text up to, but not including, machine code. Throws CompileError. Safe from any thread.
JITC_API Program compile(std::string_view source, const CompileOptions& options = {});

}  // namespace jitc

#include "jitc/detail/scalar.inl"
