// Makes one program: knows the type and the shape of everything that it writes. Private to generate*.cpp.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/random_arrays/chance.hpp"
#include "tests/random_arrays/program.hpp"

namespace jitc::random_arrays {

/// An expression with what it will be.
struct Typed {
  Expr expr;
  DType dtype = DType::f8;
  std::vector<int64_t> shape;
  bool storable = false;  ///< has memory of its own, or sees what has

  size_t rank() const { return shape.size(); }
  int64_t count() const {
    int64_t out = 1;
    for (const int64_t extent : shape) out *= extent;
    return out;
  }
};

class Generator {
 public:
  explicit Generator(uint64_t seed) : chance_(seed) { program_.seed = seed; }
  Program run();

 private:
  struct Variable {
    std::string name;
    Typed value;
    bool used = false;
  };
  using Make = std::optional<Typed> (Generator::*)(int depth);

  // --- generate.cpp: parameters, variables
  void take_parameters();
  void add_parameter(const std::string& name, DType dtype, std::vector<int64_t> shape, bool is_array);
  void lay_out(Parameter& p);
  DType any_dtype();
  std::string fresh(const char* prefix) { return prefix + std::to_string(next_++); }
  Typed use(Variable& variable);
  Typed any_variable();
  std::optional<Typed> variable_if(const std::function<bool(const Typed&)>& wanted);
  void choose_results();
  void change_extent();

  // --- generate_exprs.cpp: elements
  Typed value(int depth);
  Typed array(int depth);
  std::optional<Typed> maybe_value(int depth);
  std::optional<Typed> binary(int depth);
  std::optional<Typed> with_number(int depth);
  std::optional<Typed> unary(int depth);
  std::optional<Typed> choice(int depth);
  std::optional<Typed> comparison(int depth);
  std::optional<Typed> conversion(int depth);
  std::optional<Typed> called(int depth);
  std::optional<Typed> chosen(int depth);
  Typed fitting(const std::vector<int64_t>& shape, int depth);
  Typed condition(int depth);
  Typed truth();
  Typed scalar_number(int depth);
  Typed converted(Typed x, DType dtype);
  Typed elementwise(const std::string& text, std::vector<Typed> args, DType dtype);

  // --- generate_views.cpp
  std::optional<Typed> view(int depth);
  std::optional<Typed> subscript(const Typed& a);
  std::optional<Typed> reshaped(const Typed& a);
  std::optional<Typed> neighbours(int depth);
  std::optional<Typed> joined(int depth);
  std::optional<Typed> creation(int depth);
  std::string shape_text(const std::vector<int64_t>& shape);

  // --- generate_folds.cpp
  std::optional<Typed> fold(int depth);
  std::optional<Typed> normalised(int depth);
  std::optional<Typed> product(int depth);
  std::optional<Typed> einsum(int depth);

  // --- generate_stmts.cpp
  void statement(std::vector<Stmt>& out, int depth);
  void assignment(std::vector<Stmt>& out);
  void several(std::vector<Stmt>& out);
  void store(std::vector<Stmt>& out);
  void augmented(std::vector<Stmt>& out);
  void masked(std::vector<Stmt>& out);
  void branch(std::vector<Stmt>& out, int depth);
  void counted_loop(std::vector<Stmt>& out, int depth);
  void while_loop(std::vector<Stmt>& out);
  void changed(std::vector<Stmt>& out, int depth);
  void define(const std::string& name, Typed value);
  std::optional<Typed> place();

  Chance chance_;
  Program program_;
  std::vector<Variable> variables_;
  std::vector<int64_t> extents_;
  std::string loop_variable_;
  int next_ = 0;
};

/// Of one type where NumPy has them meet.
DType meet(DType a, DType b);

}  // namespace jitc::random_arrays
