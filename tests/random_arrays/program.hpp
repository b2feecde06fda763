// An array function made by chance, as a tree that can be made smaller, and its arguments.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jitc/dtype.hpp"

namespace jitc::random_arrays {

/// Text with a '$' for each argument.
struct Expr {
  std::string text;
  std::vector<Expr> args;
};

/// "v1 = $", "for i in range(3):" with a body.
struct Stmt {
  std::string text;
  std::vector<Expr> args;
  std::vector<Stmt> body, orelse;
};

/// One argument of the call. Its elements follow from `seed` alone.
struct Parameter {
  std::string name;
  DType dtype = DType::f8;
  bool is_array = true;
  std::vector<int64_t> shape;
  std::vector<std::string> extent_names;  ///< empty, or one for each axis
  uint64_t seed = 0;
  /// How it lies in memory: the axes from the outermost, and by axis how far apart neighbours are, in elements of a
  /// dense array; negative ones lie backwards, and at 0 all are one element.
  std::vector<uint32_t> order;
  std::vector<int64_t> steps;
};

struct Program {
  uint64_t seed = 0;
  std::vector<Parameter> params;
  std::vector<Stmt> stmts;
  std::vector<Expr> results;
};

std::string text_of(const Expr& expr);
/// The whole file: what is imported, the functions that are called, and the function "f".
std::string text_of(const Program& program);

}  // namespace jitc::random_arrays
