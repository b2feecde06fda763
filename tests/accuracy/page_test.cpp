// docs/accuracy.md is up to date: a row for each function, within its bound, and errors where it says they are.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "tests/accuracy/accuracy_page.hpp"
#include "tests/accuracy/exhaustive.hpp"

namespace jitc::accuracy {
namespace {

using math_test::Reference;

std::string error_text(const PageRow& row) {
  const Reference& reference = *math_test::find_reference(row.function);
  const auto [x, y] = row.arguments();
  double ulps = 0;
  if (row.type == "f4") ulps = math_test::error_at<float>(reference, static_cast<float>(x), static_cast<float>(y));
  if (row.type == "f8") ulps = math_test::error_at<double>(reference, x, y);
  if (row.type == "f2" || row.type == "bf16") ulps = product_error_at(reference, *dtype_from_name(row.type), x);
  return ulps_text(ulps, row.type);
}

const std::vector<PageRow>& page() {
  static const std::vector<PageRow> kRows = read_page(JITC_SOURCE_ROOT "/docs/accuracy.md");
  return kRows;
}

// What to do where these fail: cmake --build <build folder> --target accuracy_table
TEST_CASE("the table has a row for each function of math.def and each type, with the bound that the test holds it to") {
  const auto heads = [](const std::vector<PageRow>& rows) {
    std::vector<std::string> out;
    for (const PageRow& row : rows)
      out.push_back(fmt::format("{} {} {} {}", row.function, row.type, row.bound, row.cuda));
    return out;
  };
  CHECK(heads(page()) == heads(wanted_rows()));
}

TEST_CASE("nothing measured is above its bound") {
  for (const PageRow& row : page()) {
    if (!row.is_measured()) continue;
    INFO(row.function << " of " << row.type);
    CHECK(std::stod(row.found) <= std::stod(row.bound));
  }
}

TEST_CASE("every error is found where the table has it") {
  for (const PageRow& row : page()) {
    if (!row.is_measured()) continue;
    INFO(row.function << " of " << row.type << " at " << row.where);
    CHECK(error_text(row) == row.found);
  }
}

}  // namespace
}  // namespace jitc::accuracy
