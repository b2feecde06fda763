// Compiled kernel text: programs and the functions in them.
#pragma once

#include <algorithm>
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
struct PreparedState;
struct ProgramState;
}  // namespace engine

struct CompileOptions {
  std::string file_name = "<string>";  ///< shown in messages
  /// Gives the kernel or ufunc `entry` this signature, for text that has none: "void(f4, f4[:], f4[:])".
  std::string entry;
  std::string signature;
  bool check = false;      ///< bounds checks in every kernel
  bool warn_f64 = false;   ///< warn where f4 or integer operands become f8
  bool line_info = false;  ///< PTX says which line of the text each instruction is from
  /// Where the math functions of GPUs come from: empty for jitc's own, or "libdevice:PATH", a libdevice.10.bc of a CUDA
  /// toolkit. What it lacks, and all of the CPU, is jitc's own. Error(io) where the file is not usable.
  std::string math;
  uint32_t max_nesting = 256;
  size_t max_source_bytes = size_t{16} << 20;
  size_t max_nodes = size_t{1} << 20;  ///< kernel IR nodes of one kernel

  bool operator==(const CompileOptions&) const = default;
};

/// Number of blocks or threads along x, y, z.
struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
};

struct LaunchConfig {
  Dim3 grid;
  Dim3 block;
  uint32_t dynamic_shared_bytes = 0;  ///< for arrays that the kernel declares with shape 0
  Stream stream{};
};

/// A launch of at least `count` threads along x, for kernels that test `cuda.grid(1) < n`.
struct ForAll {
  int64_t count = 0;
  uint32_t block = 0;  ///< threads per block; 0: what keeps the device busiest
  uint32_t dynamic_shared_bytes = 0;
  Stream stream{};
};

/// What a kernel takes on a device; 0 where the device has no such thing. Sizes in bytes.
struct KernelResources {
  uint32_t registers_per_thread = 0;
  uint32_t static_shared_bytes = 0;
  uint32_t local_bytes_per_thread = 0;
  uint32_t const_bytes = 0;
  uint32_t max_threads_per_block = 0;
};

/// A scalar of exactly one type, as a launch argument.
struct Scalar {
  DType dtype = DType::f8;
  uint64_t bits = 0;       ///< the value's bytes, little-endian, zero-extended; of a complex number: its real part's
  uint64_t imag_bits = 0;  ///< of a complex number: its imaginary part's

  template <class T>
  static Scalar of(T value);
};

/// One launch argument: an array, a scalar, or elements in host memory. C++ arithmetic types convert to the Scalar of
/// their own type; std::vector and std::span to the HostView of their elements.
class Argument {
 public:
  using Value = std::variant<Array, Scalar, HostView>;

  Argument(Array array) : value_(std::move(array)) {}   // NOLINT: implicit by design
  Argument(Scalar scalar) : value_(scalar) {}           // NOLINT
  Argument(HostView view) : value_(std::move(view)) {}  // NOLINT
  template <class T>
  requires ElementType<T> Argument(T value) : value_(Scalar::of(value)) {}  // NOLINT
  template <class T>
  requires(!ElementType<std::remove_cvref_t<T>> && !std::is_base_of_v<Argument, std::remove_cvref_t<T>> &&
           std::is_convertible_v<T&&, HostView>) Argument(T&& host)  // NOLINT
      : value_(static_cast<HostView>(std::forward<T>(host))) {}
  const Value& value() const { return value_; }

 private:
  Value value_;
};

/// Where the results of a call go.
struct CallOptions {
  /// Nothing: new arrays. Else one array, or host memory, for each result.
  std::vector<Argument> out{};
  Stream stream{};
};

/// Function::reduce().
struct ReduceOptions {
  /// Negative ones count from the end; none of them leaves every element alone.
  std::vector<int> axes{0};
  bool all_axes = false;  ///< in place of `axes`
  bool keepdims = false;  ///< folded axes stay, with an extent of 1
  /// A scalar before the first element: f(initial, result). Nothing: none, unless there are no elements.
  std::optional<Argument> initial{};
  std::optional<int64_t> size{};  ///< of an array with one axis: its first elements alone
  std::optional<Argument> out{};  ///< an array, or host memory, for the result; else a new array
  Stream stream{};
};

/// Which compiled form of a kernel.
struct TargetOptions {
  std::string name = "sm_75";  ///< "sm_50" … "sm_90", or "cpu"
  /// Treats every array of unspecified layout as C-contiguous: fewer parameters, faster, and only for such arrays.
  bool contiguous = false;
};

enum class FunctionKind : uint8_t {
  kernel,     ///< @cuda.jit: launched with a grid, returns nothing
  ufunc,      ///< @vectorize: called with arrays and scalars, returns an array
  gufunc,     ///< @guvectorize: likewise, but its function sees a part of each array, of the shape that its layout says
  reduction,  ///< @cuda.reduce: Function::reduce() makes one value of an array's
  array_function,  ///< @jit: called with whole arrays, returns arrays, chooses its own kernels
};

/// A launch that only has to be run. A handle: copies share the launch. On a GPU, and on the CPU's default
/// stream, running it allocates nothing and takes no lock. It may run from several threads at once. It keeps its
/// program and its arrays alive.
class JITC_API PreparedLaunch {
 public:
  // Moving copies: a handle that was moved from is still one.
  PreparedLaunch(const PreparedLaunch&) = default;
  PreparedLaunch& operator=(const PreparedLaunch&) = default;

  /// On the stream of its LaunchConfig.
  void run() const;
  /// On another stream of the same device.
  void run(const Stream& stream) const;

 private:
  friend struct engine::Access;
  explicit PreparedLaunch(std::shared_ptr<const engine::PreparedState> state) : state_(std::move(state)) {}
  std::shared_ptr<const engine::PreparedState> state_;
};

/// One kernel, ufunc, gufunc or reduction of a Program, with all its signatures. Cheap to copy, keeps its program
/// alive, safe from any thread.
class JITC_API Function {
 public:
  // Moving copies: a handle that was moved from is still one.
  Function(const Function&) = default;
  Function& operator=(const Function&) = default;

  const std::string& name() const;
  FunctionKind kind() const;
  /// Of a gufunc: "(m,n),(n,p)->(m,p)"; else empty.
  std::string layout() const;
  /// Names, in order; of a gufunc those of its arguments, without the results.
  const std::vector<std::string>& parameters() const;
  /// The text gives no signature: each new list of argument types is typed and compiled at its first launch or call.
  bool is_typed_by_calls() const;
  /// Canonical text of each signature, in source order; of a function that is typed by its calls, those typed so far.
  std::vector<std::string> signatures() const;
  /// The arguments of one signature. Those of a ufunc are scalars, though it is called with arrays of them; those of a
  /// gufunc have the ranks of their cores; that of a reduction is an array.
  std::vector<ArgumentInfo> arguments(size_t signature = 0) const;
  /// The types of the results of what is called; none for a kernel.
  std::vector<DType> results(size_t signature = 0) const;

  /// Runs the kernel, on the device where the arrays lie, in the order of its stream; it may still run when this
  /// returns. On the default stream a kernel of the CPU, and a checked kernel of any device, has finished. Host memory
  /// among the arguments is copied to the device and, after waiting for the kernel, back; on the CPU it is used as it
  /// is. The signature is chosen by the exact types of the arrays; scalars convert to the chosen signature's types when
  /// that loses nothing and one signature remains. Without a signature in the text, the types of all arguments are
  /// taken as they are. Throws Error(argument), Error(launch), Error(device), CompileError for types that the kernel
  /// cannot have, or Error(kernel) from a checked kernel.
  template <class... Args>
  void launch(const LaunchConfig& config, Args&&... args) const {
    const std::vector<Argument> list{Argument(std::forward<Args>(args))...};
    launch_list(config, list);
  }
  void launch_list(const LaunchConfig& config, const std::vector<Argument>& args) const;

  /// The same with at least `count` threads along x, in blocks that suit the device: the kernel tests its index. A
  /// count of 0 launches nothing; a negative one is an Error(launch).
  template <class... Args>
  void forall(int64_t count, Args&&... args) const {
    const std::vector<Argument> list{Argument(std::forward<Args>(args))...};
    forall_list({.count = count}, list);
  }
  template <class... Args>
  void forall(const ForAll& range, Args&&... args) const {
    const std::vector<Argument> list{Argument(std::forward<Args>(args))...};
    forall_list(range, list);
  }
  void forall_list(const ForAll& range, const std::vector<Argument>& args) const;

  /// Everything of a launch but the launch: checked, compiled, loaded, packed, to be run any number of times. Throws as
  /// launch() does; host memory is refused.
  template <class... Args>
  PreparedLaunch prepare(const LaunchConfig& config, Args&&... args) const;
  PreparedLaunch prepare_list(const LaunchConfig& config, const std::vector<Argument>& args) const;

  /// What a signature takes on a device. Compiles and loads it there. Of a ufunc: as artifact() has it.
  KernelResources resources(const Device& device, size_t signature = 0) const;

  /// Calls the ufunc: a new array, of one element for each of the arguments' elements. Arrays may have any strides, and
  /// shapes that broadcast as NumPy's do, to at most 16 axes. The result is in C order and lies where the arguments
  /// lie: on their device, or, where all are host memory or scalars, on Device "cpu" (they are computed on that of the
  /// stream, or on Device "auto"). The signature is chosen by the exact types of the arrays; scalars adopt the types of
  /// the one signature that takes them. Of a gufunc, the axes before those of the cores broadcast, and one symbol of
  /// its layout() has one extent; one without a signature needs its results given. Throws Error(argument) that shows
  /// the shapes, or the signatures with the casts that would help, or where there are several results; otherwise as
  /// launch().
  template <class... Args>
  Array operator()(Args&&... args) const {
    return only_result(call_list({Argument(std::forward<Args>(args))...}));
  }
  /// The N results of one call: `auto [low, high] = f.call<2>(x);`. Throws Error(argument) for another number.
  template <size_t N, class... Args>
  std::array<Array, N> call(Args&&... args) const {
    std::vector<Array> results = call_list({Argument(std::forward<Args>(args))...});
    require_results(results.size(), N);
    std::array<Array, N> out;
    std::move(results.begin(), results.end(), out.begin());
    return out;
  }
  /// One result, on a stream, where its memory belongs to as well; it may still run when this returns.
  template <class... Args>
  Array call_on(const Stream& stream, Args&&... args) const {
    return only_result(call_list({Argument(std::forward<Args>(args))...}, {.stream = stream}));
  }
  /// The one result into `out`, an array or host memory of the result's type and shape, to which the arguments
  /// broadcast. It may be or overlap an argument: what is stored is as if the arguments had been copied before. It must
  /// not overlap itself.
  template <class... Args>
  void call_into(const Argument& out, Args&&... args) const {
    call_list({Argument(std::forward<Args>(args))...}, {.out = {out}});
  }
  template <class... Args>
  void call_into_on(const Stream& stream, const Argument& out, Args&&... args) const {
    call_list({Argument(std::forward<Args>(args))...}, {.out = {out}, .stream = stream});
  }
  /// All results of a call; one that went to host memory is an array that is not valid().
  std::vector<Array> call_list(const std::vector<Argument>& args, const CallOptions& options = {}) const;

  // What a ufunc of two values does besides. reduce(), accumulate() and at() need a signature with the array's type for
  // both values and the result, and keep the order: the left value is always that of the earlier elements. Arrays may
  // have any strides; where results lie and what is thrown is as in a call.

  /// One value of the elements along one axis or several: a new array without these axes. The function must be
  /// associative; which elements meet is fixed (jitc/reduction_tree.hpp), so the bits of the result depend neither on
  /// the device nor on its threads nor on strides. Of no elements it is `initial`, or the identity that the decorator
  /// gives; else that is an Error(argument).
  ///
  /// A reduction (@cuda.reduce) takes arrays of one axis, has no axes to choose, and combines `initial`, 0 unless it
  /// is given, always; `out` may have more elements, of which the first is stored.
  Array reduce(const Argument& array, const ReduceOptions& options = {}) const;
  /// out[i] = f(out[i - 1], a[i]) along one axis, exactly in this order: a new array of the same shape. One thread
  /// goes along each line.
  Array accumulate(const Argument& array, int axis = 0, const CallOptions& options = {}) const;
  /// f(a[i], b[j]) for all i and j: a result of shape a.shape + b.shape. Any signature of two values and one result.
  Array outer(const Argument& a, const Argument& b, const CallOptions& options = {}) const;
  /// target[indices[i]] = f(target[indices[i]], values[i]) for one i after the other, in C order of `indices`, so that
  /// an index that is there twice counts twice. Indices are integers along the first axis, negative ones count from
  /// its end; all are read by the host and checked before anything is stored. `values` broadcasts to indices.shape +
  /// target.shape[1:]. One thread goes through all indices for each place of the other axes.
  void at(const Argument& target, const Argument& indices, const Argument& values, const Stream& stream = {}) const;

  /// Index of the signature that launch() or a call would choose for these arguments; throws as they do if there is
  /// none.
  size_t resolve(const std::vector<Argument>& args) const;

  /// Compiles one signature for a target; nothing is launched. Needs neither a GPU nor a driver. The result is kept. Of
  /// a ufunc: the kernel for calls with arrays alone, all C-contiguous, whose last argument `out` is the result. Of a
  /// gufunc: that for arrays with one axis before their cores, which are C-contiguous; its last arguments are the
  /// results. Of a reduction: the kernel that reduces blocks of an array's elements.
  const Artifact& artifact(const TargetOptions& target, size_t signature = 0) const;
  std::string ptx(const std::string& sm = "sm_75", size_t signature = 0) const;

 private:
  friend struct engine::Access;
  explicit Function(std::shared_ptr<const engine::FunctionState> state) : state_(std::move(state)) {}
  Array only_result(std::vector<Array> results) const;
  void require_results(size_t count, size_t wanted) const;
  std::shared_ptr<const engine::FunctionState> state_;
};

template <class... Args>
PreparedLaunch Function::prepare(const LaunchConfig& config, Args&&... args) const {
  const std::vector<Argument> list{Argument(std::forward<Args>(args))...};
  return prepare_list(config, list);
}

/// The compiled form of one text. Cheap to copy; safe from any thread.
class JITC_API Program {
 public:
  // Moving copies: a handle that was moved from is still one.
  Program(const Program&) = default;
  Program& operator=(const Program&) = default;

  /// Throws Error(argument) naming the functions there are.
  Function operator[](std::string_view name) const;
  /// All in source order.
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
