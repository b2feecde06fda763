// Compiled kernel text: programs and the functions in them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
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
  /// Gives the kernel or ufunc `entry` this signature, for text that has none: "void(f4, f4[:], f4[:])".
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

enum class FunctionKind : uint8_t {
  kernel,  ///< @cuda.jit: launched with a grid, returns nothing
  ufunc,   ///< @vectorize: called with arrays and scalars, returns an array
};

/// One kernel or ufunc of a Program, with all its signatures. Cheap to copy, keeps its program alive, safe from any
/// thread.
class JITC_API Function {
 public:
  const std::string& name() const;
  FunctionKind kind() const;
  /// Names, in order.
  const std::vector<std::string>& parameters() const;
  /// The text gives no signature: each new list of argument types is typed and compiled at its first launch or call.
  bool is_typed_by_calls() const;
  /// Canonical text of each signature, in source order; of a function that is typed by its calls, those typed so far.
  std::vector<std::string> signatures() const;
  /// The arguments of one signature. Those of a ufunc are scalars, though it is called with arrays of them.
  std::vector<ArgumentInfo> arguments(size_t signature = 0) const;
  /// The type of a ufunc's result; nothing for a kernel.
  std::optional<DType> result(size_t signature = 0) const;

  /// Runs the kernel and returns when it has finished. The signature is chosen by the exact types of the arrays;
  /// scalars convert to the chosen signature's types when that loses nothing and one signature remains. Without a
  /// signature in the text, the types of all arguments are taken as they are. Throws Error(argument), Error(launch),
  /// CompileError for types that the kernel cannot have, or Error(kernel) from a checked kernel.
  template <class... Args>
  void launch(const LaunchConfig& config, const Args&... args) const {
    const std::vector<Argument> list{Argument(args)...};
    launch_list(config, list);
  }
  void launch_list(const LaunchConfig& config, const std::vector<Argument>& args) const;

  /// Calls the ufunc: a new array, where the arguments lie, of one element for each of theirs. All arrays have one
  /// shape and any strides; without arrays the result has shape () and lies on Device "auto". The signature is chosen
  /// by the exact types of the arrays; scalars adopt the types of the one signature that takes them. Throws
  /// Error(argument) that shows the shapes, or the signatures with the casts that would help; otherwise as launch().
  template <class... Args>
  Array operator()(const Args&... args) const {
    const std::vector<Argument> list{Argument(args)...};
    return call_list(list);
  }
  Array call_list(const std::vector<Argument>& args) const;
  /// The same into `out`, which has the result's type and shape, any strides, and may be or overlap an argument: what
  /// is stored is as if the arguments had been copied before.
  template <class... Args>
  void call_into(const Array& out, const Args&... args) const {
    const std::vector<Argument> list{Argument(args)...};
    call_list_into(out, list);
  }
  void call_list_into(const Array& out, const std::vector<Argument>& args) const;

  /// Index of the signature that launch() or a call would choose for these arguments; throws as they do if there is
  /// none.
  size_t resolve(const std::vector<Argument>& args) const;

  /// Compiles one signature for a target; nothing is launched. Needs neither a GPU nor a driver. The result is kept. Of
  /// a ufunc: the kernel for calls with arrays alone, all C-contiguous, whose last argument `out` is the result.
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
  /// Throws Error(argument) naming the functions there are.
  Function operator[](std::string_view name) const;
  /// Kernels and ufuncs in source order.
  std::vector<std::string> functions() const;
  /// The kernels among them.
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
