// A function without a signature is typed by its calls. Until then its body is typed with parameters of unknown type:
// what depends on them stays unknown, and of what is reported only that is believed which no types can change.
#include <algorithm>
#include <array>

#include "src/sema/entries.hpp"

namespace jitc::sema {

namespace {

using source::DiagId;

constexpr std::array kWhateverTheTypes = {
    DiagId::kUnknownName,   DiagId::kUnknownMember,    DiagId::kUnassigned,       DiagId::kMaybeUnassigned,
    DiagId::kFutureBuiltin, DiagId::kRecursion,        DiagId::kGridDimensions,   DiagId::kOutsideLoop,
    DiagId::kBadTarget,     DiagId::kKernelReturns,    DiagId::kUnknownKeyword,   DiagId::kMissingArgument,
    DiagId::kArgumentCount, DiagId::kRepeatedArgument, DiagId::kReductionInKernel};

}  // namespace

void check_untyped(TyperContext& context, uint32_t function, const syntax::FunctionDef& def, EntryKind kind) {
  source::DiagnosticSink found;
  TyperContext loose{context.file, context.ast, found, context.types, context.scope, context.options, context.specs, {},
                     {},           {},          0};
  FunctionTyper::Request request;
  request.function = function;
  request.def = &def;
  request.args.assign(def.params.size(), {context.types.unknown(), std::nullopt, {}});
  request.is_kernel = kind == EntryKind::kKernel || kind == EntryKind::kGufunc;
  if (request.is_kernel) request.declared_return = context.types.none();
  loose.active = {{function, def.name_span}};
  FunctionTyper(loose, std::move(request)).run();
  for (const source::Diagnostic& d : found.all()) {
    if (std::ranges::find(kWhateverTheTypes, d.id) != kWhateverTheTypes.end()) context.sink.report_again(d);
  }
}

}  // namespace jitc::sema
