// What `jitc run` gives a kernel or ufunc, and what it has afterwards.
#pragma once

#include <string>
#include <vector>

#include "jitc/device.hpp"
#include "src/cli/bind_arguments.hpp"
#include "src/cli/load_program.hpp"
#include "src/cli/method.hpp"

namespace jitc::cli {

/// A run in the making: the function, where it runs, its values on the host, and the same as arguments. The results
/// of a ufunc or a reduction come last, named "out", or "out0", "out1" …; those of a gufunc as its parameters.
struct Run {
  Function function;
  Device device;
  Stream stream;  ///< of this device: the default one, or one of its own
  Method method;  ///< of a ufunc
  size_t signature = 0;
  std::vector<ArgumentInfo> infos;
  std::vector<std::string> result_names;  ///< of what is called
  std::vector<io::ArgValue> values;
  std::vector<Argument> arguments;
  double copy_in_ms = 0;   ///< of all arrays, once
  double copy_out_ms = 0;  ///< of all download() so far

  /// Not launched.
  bool is_called() const { return function.kind() != FunctionKind::kernel; }
  /// "add.reduce".
  std::string title() const;
  /// The place of an argument or a result; "result" is the only one. Throws io::InputError that names `option`.
  size_t index_of(const std::string& name, const std::string& option) const;
};

/// The arguments that `words` give, on the device. Where the text has no signature, the function is typed for them:
/// ints are i8, floats f8, as Python has them. Throws io::InputError, CompileError.
Run prepare_run(Function function, const Method& method, const std::vector<std::string>& words,
                const ProgramOptions& options, const Device& device, const Stream& stream);

/// The type of an argument that no signature declares. Throws io::InputError.
ArgumentInfo own_info(const NamedSpec& spec, const Function& function);
/// The values of the SPECs, as `run.infos` has them, here and on the device. Throws io::InputError.
void make_values(Run& run, const std::vector<NamedSpec>& specs);

/// Waits until the work that the run has given to its stream is done; throws what went wrong in it.
void finish(const Run& run);

/// What the run left in an argument or the result; scalars are arrays of rank 0.
io::HostArray download(Run& run, size_t index);

/// Gives written arguments their first elements back, so that every repetition does the same work.
void restore(const Run& run);

}  // namespace jitc::cli
