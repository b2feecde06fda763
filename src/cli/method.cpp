#include "src/cli/method.hpp"

#include <fmt/format.h>

#include <charconv>

#include "src/cli/failure.hpp"

namespace jitc::cli {

namespace {

struct Row {
  MethodKind kind;
  std::string_view name;
};
constexpr Row kMethods[] = {{MethodKind::reduce, "reduce"},
                            {MethodKind::accumulate, "accumulate"},
                            {MethodKind::outer, "outer"},
                            {MethodKind::at, "at"}};

MethodKind kind_of(const std::string& word, const std::string& kernel) {
  std::vector<std::string> names;
  for (const Row& row : kMethods) {
    if (row.name == word) return row.kind;
    names.emplace_back(row.name);
  }
  fail(fmt::format("{}: there is no '{}' of a ufunc", kernel, word), suggest(word, names, "there are"));
}

std::vector<int> parse_axes(const std::string& text) {
  std::vector<int> out;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    int axis = 0;
    const auto [rest, error] = std::from_chars(text.data() + begin, text.data() + end, axis);
    if (error != std::errc() || rest != text.data() + end) {
      fail(fmt::format("--axis {}: it is not a list of axes", text), "such as --axis 0, --axis -1,0 or --axis all");
    }
    out.push_back(axis);
    begin = end + 1;
  }
  return out;
}

void check_options(const Method& method, const MethodOptions& options) {
  const bool has_axis = method.kind == MethodKind::reduce || method.kind == MethodKind::accumulate;
  if (!options.axis.empty() && !has_axis) {
    fail("--axis belongs to NAME.reduce and NAME.accumulate", "such as jitc run folds.dsl add.reduce --axis 1");
  }
  if (method.kind != MethodKind::reduce && (options.keepdims || !options.initial.empty())) {
    fail(fmt::format("{} belongs to NAME.reduce", options.keepdims ? "--keepdims" : "--initial"),
         options.keepdims ? "" : "a reduction (@cuda.reduce) takes --arg init=VALUE");
  }
}

}  // namespace

std::string_view name(MethodKind kind) {
  for (const Row& row : kMethods) {
    if (row.kind == kind) return row.name;
  }
  return "";
}

Method take_method(ProgramOptions& program, const MethodOptions& options) {
  Method out;
  const size_t dot = program.kernel.rfind('.');
  if (dot != std::string::npos) {
    out.kind = kind_of(program.kernel.substr(dot + 1), program.kernel);
    program.kernel.resize(dot);
  }
  check_options(out, options);
  out.keepdims = options.keepdims;
  out.initial = options.initial;
  out.all_axes = options.axis == "all";
  if (!options.axis.empty() && !out.all_axes) out.axes = parse_axes(options.axis);
  if (out.kind == MethodKind::accumulate && (out.all_axes || out.axes.size() != 1)) {
    fail(fmt::format("--axis {}: accumulate goes along one axis", options.axis));
  }
  return out;
}

}  // namespace jitc::cli
