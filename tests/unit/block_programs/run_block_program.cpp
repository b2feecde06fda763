#include "tests/unit/block_programs/run_block_program.hpp"

#include <fmt/format.h>

#include "tests/support/reference_interpreter.hpp"
#include "tests/unit/codegen/cpu_program.hpp"

namespace jitc::blocks {

namespace {

template <class T>
std::string first_difference(const char* name, const std::vector<T>& expected, const std::vector<T>& actual) {
  for (size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] != actual[i]) return fmt::format("{}[{}] is {}, not {}", name, i, actual[i], expected[i]);
  }
  return {};
}

}  // namespace

BlockRun run_reference(const BlockProgram& program, bool backwards) {
  BlockRun run{initial_memory(program)};
  reference::ReferenceLaunch launch{.grid = program.grid, .block = program.block};
  launch.dynamic_shared_bytes = program.dynamic_shared_bytes;
  launch.backwards = backwards;
  launch.max_steps = 20'000'000;
  const auto give = [&](auto& array) {
    launch.params.push_back(reinterpret_cast<uint64_t>(array.data()));
    launch.memory.push_back({reinterpret_cast<const std::byte*>(array.data()), array.size() * sizeof(array[0])});
  };
  BlockMemory& m = run.memory;
  give(m.out), give(m.in), give(m.exchange), give(m.wide), give(m.narrow);
  launch.params.push_back(static_cast<uint64_t>(program.scalar));
  try {
    run.failed = reference::run(program.program, launch).failure.has_value();
  } catch (const reference::ReferenceError& error) { run.error = error.what(); }
  return run;
}

BlockRun run_cpu(const BlockProgram& program, int opt_level) {
  BlockRun run{initial_memory(program)};
  FailRecord record;
  CpuLaunch launch;
  for (size_t axis = 0; axis < 3; ++axis) {
    launch.grid[axis] = program.grid[axis];
    launch.block[axis] = program.block[axis];
  }
  if (!program.program.fail_sites.empty()) launch.fail = &record;
  launch.dynamic_shared_bytes = program.dynamic_shared_bytes;
  BlockMemory& m = run.memory;
  codegen::tests::CpuProgram(program.program, {.opt_level = opt_level})
      .run(launch, m.out.data(), m.in.data(), m.exchange.data(), m.wide.data(), m.narrow.data(), program.scalar);
  run.failed = record.state != 0;
  return run;
}

std::string difference(const BlockRun& expected, const BlockRun& actual) {
  if (expected.error != actual.error) return actual.error.empty() ? "no error" : actual.error;
  if (expected.failed != actual.failed) return actual.failed ? "a thread failed" : "no thread failed";
  const BlockMemory &e = expected.memory, &a = actual.memory;
  for (const std::string& found :
       {first_difference("out", e.out, a.out), first_difference("in", e.in, a.in),
        first_difference("exchange", e.exchange, a.exchange), first_difference("wide", e.wide, a.wide),
        first_difference("narrow", e.narrow, a.narrow)}) {
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace jitc::blocks
