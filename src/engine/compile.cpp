// jitc::compile: text to program.
#include "jitc/program.hpp"
#include "runtime/common/error.hpp"
#include "src/engine/engine.hpp"
#include "src/engine/guard.hpp"
#include "src/engine/program_cache.hpp"

namespace jitc {

namespace engine {

pipeline::Options to_pipeline_options(const CompileOptions& options) {
  pipeline::Options out;
  out.file_name = options.file_name;
  out.entry = options.entry;
  out.signature = options.signature;
  out.check = options.check;
  out.warn_f64 = options.warn_f64;
  out.line_info = options.line_info;
  out.max_nesting = options.max_nesting;
  out.max_source_bytes = options.max_source_bytes;
  out.max_nodes = options.max_nodes;
  return out;
}

codegen::EmitOptions to_emit_options(const CompileOptions& options) {
  constexpr std::string_view kPrefix = "libdevice:";
  codegen::EmitOptions out;
  if (options.math.empty()) return out;
  const std::string_view math = options.math;
  if (!math.starts_with(kPrefix) || math == kPrefix) {
    runtime::fail(ErrorCode::argument, "there is no math library '{}'; libdevice:PATH names a file of a CUDA toolkit",
                  math);
  }
  out.libdevice = codegen::read_libdevice(options.math.substr(kPrefix.size()));
  return out;
}

}  // namespace engine

Program compile(std::string_view source, const CompileOptions& options) {
  return engine::guarded([&] {
    return engine::make_program(engine::program_cache().get(source, options, [&] {
      return engine::start_compiling(pipeline::check(source, engine::to_pipeline_options(options)), engine::emit_once,
                                     engine::to_emit_options(options));
    }));
  });
}

}  // namespace jitc
