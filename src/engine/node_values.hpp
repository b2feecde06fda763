// What the nodes of an array program are while a call runs.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "jitc/array.hpp"
#include "jitc/program.hpp"
#include "src/source/source_file.hpp"

namespace jitc::engine {

struct JoinedPart;

/// A scalar of the host, an array, an index: a number of i8 that grows by a step along each axis; or arrays and scalars
/// side by side, whose elements are read where they are.
struct NodeValue {
  enum class Kind : uint8_t { none, scalar, array, index, joined };
  Kind kind = Kind::none;
  Scalar scalar;
  Array array;
  int64_t first = 0;                                     ///< index: at element (0, 0, …)
  std::vector<int64_t> extents, steps;                   ///< index; joined has extents
  std::shared_ptr<const std::vector<JoinedPart>> parts;  ///< joined: each element of the extents lies in one of them

  static NodeValue of(const Scalar& value) { return {Kind::scalar, value, {}, 0, {}, {}}; }
  static NodeValue joined(std::vector<int64_t> shape, std::vector<JoinedPart> parts);
  static NodeValue of(Array value) { return {Kind::array, {}, std::move(value), 0, {}, {}}; }

  const std::vector<int64_t>& shape() const { return kind == Kind::array ? array.shape() : extents; }
  /// Bytes of an array, steps of an index.
  const std::vector<int64_t>& strides() const { return kind == Kind::array ? array.strides() : steps; }
  int64_t as_int() const { return static_cast<int64_t>(scalar.bits); }

  /// The same memory, or the same numbers, seen along other axes; `offset` is how far its first element lies from this
  /// one's, in the unit of strides.
  NodeValue with(std::vector<int64_t> shape, std::vector<int64_t> strides, int64_t offset) const;
};

/// `value` has the shape of the box from `begin` up to `end` in the whole, which is not empty, or is a scalar.
struct JoinedPart {
  std::vector<int64_t> begin, end;
  NodeValue value;
};

/// How messages about a node begin: "array function 'softmax', line 3". Made into text only where one is written.
struct NodeTitle {
  const std::string& function;
  const source::SourceFile& file;
  source::Span span;

  std::string text() const { return fmt::format("{}, line {}", function, file.position(span.begin).line); }
};

/// Views by NumPy's rules. They throw Error(argument), which begins with `title`.
NodeValue permuted(const NodeValue& base, std::span<const uint32_t> axes);
/// `name` is that of the array of shape `from`, `target` of that of shape `to`, if it is one's.
void check_broadcasts(const NodeTitle& title, std::string_view name, std::span<const int64_t> from,
                      std::string_view target, std::span<const int64_t> to);
NodeValue without_axis(const NodeTitle& title, const NodeValue& base, uint32_t axis);
NodeValue diagonal_of(const NodeValue& base);
/// The real or the imaginary parts of an array of complex numbers.
NodeValue part_of(const NodeValue& base, bool is_imag);

/// A view of a shape that the value's broadcasts to.
NodeValue broadcast_to(const NodeValue& base, std::span<const int64_t> shape);

/// The elements from begin on, `count` of them.
struct Range {
  int64_t begin = 0, count = 0, step = 1;
};
/// lower:upper:step of an axis, absent bounds as null, as Python has it. `step` is not 0.
Range slice_range(int64_t extent, const int64_t* lower, const int64_t* upper, int64_t step);

/// The shape with its one -1 filled in; throws Error(argument) where the number of elements does not fit.
std::vector<int64_t> reshaped(const NodeTitle& title, std::span<const int64_t> from, std::vector<int64_t> shape);
/// The strides under which memory has another shape, if there are any.
bool strides_of_reshape(std::span<const int64_t> shape, std::span<const int64_t> strides,
                        std::span<const int64_t> wanted, std::vector<int64_t>& out);

}  // namespace jitc::engine

template <>
struct fmt::formatter<jitc::engine::NodeTitle> : formatter<std::string> {
  template <class Context>
  auto format(const jitc::engine::NodeTitle& title, Context& context) const {
    return formatter<std::string>::format(title.text(), context);
  }
};
