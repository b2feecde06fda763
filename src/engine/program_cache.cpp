#include "src/engine/program_cache.hpp"

#include <algorithm>

#include "src/engine/messages.hpp"

namespace jitc::engine {

namespace {

/// More texts at a time are rare, and looking through this many takes less than a microsecond.
constexpr size_t kPrograms = 64;
constexpr size_t kMaxSourceBytes = size_t{1} << 20;

bool keeps_signatures(const pipeline::Module& module) {
  return std::none_of(module.kernels.begin(), module.kernels.end(),
                      [](const pipeline::KernelGroup& group) { return group.is_typed_by_calls(); });
}

}  // namespace

std::shared_ptr<const CompiledProgram> start_compiling(std::shared_ptr<const pipeline::Module> module, Emit emit,
                                                       codegen::EmitOptions emit_options) {
  std::vector<DiagnosticMessage> messages = to_messages(module->file, module->diagnostics);
  if (!module->ok) throw CompileError(source::render_all(module->file, module->diagnostics), std::move(messages));
  auto program = std::make_shared<CompiledProgram>();
  program->module = std::move(module);
  program->emit = std::move(emit);
  program->emit_options = std::move(emit_options);
  program->warnings = std::move(messages);
  for (size_t i = 0; i < program->module->kernels.size(); ++i) program->functions.emplace_back();
  return program;
}

std::shared_ptr<const CompiledProgram> ProgramCache::get(std::string_view source, const CompileOptions& options,
                                                         const Make& make) {
  const size_t hash = std::hash<std::string_view>()(source);
  if (std::shared_ptr<const CompiledProgram> found = find(hash, source, options)) return found;
  std::shared_ptr<const CompiledProgram> made = make();
  if (keeps_signatures(*made->module) && options.math.empty() && source.size() <= kMaxSourceBytes) {
    keep({hash, std::string(source), options, made});
  }
  return made;
}

std::shared_ptr<const CompiledProgram> ProgramCache::find(size_t hash, std::string_view source,
                                                          const CompileOptions& options) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.hash == hash && entry.source == source && entry.options == options;
  });
  if (found == entries_.end()) return nullptr;
  std::rotate(found, found + 1, entries_.end());
  return entries_.back().program;
}

/// Of two threads that made the same at once both have what they made; either may be found later.
void ProgramCache::keep(Entry entry) {
  std::vector<Entry> oldest;  // destroyed without the lock
  const std::lock_guard lock(mutex_);
  if (entries_.size() == kPrograms) {
    oldest.push_back(std::move(entries_.front()));
    entries_.erase(entries_.begin());
  }
  entries_.push_back(std::move(entry));
}

void ProgramCache::clear() {
  std::vector<Entry> all;
  const std::lock_guard lock(mutex_);
  all.swap(entries_);
}

/// Never destroyed, as the cache of kernels.
ProgramCache& program_cache() {
  static auto* cache = new ProgramCache;
  return *cache;
}

}  // namespace jitc::engine
