#include "tests/random_arrays/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jitc::random_arrays {

namespace {

/// What programs may call. Each is written where its name occurs.
struct Helper {
  const char* name;
  const char* text;
};
constexpr Helper kHelpers[] = {
    {"d_bend", "@vectorize\ndef d_bend(x, y):\n    return x * y if x > y else x + y\n"},
    {"d_steps", "def d_steps(x, n):\n    t = x\n    for i in range(n):\n        t = t * x + 1\n    return t\n"},
    {"d_pair", "def d_pair(x, y):\n    return x + y, x * y\n"},
    {"g_center", "@jit\ndef g_center(a):\n    return a - np.max(a, axis=-1, keepdims=True)\n"},
    {"g_scaled", "@jit\ndef g_scaled(a, s):\n    t = a * s\n    return t + np.sum(t)\n"},
    {"g_ends", "@jit\ndef g_ends(a):\n    return a[:1], a[-1:]\n"},
    {"g_choose", "@jit\ndef g_choose(a, s):\n    if s > 1:\n        return a + a\n    return a[::-1] * a\n"},
    {"g_clear", "@jit\ndef g_clear(a, s):\n    a[:1] = s\n    a[1:] += 1\n"},
};

std::string filled(const std::string& text, const std::vector<Expr>& args) {
  std::string out;
  size_t next = 0;
  for (const char c : text) {
    if (c == '$') {
      out += text_of(args.at(next++));
    } else {
      out += c;
    }
  }
  return out;
}

void write(const std::vector<Stmt>& stmts, size_t depth, std::string& out) {
  const std::string indent(depth * 4, ' ');
  for (const Stmt& s : stmts) {
    out += indent + filled(s.text, s.args) + "\n";
    if (s.text.back() != ':') continue;
    write(s.body, depth + 1, out);
    if (s.body.empty()) out += indent + "    pass\n";
    if (s.orelse.empty()) continue;
    out += indent + "else:\n";
    write(s.orelse, depth + 1, out);
  }
}

std::string type_of(const Parameter& p) {
  if (!p.is_array) return std::string(name(p.dtype));
  std::vector<std::string> axes = p.extent_names;
  if (axes.empty()) axes.assign(p.shape.size(), ":");
  return fmt::format("{}[{}]", name(p.dtype), fmt::join(axes, ","));
}

}  // namespace

std::string text_of(const Expr& expr) { return filled(expr.text, expr.args); }

std::string text_of(const Program& program) {
  std::vector<std::string> types, names, results;
  for (const Parameter& p : program.params) {
    types.push_back(type_of(p));
    names.push_back(p.name);
  }
  for (const Expr& r : program.results) results.push_back(text_of(r));
  std::string function = fmt::format("@jit(\"({})\")\ndef f({}):\n", fmt::join(types, ", "), fmt::join(names, ", "));
  write(program.stmts, 1, function);
  function += fmt::format("    return {}\n", fmt::join(results, ", "));
  std::string out = "import numpy as np\nfrom numba import jit, vectorize\n\n";
  for (const Helper& h : kHelpers) {
    if (function.find(h.name) != std::string::npos) out += std::string(h.text) + "\n";
  }
  return out + function;
}

}  // namespace jitc::random_arrays
