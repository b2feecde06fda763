// The core dimensions of one call of a gufunc: which extent each symbol has.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "src/engine/array_call.hpp"
#include "src/sema/core_layout.hpp"

namespace jitc::engine {

/// The number of core dimensions of each.
std::vector<int> core_ranks(std::span<const sema::CoreShape> shapes);

/// Every array has its core dimensions, and every symbol of the layout, and every named extent of the signature, one
/// extent. Throws Error(argument), which names the dimension, both arguments, their axes and all shapes.
class CoreExtents {
 public:
  explicit CoreExtents(const ArrayCall& call);

  /// The shapes of the results, whose loop dimensions are `loops`. Throws Error(argument) where an array cannot have
  /// that many axes.
  std::vector<std::vector<int64_t>> result_shapes(const std::vector<int64_t>& loops) const;

 private:
  struct Place {
    std::string_view name;  ///< of the argument
    size_t from_right = 0;  ///< 0 is the last axis
  };
  struct Known {
    int64_t extent = 0;
    Place place;
  };

  void check_rank(std::string_view name, size_t rank, const sema::CoreShape& shape) const;
  void bind_input(size_t index, std::span<const int64_t> shape);
  void bind(const std::string& symbol, int64_t extent, Place place);
  int64_t extent_of(const sema::CoreDim& dim) const;
  std::vector<std::string> named_extents(size_t param) const;
  void check_named_results();
  std::string shapes_text() const;

  const ArrayCall& call_;
  const sema::CoreLayout& layout_;
  std::map<std::string, Known, std::less<>> known_;
};

}  // namespace jitc::engine
