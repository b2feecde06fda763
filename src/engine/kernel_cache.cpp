#include "src/engine/kernel_cache.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <mutex>

#include "jitc/cache.hpp"
#include "src/base/check.hpp"
#include "src/cache/build_id.hpp"
#include "src/cache/cache.hpp"
#include "src/engine/program_cache.hpp"
#include "src/engine/stopwatch.hpp"

namespace jitc {

namespace engine {

namespace {

struct ProcessCache {
  std::mutex mutex;
  std::shared_ptr<cache::Cache> cache;
};

/// Never destroyed: kernels may be asked for by other static objects at the end of the process.
ProcessCache& process_cache() {
  static auto* cache = new ProcessCache;
  return *cache;
}

std::shared_ptr<cache::Cache> make_cache(const cache::Settings& settings) {
  return std::make_shared<cache::Cache>(settings, cache::build_id());
}

std::shared_ptr<cache::Cache> kernel_cache() {
  ProcessCache& process = process_cache();
  const std::lock_guard lock(process.mutex);
  if (!process.cache) process.cache = make_cache(cache::settings_of_environment());
  return process.cache;
}

using Numbers = std::array<uint64_t, 2>;

std::string to_bytes(const codegen::MachineCode& code) {
  const Numbers numbers = {code.cpu_scratch_bytes, code.cpu_scratch_bytes_per_thread};
  return std::string(reinterpret_cast<const char*>(numbers.data()), sizeof(numbers)) + code.code;
}

codegen::MachineCode from_bytes(const std::string& bytes) {
  Numbers numbers;
  JITC_CHECK(bytes.size() >= sizeof(numbers), "a cached value is too short");
  std::memcpy(numbers.data(), bytes.data(), sizeof(numbers));
  return {bytes.substr(sizeof(numbers)), numbers[0], numbers[1]};
}

std::string title_of(const kernel::KernelProgram& program, const codegen::Target& target) {
  const bool is_gpu = target.kind == codegen::Target::Kind::nvptx;
  return fmt::format("{} {} {}", program.name, program.signature, is_gpu ? fmt::format("sm_{}", target.sm) : "cpu");
}

}  // namespace

Artifact emit_once(const kernel::KernelProgram& program, const codegen::Target& target,
                   const codegen::EmitOptions& options, codegen::EmitTimes* times) {
  const Stopwatch watch;
  const std::string key = codegen::code_key(program, target, options);
  cache::Source source = cache::Source::made;
  const auto value = kernel_cache()->get(
      key, title_of(program, target), [&] { return to_bytes(codegen::make_code(program, target, options, times)); },
      &source);
  Artifact artifact = codegen::finish(program, target, from_bytes(*value), options);
  if (times != nullptr && source != cache::Source::made) times->found_ms += watch.ms();
  return artifact;
}

}  // namespace engine

CacheOptions::CacheOptions() {
  cache::Settings settings = cache::settings_of_environment();
  folder = std::move(settings.folder);
  shared = std::move(settings.provided);
  limit_bytes = settings.limit_bytes;
}

void set_cache(const CacheOptions& options) {
  cache::Settings settings{options.folder, options.shared, options.limit_bytes, "", ""};
  if (options.folder.empty()) settings.why_off = "set_cache() was given no folder";
  engine::ProcessCache& process = engine::process_cache();
  const std::lock_guard lock(process.mutex);
  process.cache = engine::make_cache(settings);
  engine::program_cache().clear();
}

CacheStatistics cache_statistics() {
  const std::shared_ptr<cache::Cache> cache = engine::kernel_cache();
  const cache::Counts counts = cache->counts();
  return {cache->disk().folder(), cache->disk().why_off(), counts.memory_hits, counts.disk_hits, counts.made,
          counts.not_stored};
}

}  // namespace jitc
