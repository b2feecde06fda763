#include "src/engine/core_extents.hpp"

#include "runtime/common/broadcast.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/layout.hpp"

namespace jitc::engine {

using runtime::fail;
using runtime::tuple_text;
using sema::CoreDim;
using sema::CoreShape;

std::vector<int> core_ranks(std::span<const CoreShape> shapes) {
  std::vector<int> out;
  for (const CoreShape& shape : shapes) out.push_back(shape.rank());
  return out;
}

CoreExtents::CoreExtents(const ArrayCall& call) : call_(call), layout_(*call.function().group->layout) {
  const std::vector<std::string>& names = call.function().group->params;
  for (size_t i = 0; i < layout_.inputs.size(); ++i) {
    const Array* array = std::get_if<Array>(&call.inputs()[i].value());
    if (array != nullptr) {
      check_rank(names[i], array->shape().size(), layout_.inputs[i]);
    } else if (layout_.inputs[i].rank() != 0) {
      fail(ErrorCode::argument, "{}: '{}' is a scalar, its core is {}", call.function().title, names[i],
           to_string(layout_.inputs[i]));
    }
  }
  const std::vector<runtime::Operand> given = call.given_operands();
  for (size_t i = 0; i < given.size(); ++i) check_rank(given[i].name, given[i].shape.size(), layout_.outputs[i]);
  for (size_t i = 0; i < layout_.inputs.size(); ++i) {
    const Array* array = std::get_if<Array>(&call.inputs()[i].value());
    if (array != nullptr) bind_input(i, array->shape());
  }
  check_named_results();
}

void CoreExtents::check_rank(std::string_view name, size_t rank, const CoreShape& shape) const {
  if (rank >= static_cast<size_t>(shape.rank())) return;
  fail(ErrorCode::argument, "{}: '{}' has {} ax{}s, its core {} has {}: {}", call_.function().title, name, rank,
       rank == 1 ? "i" : "e", to_string(shape), shape.rank(), shapes_text());
}

void CoreExtents::bind_input(size_t index, std::span<const int64_t> shape) {
  const std::string& name = call_.function().group->params[index];
  const CoreShape& core = layout_.inputs[index];
  const std::vector<std::string> named = named_extents(index);
  const size_t rank = core.dims.size();
  for (size_t axis = 0; axis < rank; ++axis) {
    const CoreDim& dim = core.dims[axis];
    const Place place{name, rank - 1 - axis};
    const int64_t extent = shape[shape.size() - rank + axis];
    if (!dim.symbol.empty()) bind(dim.symbol, extent, place);
    if (axis < named.size() && !named[axis].empty()) bind(named[axis], extent, place);
    if (!dim.symbol.empty() || extent == dim.extent) continue;
    fail(ErrorCode::argument, "{}: axis -{} of '{}' is {}, the layout says {}: {}", call_.function().title,
         place.from_right + 1, name, extent, dim.extent, shapes_text());
  }
}

void CoreExtents::bind(const std::string& symbol, int64_t extent, Place place) {
  const auto [it, is_new] = known_.try_emplace(symbol, Known{extent, place});
  const Known& first = it->second;
  if (is_new || first.extent == extent) return;
  fail(ErrorCode::argument, "{}: the core dimension {} is {} in '{}' (axis -{}) but {} in '{}' (axis -{}): {}",
       call_.function().title, symbol, first.extent, first.place.name, first.place.from_right + 1, extent, place.name,
       place.from_right + 1, shapes_text());
}

int64_t CoreExtents::extent_of(const CoreDim& dim) const {
  return dim.symbol.empty() ? dim.extent : known_.find(dim.symbol)->second.extent;
}

/// Of the parameter's type, f4[n,m]: the names; nothing where it has none.
std::vector<std::string> CoreExtents::named_extents(size_t param) const {
  const TypedSignature& typed = signature_at(call_.function(), call_.signature());
  const sema::TypedFunction& function = *typed.variant->scalar_function;
  const types::ArrayType* type = typed.module->types->as_array(function.vars[function.params[param]].type);
  return type == nullptr ? std::vector<std::string>() : type->extent_names;
}

void CoreExtents::check_named_results() {
  const std::span<const ArgumentInfo> infos = results_of(call_.function(), call_.signature());
  for (size_t i = 0; i < layout_.outputs.size(); ++i) {
    const CoreShape& core = layout_.outputs[i];
    const std::vector<std::string> named = named_extents(layout_.inputs.size() + i);
    for (size_t axis = 0; axis < core.dims.size() && axis < named.size(); ++axis) {
      if (named[axis].empty()) continue;
      bind(named[axis], extent_of(core.dims[axis]), Place{infos[i].name, core.dims.size() - 1 - axis});
    }
  }
}

std::vector<std::vector<int64_t>> CoreExtents::result_shapes(const std::vector<int64_t>& loops) const {
  std::vector<std::vector<int64_t>> out;
  for (const CoreShape& shape : layout_.outputs) {
    std::vector<int64_t>& extents = out.emplace_back(loops);
    for (const CoreDim& dim : shape.dims) extents.push_back(extent_of(dim));
    if (extents.size() <= runtime::kMaxBroadcastRank) continue;
    fail(ErrorCode::argument, "{}: a result would have {} axes; arrays have at most {}", call_.function().title,
         extents.size(), runtime::kMaxBroadcastRank);
  }
  return out;
}

/// "'A' is (2, 3, 4) for (m,n), 'B' is (5, 6) for (n,p)".
std::string CoreExtents::shapes_text() const {
  std::string out;
  for (size_t i = 0; i < layout_.inputs.size(); ++i) {
    const Array* array = std::get_if<Array>(&call_.inputs()[i].value());
    if (array == nullptr) continue;
    out += fmt::format("{}'{}' is {} for {}", out.empty() ? "" : ", ", call_.function().group->params[i],
                       tuple_text(array->shape()), to_string(layout_.inputs[i]));
  }
  return out;
}

}  // namespace jitc::engine
