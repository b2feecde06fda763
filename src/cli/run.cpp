// jitc run: arguments in, one launch (or several), arrays out.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "src/cli/bind_arguments.hpp"
#include "src/cli/commands.hpp"
#include "src/cli/console.hpp"
#include "src/cli/failure.hpp"
#include "src/cli/launch_shape.hpp"
#include "src/cli/load_program.hpp"
#include "src/engine/engine.hpp"
#include "src/io/format_array.hpp"
#include "src/io/npy.hpp"
#include "src/io/scalar_text.hpp"

namespace jitc::cli {

namespace {

struct RunOptions {
  ProgramOptions program;
  std::vector<std::string> args, outs, prints;
  std::string grid, block;
  std::string device = "auto";
  unsigned repeat = 1;
  bool print = false, time = false, quiet = false;
};

/// A launch in the making: the kernel, its values on the host, and the same as launch arguments.
struct Run {
  Function function;
  std::vector<ArgumentInfo> infos;
  std::vector<io::ArgValue> values;
  std::vector<Argument> arguments;

  size_t index_of(const std::string& name, const std::string& option) const {
    std::vector<std::string> names;
    for (size_t i = 0; i < infos.size(); ++i) {
      if (infos[i].name == name) return i;
      names.push_back(infos[i].name);
    }
    fail(fmt::format("{} {}: kernel {} has no argument of that name", option, name, function.name()),
         suggest(name, names, "its arguments are"));
  }
};

// --- arguments -------------------------------------------------------------------------------------------------------

size_t choose_signature(const Function& function, std::vector<NamedSpec>& specs, const ProgramOptions& options) {
  const std::vector<std::string> texts = function.signatures();
  specs = order_args(std::move(specs), function.arguments(0), function.name(), texts.front());
  if (options.signature_number() || texts.size() == 1) return pick_signature(function, options);
  std::vector<std::vector<ArgumentInfo>> signatures;
  for (size_t i = 0; i < texts.size(); ++i) signatures.push_back(function.arguments(i));
  return match_signature(specs, signatures, texts, function.name());
}

/// C order, or Fortran order where the signature asks for it.
Array upload(const Device& device, const io::HostArray& array, Layout layout) {
  if (layout != Layout::fortran) return device.to_device(array.bytes.data(), array.shape, array.dtype);
  const io::HostArray reversed = io::transposed(array);
  return device.to_device(reversed.bytes.data(), reversed.shape, reversed.dtype).transpose();
}

Run prepare(Function function, const RunOptions& options, const Device& device) {
  std::vector<NamedSpec> specs = parse_args(options.args);
  const size_t signature = choose_signature(function, specs, options.program);
  Run out{function, function.arguments(signature), {}, {}};
  for (size_t i = 0; i < specs.size(); ++i) {
    out.values.push_back(io::make_argument(specs[i].spec, out.infos[i]));
    if (const auto* array = std::get_if<io::HostArray>(&out.values.back())) {
      out.arguments.emplace_back(upload(device, *array, out.infos[i].layout));
    } else {
      out.arguments.emplace_back(std::get<Scalar>(out.values.back()));
    }
  }
  return out;
}

/// What the kernel left in an argument; scalars are arrays of rank 0.
io::HostArray download(const Run& run, size_t index) {
  if (const auto* scalar = std::get_if<Scalar>(&run.values[index])) {
    io::HostArray out = io::make_zeros(scalar->dtype, {});
    out.set_element(0, scalar->bits);
    return out;
  }
  io::HostArray out = std::get<io::HostArray>(run.values[index]);
  std::get<Array>(run.arguments[index].value()).copy_to_host(out.bytes.data(), out.bytes.size());
  return out;
}

// --- launching -------------------------------------------------------------------------------------------------------

LaunchShape shape_of(const Run& run, const RunOptions& options, size_t signature) {
  std::vector<LaunchedArray> arrays;
  for (size_t i = 0; i < run.infos.size(); ++i) {
    const auto* array = std::get_if<io::HostArray>(&run.values[i]);
    if (array != nullptr) arrays.push_back({run.infos[i].name, array->shape, run.infos[i].written});
  }
  std::optional<Dim3> grid, block;
  if (!options.grid.empty()) grid = parse_dim3(options.grid, "--grid");
  if (!options.block.empty()) block = parse_dim3(options.block, "--block");
  const kernel::KernelProgram& program = engine::group_of(run.function).variants[signature].strided;
  return choose_launch_shape(program, arrays, grid, block);
}

/// Gives written arrays their first elements back, so that every repetition does the same work.
void restore(const Run& run) {
  for (size_t i = 0; i < run.infos.size(); ++i) {
    const auto* array = std::get_if<io::HostArray>(&run.values[i]);
    if (array == nullptr || !run.infos[i].written) continue;
    const Array& target = std::get<Array>(run.arguments[i].value());
    if (run.infos[i].layout == Layout::fortran) {
      const io::HostArray reversed = io::transposed(*array);
      target.transpose().copy_from_host(reversed.bytes.data(), reversed.bytes.size());
    } else {
      target.copy_from_host(array->bytes.data(), array->bytes.size());
    }
  }
}

struct Timing {
  engine::LaunchReport first;
  std::vector<double> run_ms;

  std::string text() const {
    std::string out = fmt::format("compile {:.3f} ms, ", first.compile_ms + first.load_ms);
    if (run_ms.size() == 1) return out + fmt::format("run {:.3f} ms", run_ms[0]);
    std::vector<double> sorted = run_ms;
    std::sort(sorted.begin(), sorted.end());
    const size_t middle = sorted.size() / 2;
    const double median = sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return out + fmt::format("{} runs: min {:.3f} ms, median {:.3f} ms", sorted.size(), sorted.front(), median);
  }
};

Timing launch_all(const Run& run, const LaunchConfig& config, unsigned repeat) {
  Timing out{engine::launch(run.function, config, run.arguments), {}};
  out.run_ms.push_back(out.first.run_ms);
  for (unsigned i = 1; i < repeat; ++i) {
    restore(run);
    out.run_ms.push_back(engine::launch(run.function, config, run.arguments).run_ms);
  }
  return out;
}

// --- results ---------------------------------------------------------------------------------------------------------

struct Output {
  size_t index;
  std::string path;
};

std::vector<Output> parse_outputs(const Run& run, const RunOptions& options) {
  std::vector<Output> out;
  for (const NamedText& named : parse_named(options.outs, "--out")) {
    if (!named.text.ends_with(".npy")) {
      fail(fmt::format("--out {}={}: the file must end in .npy", named.name, named.text));
    }
    for (const Output& before : out) {
      if (before.path == named.text) fail(fmt::format("--out writes {} twice", named.text));
    }
    out.push_back({run.index_of(named.name, "--out"), named.text});
  }
  return out;
}

/// Those named, or all that the kernel writes.
std::vector<size_t> parse_prints(const Run& run, const RunOptions& options) {
  std::vector<size_t> out;
  for (const std::string& name : options.prints) out.push_back(run.index_of(name, "--print"));
  for (size_t i = 0; options.print && options.prints.empty() && i < run.infos.size(); ++i) {
    if (run.infos[i].written) out.push_back(i);
  }
  return out;
}

void print_value(const Run& run, size_t index) {
  if (const auto* scalar = std::get_if<Scalar>(&run.values[index])) {
    write_stdout(fmt::format("{}: {}\n{}\n", run.infos[index].name, name(scalar->dtype), io::format_scalar(*scalar)));
    return;
  }
  const io::HostArray array = download(run, index);
  write_stdout(fmt::format("{}: {}\n{}\n", run.infos[index].name, io::type_text(array.dtype, array.shape),
                           io::format_pretty(array)));
}

void note_launch(const Run& run, const Device& device, const LaunchShape& shape, size_t signature) {
  write_stderr(fmt::format("jitc: {} {} on {}\n", run.function.name(), run.function.signatures()[signature],
                           device.description()));
  write_stderr(fmt::format("jitc: grid {}, block {}{}\n", format_dim3(shape.config.grid),
                           format_dim3(shape.config.block), shape.note.empty() ? "" : " (" + shape.note + ")"));
}

int run(const RunOptions& options) {
  StageTable times;
  const Program program = load_program(options.program, times);
  const Device device = Device::open(options.device);
  const Run run = prepare(pick_kernel(program, options.program), options, device);
  const std::vector<Output> outputs = parse_outputs(run, options);
  const std::vector<size_t> prints = parse_prints(run, options);

  const size_t signature = run.function.resolve(run.arguments);
  const LaunchShape shape = shape_of(run, options, signature);
  if (!options.quiet) note_launch(run, device, shape, signature);
  const Timing timing = launch_all(run, shape.config, options.repeat);
  if (!options.quiet) write_stderr(fmt::format("jitc: {}\n", timing.text()));

  const bool shows_nothing = outputs.empty() && !options.print && !options.time && options.repeat == 1;
  if (shows_nothing && !options.quiet) write_stderr("jitc: --print shows the result, --out NAME=FILE.npy keeps it\n");
  for (const Output& output : outputs) io::write_npy(output.path, download(run, output.index));
  for (const size_t index : prints) print_value(run, index);
  if (options.time) {
    times.add(timing.first.emit_times, timing.first.compile_ms);
    times.add("load", timing.first.load_ms);
    times.add("run", timing.run_ms.front());
    write_stderr(times.text());
  }
  return kExitDone;
}

/// What is wrong with the N of --repeat; empty when nothing is.
std::string check_repeat(const std::string& text) {
  constexpr uint64_t kMost = 1000000;
  const io::ScalarResult count = io::parse_scalar(text, DType::u8);
  if (count.value && count.value->bits >= 1 && count.value->bits <= kMost) return {};
  return fmt::format("{} is not a whole number from 1 to {}", text, kMost);
}

constexpr const char* kHelp = R"(
A SPEC is
  2.5  -3  true  inf  nan  0x10      a scalar, converted to the argument's type
  f4(2.5)                            a scalar of that type exactly
  points.npy                         an array from a file
  zeros:f4[100,3]  ones:  empty:     an array of equal elements (empty: any)
  full:2.5:f4[4]   arange:f4[10]     of a value; of 0, 1, 2 … in C order
  random:f8[1000,3]:seed=0           uniform in [0, 1), or in [low, high) with :low=-1:high=1
  normal:f4[10]:seed=1               mean 0, variance 1
  f4[3]{{1, 2.5, nan}}                 every element, flat or in nested braces
The type may be left out where the kernel declares it: zeros:[100,3].

{}

examples:
  jitc run axpy.dsl --arg a=2.5 --arg x=arange:f4[1000] --arg y=ones:f4[1000] --print y
  jitc run pairwise.dsl pairwise --arg X=points.npy --arg D=empty:f8[150,150] --out D=d.npy
  jitc run axpy.dsl --arg a=2 --arg x=x.npy --arg y=y.npy --grid 8 --block 128 --repeat 20)";

}  // namespace

void add_run(CLI::App& app, Action& action) {
  auto options = std::make_shared<RunOptions>();
  CLI::App& command = *app.add_subcommand("run", "Run one kernel of a file");
  add_file(command, options->program);
  command.add_option("KERNEL", options->program.kernel, "Which kernel, where the file has several")->type_name("");
  command.add_option("--arg", options->args, "One argument of the kernel")
      ->type_name("NAME=SPEC")
      ->allow_extra_args(false);
  command.add_option("--grid", options->grid, "Blocks of the launch")->type_name("X[,Y[,Z]]");
  command.add_option("--block", options->block, "Threads of each block")->type_name("X[,Y[,Z]]");
  command.add_option("--out", options->outs, "Write an argument to a file afterwards")
      ->type_name("NAME=FILE.npy")
      ->allow_extra_args(false);
  CLI::Option* print = command
                           .add_option("--print", options->prints,
                                       "Print arguments afterwards; without names, those that the kernel writes")
                           ->type_name("[NAME]")
                           ->expected(0, -1);
  command.add_option("--repeat", options->repeat, "Launch N times from the same arguments; shows min and median time")
      ->type_name("N")
      ->check(CLI::Validator(check_repeat, ""));
  command.add_option("--device", options->device, "cpu or auto")->type_name("NAME");
  add_program_options(command, options->program);
  command.add_flag("--time", options->time, "Show how long each stage took");
  command.add_flag("-q,--quiet", options->quiet, "No notes on standard error");
  command.footer(fmt::format(kHelp, kLaunchShapeRule));
  command.callback([options, print, &action] {
    options->print = print->count() > 0;
    std::erase(options->prints, "");  // what a bare --print leaves
    action = [options] { return run(*options); };
  });
}

}  // namespace jitc::cli
