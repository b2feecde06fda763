#include "src/cli/stage_table.hpp"

#include <fmt/format.h>

namespace jitc::cli {

double milliseconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

void StageTable::add(const std::vector<pipeline::StageTime>& times) {
  for (const pipeline::StageTime& time : times) add(time.stage, time.ms);
}

void StageTable::add(const codegen::EmitTimes& times, double whole_ms) {
  const double made_ms = times.emit_ms + times.link_math_ms + times.optimize_ms + times.machine_ms;
  if (made_ms > 0 || times.found_ms == 0) {
    add("emit LLVM IR", times.emit_ms);
    add("link math", times.link_math_ms);
    add("optimize", times.optimize_ms);
    add("machine code", times.machine_ms);
  }
  if (times.found_ms > 0) add("cache", times.found_ms);
  const double rest = whole_ms - made_ms - times.found_ms;
  if (rest > 0) add("other", rest);
}

std::string StageTable::text() const {
  std::string out = fmt::format("{:<16} {:>10}\n", "stage", "ms");
  double total = 0;
  for (const Row& row : rows_) {
    out += fmt::format("{:<16} {:>10.3f}\n", row.stage, row.ms);
    if (!row.is_part) total += row.ms;
  }
  return out + fmt::format("{:<16} {:>10.3f}\n", "total", total);
}

}  // namespace jitc::cli
