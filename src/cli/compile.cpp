// jitc compile: kernels to PTX text, an object file or assembly.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "src/cli/commands.hpp"
#include "src/cli/console.hpp"
#include "src/cli/failure.hpp"
#include "src/cli/load_program.hpp"
#include "src/engine/engine.hpp"
#include "src/io/file.hpp"

namespace jitc::cli {

namespace {

struct CompileCommandOptions {
  ProgramOptions program;
  std::string out, target;
  bool contiguous = false, time = false;
};

enum class Format { ptx, object, assembly };

/// The suffix decides; without a known one, the target.
Format choose_format(const std::string& path, bool is_cpu) {
  const std::string suffix = std::filesystem::path(path).extension().string();
  if (suffix == ".ptx" && is_cpu)
    fail(fmt::format("--target cpu makes no PTX, {} asks for it", path), "name the file x.o or x.s");
  if ((suffix == ".o" || suffix == ".s") && !is_cpu) {
    fail(fmt::format("a GPU target makes PTX, {} asks for this machine's code", path), "add --target cpu");
  }
  if (!is_cpu) return Format::ptx;
  return suffix == ".s" ? Format::assembly : Format::object;
}

/// What one output file holds.
struct Piece {
  Function function;
  size_t signature;
};

bool is_folder(const std::string& path) { return path.ends_with('/') || std::filesystem::is_directory(path); }

/// What has no signature is left out, with a note.
std::vector<Piece> all_pieces(const Program& program) {
  std::vector<Piece> out;
  for (const std::string& name : functions_meant(program)) {
    const Function function = program[name];
    if (function.is_typed_by_calls()) {
      write_stderr(fmt::format("jitc: {} has no signature and is left out\n", title_of(function)));
    }
    for (size_t i = 0; i < function.signatures().size(); ++i) out.push_back({function, i});
  }
  return out;
}

class Compiler {
 public:
  explicit Compiler(const CompileCommandOptions& options) : options_(options) {
    target_.contiguous = options.contiguous;
    const std::string suffix = std::filesystem::path(options.out).extension().string();
    target_.name = !options.target.empty() ? options.target : suffix == ".o" || suffix == ".s" ? "cpu" : "sm_75";
    is_cpu_ = codegen::parse_target(target_.name).kind == codegen::Target::Kind::cpu;
  }

  void run() {
    const Program program = load_program(options_.program, times_);
    if (is_folder(options_.out)) {
      write_folder(program);
    } else {
      write_one(program);
    }
    if (options_.time) write_stderr(times_.text());
  }

 private:
  void write_one(const Program& program) {
    const Function function = pick_one(program);
    const Piece piece{function, pick_signature(function, options_.program)};
    const std::string bytes = compile(piece, choose_format(options_.out, is_cpu_));
    if (options_.out == "-") return write_stdout(bytes);
    io::write_file(options_.out, bytes);
  }

  /// As pick_kernel(), with what this command offers for several.
  Function pick_one(const Program& program) {
    const size_t count = program.functions().size();
    if (options_.program.kernel.empty() && count > 1) {
      fail(fmt::format("{} has {} {}; a file holds one", options_.program.file, count, kinds_of(program)),
           "name one with --kernel, or give a folder to get a file for each: -o out/");
    }
    return pick_kernel(program, options_.program);
  }

  /// The entry's name; where that is longer than file systems take, the number of the signature stands for its types.
  std::string file_name(const Piece& piece) const {
    constexpr size_t kMost = 200;
    const Artifact& artifact = engine::compile_variant(piece.function, target_, piece.signature).artifact;
    if (artifact.symbol.size() <= kMost) return artifact.symbol;
    const std::string name = artifact.symbol.substr(0, std::min(artifact.symbol.find("__"), kMost));
    return fmt::format("{}__signature{}", name, piece.signature);
  }

  /// One file for each kernel and signature, named after its entry.
  void write_folder(const Program& program) {
    std::vector<Piece> pieces = all_pieces(program);
    if (!options_.program.kernel.empty()) {
      const Function only = pick_kernel(program, options_.program);
      std::erase_if(pieces, [&](const Piece& piece) { return piece.function.name() != only.name(); });
    }
    if (pieces.empty()) fail_untyped(pick_kernel(program, options_.program));
    std::vector<std::pair<std::string, std::string>> files;
    for (const Piece& piece : pieces) {
      std::string bytes = compile(piece, is_cpu_ ? Format::object : Format::ptx);
      const std::string name = file_name(piece) + (is_cpu_ ? ".o" : ".ptx");
      files.emplace_back((std::filesystem::path(options_.out) / name).string(), std::move(bytes));
    }
    make_folder();
    for (const auto& [path, bytes] : files) io::write_file(path, bytes);
  }

  void make_folder() const {
    std::error_code error;
    std::filesystem::create_directories(options_.out, error);
    if (error) fail(fmt::format("cannot make the folder {}: {}", options_.out, error.message()));
  }

  std::string compile(const Piece& piece, Format format) {
    if (format == Format::assembly) {
      const pipeline::KernelVariant& variant = engine::variant_of(piece.function, piece.signature);
      return codegen::assembly(options_.contiguous ? variant.contiguous : variant.strided,
                               codegen::parse_target(target_.name));
    }
    const engine::CompiledVariant& compiled = engine::compile_variant(piece.function, target_, piece.signature);
    times_.add(compiled.times, compiled.compile_ms);
    note_target(compiled.artifact.target);
    return compiled.artifact.code;
  }

  /// A GPU newer than all we know runs what is made for the newest one that we do.
  void note_target(const std::string& made) {
    if (is_cpu_ || noted_ || made == target_.name || !target_.name.starts_with("sm_")) return;
    noted_ = true;
    write_stderr(fmt::format("jitc: {} is made for {}, which {} runs as well\n", options_.out, made, target_.name));
  }

  const CompileCommandOptions& options_;
  TargetOptions target_;
  bool noted_ = false;
  bool is_cpu_ = false;
  StageTable times_;
};

constexpr const char* kHelp = R"(
The target is sm_50 to sm_90 or cpu; without --target it is sm_75, or cpu where FILE.o or FILE.s is written.
No GPU and no driver are needed. The file appears whole or not at all. Of a ufunc it holds the kernel for arrays.

examples:
  jitc compile axpy.dsl --target sm_80 -o axpy.ptx
  jitc compile axpy.dsl --target sm_90 -o - | less
  jitc compile increment.dsl --kernel increment_2d --signature 0 -o increment_2d.ptx
  jitc compile increment.dsl --target sm_80 -o kernels/      one file for each kernel
  jitc compile axpy.dsl --target cpu -o axpy.s)";

}  // namespace

void add_compile(CLI::App& app, Action& action) {
  auto options = std::make_shared<CompileCommandOptions>();
  CLI::App& command = *app.add_subcommand("compile", "Compile kernels and ufuncs to PTX, an object file or assembly");
  add_file(command, options->program);
  command.add_option("-o", options->out, "Where to: x.ptx, x.o, x.s, a folder, or - for standard output")
      ->type_name("PATH")
      ->required();
  command.add_option("--target", options->target, "sm_50 to sm_90, or cpu")->type_name("NAME");
  command.add_option("--kernel", options->program.kernel, "Which kernel or ufunc, where the file has several")
      ->type_name("NAME");
  command.add_flag("--contiguous", options->contiguous, "Take every array to be C-contiguous: fewer parameters");
  add_program_options(command, options->program);
  command.add_flag("--time", options->time, "Show how long each stage took");
  command.footer(kHelp);
  command.callback([options, &action] {
    action = [options] {
      Compiler(*options).run();
      return kExitDone;
    };
  });
}

}  // namespace jitc::cli
