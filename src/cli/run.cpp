// jitc run: arguments in, one launch or call (or several), arrays out.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <memory>

#include "src/cli/commands.hpp"
#include "src/cli/console.hpp"
#include "src/cli/emulator.hpp"
#include "src/cli/emulator_counts.hpp"
#include "src/cli/failure.hpp"
#include "src/cli/launch_shape.hpp"
#include "src/cli/load_program.hpp"
#include "src/cli/outputs.hpp"
#include "src/cli/run_arguments.hpp"
#include "src/cli/timed_launch.hpp"
#include "src/engine/engine.hpp"
#include "src/io/format_array.hpp"
#include "src/io/input_error.hpp"
#include "src/io/scalar_text.hpp"

namespace jitc::cli {

namespace {

struct RunOptions {
  ProgramOptions program;
  MethodOptions method;
  std::vector<std::string> args, outs, prints;
  std::string grid, block;
  std::string device = "auto";
  bool own_stream = false;
  unsigned repeat = 1;
  uint32_t dynamic_shared_bytes = 0;
  bool print = false, time = false, counts = false, quiet = false;
};

// --- launching -------------------------------------------------------------------------------------------------------

LaunchShape shape_of(const Run& run, const RunOptions& options) {
  if (run.is_called()) {
    const bool has_shape = !options.grid.empty() || !options.block.empty() || options.dynamic_shared_bytes != 0;
    if (!has_shape) return {};
    fail(fmt::format("{} chooses its own launch", title_of(run.function)),
         "leave --grid, --block and --dynamic-shared out");
  }
  std::vector<LaunchedArray> arrays;
  for (size_t i = 0; i < run.infos.size(); ++i) {
    const auto* array = std::get_if<io::HostArray>(&run.values[i]);
    if (array != nullptr) arrays.push_back({run.infos[i].name, array->shape, run.infos[i].written});
  }
  std::optional<Dim3> grid, block;
  if (!options.grid.empty()) grid = parse_dim3(options.grid, "--grid");
  if (!options.block.empty()) block = parse_dim3(options.block, "--block");
  const kernel::KernelProgram& program = engine::variant_of(run.function, run.signature).strided;
  LaunchShape shape = choose_launch_shape(program, arrays, grid, block);
  shape.config.dynamic_shared_bytes = options.dynamic_shared_bytes;
  shape.config.stream = run.stream;
  return shape;
}

/// launch_all(), and what to do about an index that only the device's memory protection noticed.
Timing launch_with_advice(Run& run, const LaunchConfig& config, const RunOptions& options) {
  constexpr int kIllegalAddress = 700;
  try {
    return launch_all(run, config, options.repeat);
  } catch (const DriverError& error) {
    if (error.driver_code() != kIllegalAddress || options.program.check) throw;
    throw io::InputError(error.code(), error.what(), "run it with --check to see which index is outside which array");
  }
}

// --- results ---------------------------------------------------------------------------------------------------------

/// Those named, or all that the kernel writes; of a ufunc the results.
std::vector<size_t> parse_prints(const Run& run, const RunOptions& options) {
  std::vector<size_t> out;
  for (const std::string& name : options.prints) out.push_back(run.index_of(name, "--print"));
  for (size_t i = 0; options.print && options.prints.empty() && i < run.infos.size(); ++i) {
    if (run.infos[i].written) out.push_back(i);
  }
  for (size_t i = 0; options.print && options.prints.empty() && i < run.result_names.size(); ++i) {
    out.push_back(run.infos.size() + i);
  }
  return out;
}

void print_value(Run& run, size_t index) {
  const size_t count = run.infos.size();
  const std::string name = index < count ? run.infos[index].name : run.result_names[index - count];
  const io::HostArray array = download(run, index);
  if (array.shape.empty()) {
    return write_stdout(
        fmt::format("{}: {}\n{}\n", name, jitc::name(array.dtype), io::format_scalar(array.element(0))));
  }
  write_stdout(fmt::format("{}: {}\n{}\n", name, io::type_text(array.dtype, array.shape), io::format_pretty(array)));
}

/// Someone with a GPU, or who named a driver, is told why it is not used.
void note_fallback(const Device& device, const RunOptions& options) {
  if (options.device != "auto" || !device.is_host()) return;
  const bool expects_gpu = Device::cuda_driver().version != 0 || std::getenv("JITC_CUDA_DRIVER") != nullptr;
  if (expects_gpu) write_stderr(fmt::format("jitc: {}\n", device.why()));
}

void note_launch(const Run& run, const LaunchShape& shape) {
  write_stderr(fmt::format("jitc: {} {} on {} ({})\n", run.title(), run.function.signatures()[run.signature],
                           run.device.name(), run.device.description()));
  if (run.is_called()) return;
  write_stderr(fmt::format("jitc: grid {}, block {}{}\n", format_dim3(shape.config.grid),
                           format_dim3(shape.config.block), shape.note.empty() ? "" : " (" + shape.note + ")"));
}

void add_stages(StageTable& times, const Run& run, const Timing& timing) {
  times.add(timing.first.emit_times, timing.first.compile_ms);
  times.add("load", timing.first.load_ms);
  times.add("copies in", run.copy_in_ms);
  times.add("run", timing.runs.front().whole_ms);
  times.add_part("launch", timing.runs.front().launch_ms);
  times.add_part("kernel", timing.runs.front().kernel_ms);
  times.add("copies out", run.copy_out_ms);
}

int run(RunOptions options) {
  StageTable times;
  const Method method = take_method(options.program, options.method);
  const Program program = load_program(options.program, times);
  const Device device = Device::open(choose_driver(options.device));
  const Stream stream = options.own_stream ? Stream(device) : Stream::legacy_default(device);
  Run run = prepare_run(pick_kernel(program, options.program), method, options.args, options.program, device, stream);
  const std::vector<Output> outputs = parse_outputs(run, options.outs);
  const std::vector<size_t> prints = parse_prints(run, options);

  const LaunchShape shape = shape_of(run, options);
  std::optional<EmulatorCounts> counts;
  if (options.counts) counts.emplace(device);
  if (!options.quiet) {
    note_fallback(device, options);
    note_launch(run, shape);
  }
  const Timing timing = launch_with_advice(run, shape.config, options);
  if (!options.quiet) write_stderr(fmt::format("jitc: {}\n", timing.text()));

  const bool shows_nothing =
      outputs.empty() && !options.print && !options.time && !options.counts && options.repeat == 1;
  if (shows_nothing && !options.quiet) write_stderr("jitc: --print shows the result, --out NAME=FILE.npy keeps it\n");
  write_outputs(run, outputs);
  for (const size_t index : prints) print_value(run, index);
  if (options.time) {
    add_stages(times, run, timing);
    write_stderr(times.text());
    if (run.is_called()) write_stderr(timing.memory.text());
  }
  if (counts) write_stderr(counts->text());
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
  points.npy  photo.png              an array from a file; a picture is [height,width] or [height,width,3]
  zeros:f4[100,3]  ones:  empty:     an array of equal elements (empty: any)
  full:2.5:f4[4]   arange:f4[10]     of a value; of 0, 1, 2 … in C order
  random:f8[1000,3]:seed=0           uniform in [0, 1), or in [low, high) with :low=-1:high=1
  normal:f4[10]:seed=1               mean 0, variance 1
  xoroshiro:u8[1000,2]:seed=1        states of generators, for xoroshiro128p_uniform_float32 and the like
  f4[3]{{1, 2.5, nan}}                 every element, flat or in nested braces
The type may be left out where the kernel declares it: zeros:[100,3]. A kernel without a signature is typed by its
arguments: ints are i8, floats f8.

emu executes the PTX on the CPU, on a GPU that JITC_EMU_SM and the like describe, and looks at every access of memory.

A ufunc (@vectorize) takes arrays whose shapes broadcast, as NumPy's do, and scalars. Its result is named out, several are
out0, out1 and so on. It has no grid and block. Neither has a gufunc (@guvectorize), whose results are named as its last
parameters.

A ufunc of two values, such as add, has these besides; what they take is named
  add.reduce        array: along --axis, with --keepdims and --initial
  add.accumulate    array: along --axis
  add.outer         as add itself: each element of one array with each of the other
  add.at            target, indices, values: target[indices[i]] = add(target[indices[i]], values[i]), i by i
A reduction (@cuda.reduce) takes array, and init (0 without it) and size (all without it).

{}

examples:
  jitc run axpy.dsl --arg a=2.5 --arg x=arange:f4[1000] --arg y=ones:f4[1000] --print y
  jitc run pairwise.dsl pairwise --arg X=points.npy --arg D=empty:f8[150,150] --out D=d.npy
  jitc run axpy.dsl --arg a=2 --arg x=x.npy --arg y=y.npy --grid 8 --block 128 --repeat 20
  jitc run axpy.dsl --arg a=2 --arg x=ones:f4[1000000] --arg y=ones:f4[1000000] --device cuda:0 --stream --time
  jitc run axpy.dsl --arg a=2 --arg x=ones:f4[100] --arg y=ones:f4[100] --device emu
  jitc run product.dsl --arg a=arange:f4[5] --arg b=2 --print
  jitc run row_mean.dsl --arg X=random:f8[100,50] --print
  jitc run folds.dsl add.reduce --arg array=random:f4[5,1000] --axis 1 --print
  jitc run total.dsl total --arg array=ones:f4[1000000] --print)";

}  // namespace

void add_run(CLI::App& app, Action& action) {
  auto options = std::make_shared<RunOptions>();
  CLI::App& command = *app.add_subcommand("run", "Run one kernel, ufunc, reduction or array function of a file");
  add_file(command, options->program);
  command
      .add_option("KERNEL", options->program.kernel,
                  "Which kernel or ufunc, where the file has several; NAME.reduce and the like")
      ->type_name("");
  command.add_option("--arg", options->args, "One argument")->type_name("NAME=SPEC")->allow_extra_args(false);
  command.add_option("--grid", options->grid, "Blocks of the launch")->type_name("X[,Y[,Z]]");
  command.add_option("--block", options->block, "Threads of each block")->type_name("X[,Y[,Z]]");
  command.add_option("--dynamic-shared", options->dynamic_shared_bytes, "Dynamic shared memory of each block")
      ->type_name("BYTES")
      ->check(CLI::Range(0U, 232448U).description(""));
  command
      .add_option("--axis", options->method.axis, "Of NAME.reduce and NAME.accumulate: along which axes, 0 by default")
      ->type_name("N[,N]|all");
  command.add_flag("--keepdims", options->method.keepdims, "Of NAME.reduce: keep the axes, with an extent of 1");
  command.add_option("--initial", options->method.initial, "Of NAME.reduce: a value before the first element")
      ->type_name("VALUE");
  command
      .add_option("--out", options->outs,
                  "Write an argument, or a result, to FILE.npy or as a picture to FILE.png afterwards")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  CLI::Option* print = command
                           .add_option("--print", options->prints,
                                       "Print arguments afterwards; without names, those that the kernel writes")
                           ->type_name("[NAME]")
                           ->expected(0, -1);
  command.add_option("--repeat", options->repeat, "Launch N times from the same arguments; shows min and median time")
      ->type_name("N")
      ->check(CLI::Validator(check_repeat, ""));
  command.add_option("--device", options->device, "auto, cpu, cuda (the first GPU), cuda:N, or emu (an emulated GPU)")
      ->type_name("NAME");
  command.add_flag("--stream", options->own_stream, "Copy and launch on a stream of its own, not on the default one");
  add_program_options(command, options->program);
  command.add_flag("--time", options->time,
                   "Show how long each stage took, copies and the kernel among them, and of a call the memory it took");
  command.add_flag("--counts", options->counts,
                   "On the emulated GPU: show instructions, memory requests, bank conflicts and divergence");
  command.add_flag("-q,--quiet", options->quiet, "No notes on standard error");
  command.footer(fmt::format(kHelp, kLaunchShapeRule));
  command.callback([options, print, &action] {
    options->print = print->count() > 0;
    std::erase(options->prints, "");                             // what a bare --print leaves
    options->program.line_info |= is_emulator(options->device);  // its reports name lines
    action = [options] { return run(*options); };
  });
}

}  // namespace jitc::cli
