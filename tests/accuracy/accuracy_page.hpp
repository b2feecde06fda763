// The measured table of docs/accuracy.md: rows as they stand there, and what may stand there.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/unit/math/measure.hpp"

namespace jitc::accuracy {

/// `| sin | f4 | 0.8 | 0.746 | 0x1.8p+3 | 240,460 | 2 |`
struct PageRow {
  std::string function;
  std::string type;   ///< "f4", "f8", "f2", "bf16", or "all" of what is not measured here
  std::string bound;  ///< in ulp, or words: "exact"
  std::string found;
  std::string where;
  std::string points;  ///< "all 65,536" where no argument is left out
  std::string cuda;    ///< NVIDIA's bound, or "-"

  bool is_measured() const { return type != "all"; }
  bool is_exhaustive() const { return points.rfind("all ", 0) == 0; }
  /// Of `where`; a missing second one is 0.
  std::pair<double, double> arguments() const;
};

/// The rows between the markers; throws std::runtime_error where the file has none.
std::vector<PageRow> read_page(const std::string& path);
/// Puts these in their place, in the order of math.def.
void write_page(const std::string& path, const std::vector<PageRow>& rows);
/// The lines of the table.
std::string table_text(const std::vector<PageRow>& rows);

/// Every (function, type) that has a row, in the page's order. Those that are not measured here say where they are
/// tested.
std::vector<PageRow> wanted_rows();

/// Digits as the page shows them: three behind the point, five for halves.
std::string ulps_text(double ulps, std::string_view type);
/// What the test holds the function to. Throws std::out_of_range.
std::string bound_text(std::string_view function, std::string_view type);
PageRow measured_row(const math_test::Reference& reference, const std::string& type, const math_test::Worst& worst,
                     bool is_exhaustive);

}  // namespace jitc::accuracy
