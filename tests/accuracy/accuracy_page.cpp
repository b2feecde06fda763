#include "tests/accuracy/accuracy_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

#include "tests/accuracy/exhaustive.hpp"
#include "tests/accuracy/product_function.hpp"
#include "tests/unit/math/published_accuracy.hpp"

namespace jitc::accuracy {

namespace {

using math_test::Reference;

constexpr std::string_view kBegin = "<!-- accuracy_table -->\n", kEnd = "<!-- end of accuracy_table -->\n";
constexpr std::string_view kHead =
    "| function | type | bound | found | at | points | CUDA |\n|---|---|---|---|---|---|---|\n";

struct Page {
  std::string before, table, after;
};

Page split(const std::string& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const size_t begin = text.find(kBegin), end = text.find(kEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin) {
    throw std::runtime_error(path + " has no table between the markers of accuracy_table");
  }
  const size_t first = begin + kBegin.size();
  return {text.substr(0, first), text.substr(first, end - first), text.substr(end)};
}

/// The cells of a line "| a | b |".
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  for (size_t at = line.find("| "); at != std::string::npos;) {
    const size_t next = line.find(" |", at + 2);
    if (next == std::string::npos) break;
    cells.push_back(line.substr(at + 2, next - at - 2));
    at = next + 1;
  }
  return cells;
}

std::string with_commas(uint64_t number) {
  std::string digits = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<size_t>(at), ",");
  return digits;
}

bool is_half(std::string_view type) { return type == "f2" || type == "bf16"; }

struct CudaBounds {
  double f4, f8;
};
const std::map<std::string, CudaBounds, std::less<>> kCuda = {
#define JITC_CUDA(name, f4, f8) {name, {f4, f8}},
#include "tests/accuracy/cuda_bounds.def"
#undef JITC_CUDA
};

std::string cuda_text(std::string_view function, std::string_view type) {
  const auto found = kCuda.find(function);
  if (found == kCuda.end() || is_half(type)) return "-";
  if (type == "all" && found->second.f4 == found->second.f8) return fmt::format("{}", found->second.f4);
  return fmt::format("{}", type == "f4" ? found->second.f4 : found->second.f8);
}

bool is_complex_part(std::string_view function) { return function.ends_with("_re") || function.ends_with("_im"); }

bool is_directed(std::string_view function) {
  return function.ends_with("_rd") || function.ends_with("_ru") || function.ends_with("_rz");
}

/// One row for all of a kind.
const PageRow kRowsOfKinds[] = {
    {"complex parts", "all", "see above", "-", "-", "-", "-"},
    {"_rd, _ru, _rz", "all", "exact", "-", "-", "-", "0"},
    {"fastmath", "all", "fastmath.md", "-", "-", "-", "-"},
};

bool has_row_of_its_own(std::string_view function) {
  return !is_complex_part(function) && !is_directed(function) && !function.starts_with("fast_");
}

/// What the functions promise that are not compared with MPFR here.
PageRow unmeasured_row(std::string_view function) {
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), function) != names.end();
  };
  std::string bound;
  if (is_one_of({"fmod", "remainder", "remquo", "nextafter", "ldexp", "frexp_mant", "frexp_exp", "round", "logb",
                 "ilogb", "modf_fraction", "modf_whole", "fdim", "saturate", "reciprocal"})) {
    bound = "exact";
  }
  if (is_one_of({"floordiv", "pymod", "round_n"})) bound = "as CPython";
  if (bound.empty()) throw std::runtime_error(fmt::format("nothing says how exact {} is", function));
  return {std::string(function), "all", bound, "-", "-", "-", cuda_text(function, "all")};
}

}  // namespace

std::pair<double, double> PageRow::arguments() const {
  const size_t comma = where.find(", ");
  return {std::strtod(where.c_str(), nullptr),
          comma == std::string::npos ? 0 : std::strtod(where.c_str() + comma + 2, nullptr)};
}

std::vector<PageRow> read_page(const std::string& path) {
  std::vector<PageRow> rows;
  const std::string table = split(path).table;
  for (size_t at = 0; at < table.size();) {
    const size_t end = std::min(table.find('\n', at), table.size());
    const std::vector<std::string> cells = cells_of(table.substr(at, end - at));
    at = end + 1;
    if (cells.size() != 7 || cells[0] == "function") continue;
    rows.push_back({cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6]});
  }
  return rows;
}

std::string table_text(const std::vector<PageRow>& rows) {
  std::string text(kHead);
  for (const PageRow& row : rows) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", row.function, row.type, row.bound, row.found,
                        row.where, row.points, row.cuda);
  }
  return text;
}

void write_page(const std::string& path, const std::vector<PageRow>& rows) {
  const Page page = split(path);
  std::vector<PageRow> sorted;
  for (const PageRow& wanted : wanted_rows()) {
    for (const PageRow& row : rows) {
      if (row.function == wanted.function && row.type == wanted.type) sorted.push_back(row);
    }
  }
  std::ofstream file(path);
  file << page.before << table_text(sorted) << page.after;
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

std::vector<PageRow> wanted_rows() {
  std::vector<PageRow> rows;
  for (const std::string_view function : {
#define JITC_MATH(id, name, arity) std::string_view(name),
#include "src/math/math.def"
#undef JITC_MATH
       }) {
    const Reference* reference = math_test::find_reference(function);
    if (!has_row_of_its_own(function)) continue;
    if (reference == nullptr) {
      rows.push_back(unmeasured_row(function));
      continue;
    }
    for (const char* type : {"f4", "f8", "f2", "bf16"}) {
      // All pairs of two halves are as many as the f4 there are.
      if (is_half(type) && (reference->arity != 1 || is_of_libdevice(function))) continue;
      rows.push_back({std::string(function), type, bound_text(function, type), "", "", "", cuda_text(function, type)});
    }
  }
  rows.insert(rows.end(), std::begin(kRowsOfKinds), std::end(kRowsOfKinds));
  return rows;
}

std::string ulps_text(double ulps, std::string_view type) {
  return is_half(type) ? fmt::format("{:.5f}", ulps) : fmt::format("{:.3f}", ulps);
}

std::string bound_text(std::string_view function, std::string_view type) {
  static const auto kBounds = math_test::published_accuracy();
  const auto found = kBounds.find(function);
  if (found == kBounds.end()) throw std::out_of_range(fmt::format("no bound of {}", function));
  const math_test::Bounds& bounds = found->second;
  if (is_half(type)) return ulps_text(bound_of_half(*dtype_from_name(type), bounds.f4_ulp), type);
  return fmt::format("{}", type == "f4" ? bounds.f4_ulp : bounds.f8_ulp);
}

PageRow measured_row(const Reference& reference, const std::string& type, const math_test::Worst& worst,
                     bool is_exhaustive) {
  const std::string where =
      reference.arity == 1 ? fmt::format("{:a}", worst.x) : fmt::format("{:a}, {:a}", worst.x, worst.y);
  return {std::string(reference.name),    type,  bound_text(reference.name, type),
          ulps_text(worst.ulps, type),    where, (is_exhaustive ? "all " : "") + with_commas(worst.points),
          cuda_text(reference.name, type)};
}

}  // namespace jitc::accuracy
