// The dumps of the early stages.
#include "src/pipeline/pipeline.hpp"
#include "src/sema/sema.hpp"
#include "src/syntax/parser.hpp"

namespace jitc::pipeline {

namespace {

std::string dump_stage(const source::SourceFile& file, const Options& options, EarlyDump what,
                       source::DiagnosticSink& sink) {
  if (what == EarlyDump::kTokens) return syntax::print_tokens(file, sink);
  syntax::ParseLimits limits;
  limits.max_nesting = options.max_nesting;
  limits.max_source_bytes = options.max_source_bytes;
  limits.max_nodes = options.max_nodes;
  syntax::Ast ast = syntax::parse(file, sink, limits);
  if (sink.has_errors()) return {};
  if (what == EarlyDump::kAst) return syntax::print_ast(ast);
  const sema::TypedModule typed = sema::analyze(
      file, ast, {options.entry, options.signature, options.only_entry, options.check, options.warn_f64}, sink);
  return sink.has_errors() ? std::string() : sema::print_types(file, typed);
}

}  // namespace

std::string dump(std::string_view text, const Options& options, EarlyDump what, std::string& diagnostics) {
  const source::SourceFile file(options.file_name, std::string(text));
  source::DiagnosticSink sink;
  std::string out = dump_stage(file, options, what, sink);
  diagnostics = source::render_all(file, sink.all());
  return out;
}

}  // namespace jitc::pipeline
