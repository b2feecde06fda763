// Whole arrays in the plain evaluator: maps, views, new arrays.
#include <algorithm>

#include "src/base/check.hpp"
#include "src/base/match.hpp"
#include "tests/random_arrays/evaluator.hpp"

namespace jitc::random_arrays {

const Dense& Evaluator::array(ExprId id) {
  Value v = value(id);
  if (v.array == nullptr) {
    Dense one = new_dense(dtype(id), {});
    one.numbers->at(0) = v.number;
    v = Value::of(std::move(one));
  }
  kept_.push_back(std::move(v));
  return *kept_.back().array;
}

Shape Evaluator::shape_of(const std::vector<ExprId>& extents) {
  Shape out;
  for (const ExprId e : extents) out.push_back(integer(e));
  return out;
}

Value Evaluator::array_value(const sema::Expr& e) {
  const auto number_or_array = [&](Dense dense) {
    if (is_array(e.type)) return Value::of(std::move(dense));
    return Value{dense.at({}), nullptr, {}};
  };
  return base::match(
      e.kind, [&](const sema::MapExpr& x) { return map(x, e.type); },
      [&](const sema::FillExpr& x) {
        Dense out = new_dense(dtype_of(e.type), shape_of(x.shape));
        if (x.value.valid()) std::fill(out.numbers->begin(), out.numbers->end(), value(x.value).number);
        return Value::of(std::move(out));
      },
      [&](const sema::IotaExpr& x) {
        Dense out = new_dense(DType::i8, {integer(x.count)});
        for (size_t k = 0; k < out.numbers->size(); ++k) (*out.numbers)[k].real = k;
        return Value::of(std::move(out));
      },
      [&](const sema::PermuteExpr& x) {
        const Dense& from = array(x.array);
        Dense out = from;
        for (size_t k = 0; k < x.axes.size(); ++k) {
          out.shape[k] = from.shape[x.axes[k]];
          out.strides[k] = from.strides[x.axes[k]];
        }
        return Value::of(std::move(out));
      },
      [&](const sema::TransposeExpr& x) {
        Dense out = array(x.array);
        std::reverse(out.shape.begin(), out.shape.end());
        std::reverse(out.strides.begin(), out.strides.end());
        return Value::of(std::move(out));
      },
      [&](const sema::BroadcastExpr& x) {
        Dense out = array(x.array);
        const Shape wanted = shape_of(x.shape);
        if (broadcast_shapes(out.shape, wanted) != wanted) throw CallFailure("it does not broadcast to this shape");
        while (out.shape.size() < wanted.size()) {
          out.shape.insert(out.shape.begin(), 1);
          out.strides.insert(out.strides.begin(), 0);
        }
        for (size_t k = 0; k < wanted.size(); ++k) {
          if (out.shape[k] == 1) out.strides[k] = 0;
        }
        out.shape = wanted;
        return Value::of(std::move(out));
      },
      [&](const sema::ReshapeExpr& x) { return Value::of(reshape(x)); },
      [&](const sema::SqueezeExpr& x) {
        Dense out = array(x.array);
        if (out.shape.at(x.axis) != 1) throw CallFailure("an axis that cannot go");
        out.shape.erase(out.shape.begin() + x.axis);
        out.strides.erase(out.strides.begin() + x.axis);
        return number_or_array(std::move(out));
      },
      [&](const sema::DiagonalExpr& x) {
        Dense out = array(x.array);
        const size_t last = out.shape.size() - 1;
        out.shape[last - 1] = std::min(out.shape[last - 1], out.shape[last]);
        out.strides[last - 1] += out.strides[last];
        out.shape.pop_back();
        out.strides.pop_back();
        return Value::of(std::move(out));
      },
      // Those of generated programs are maps: nothing is stored through them, nor seen in them.
      [&](const sema::PartViewExpr& x) {
        const Dense& from = array(x.array);
        Dense out = new_dense(part_type(from.dtype), from.shape);
        for_each_index(out.shape, [&](const Shape& index) {
          const auto number = from.at(index);
          out.at(index).real = x.imag ? number.imag : number.real;
        });
        return Value::of(std::move(out));
      },
      [&](const sema::JoinExpr& x) { return Value::of(join(x)); },
      [&](const sema::CopyExpr& x) {
        const Dense& from = array(x.array);
        Dense out = new_dense(from.dtype, from.shape);
        for_each_index(out.shape, [&](const Shape& index) { out.at(index) = from.at(index); });
        return Value::of(std::move(out));
      },
      [&](const sema::FoldExpr& x) {
        if (x.is_product) check_product(x);
        return number_or_array(fold(x, array(x.array), mistake_));
      },
      [&](const sema::ContractExpr& x) { return number_or_array(contract(x, array(x.a), array(x.b))); },
      [&](const sema::ViewExpr& x) { return number_or_array(view(x)); },
      // Another layout of the same array.
      [&](const sema::ConvertExpr& x) { return value(x.operand); },
      [&](const auto&) -> Value { throw std::logic_error("an expression that the evaluator does not know"); });
}

/// The arrays that are multiplied have one extent along the axes that are summed.
void Evaluator::check_product(const sema::FoldExpr& e) {
  const Shape whole = array(e.array).shape;
  std::vector<Shape> shapes;
  for (ExprId id = e.array; shapes.size() < 2;) {  // a cast between both has one array
    const auto* map = std::get_if<sema::MapExpr>(&expr(id).kind);
    if (map == nullptr) return;
    shapes.clear();
    for (const ExprId arg : map->args) {
      const Value v = value(arg);
      if (v.array == nullptr) continue;
      shapes.push_back(v.array->shape);
      id = arg;
    }
    if (shapes.empty()) return;
  }
  for (const Shape& shape : shapes) {
    for (size_t k = 1; k <= shape.size(); ++k) {
      const size_t axis = whole.size() - k;
      if (e.folded[axis] && shape[shape.size() - k] != whole[axis]) throw CallFailure("no shapes of a product");
    }
  }
}

Value Evaluator::map(const sema::MapExpr& e, sema::TypeId type) {
  std::vector<Value> args;
  Shape shape;
  bool any = false;
  for (const ExprId id : e.args) {
    args.push_back(value(id));
    if (args.back().array == nullptr) continue;
    any = true;
    shape = broadcast_shapes(shape, args.back().array->shape);
  }
  if (!any) return call(*e.function, std::move(args));
  std::vector<sema::TypeId> types{type};
  const types::TupleType* tuple = types_.as_tuple(type);
  if (tuple != nullptr) types = tuple->elements;
  std::vector<Dense> results;
  for (const sema::TypeId t : types) results.push_back(new_dense(dtype_of(t), shape));
  for_each_index(shape, [&](const Shape& index) {
    std::vector<Value> elements;
    for (const Value& arg : args) {
      elements.push_back(arg.array == nullptr ? arg : Value{broadcast_element(*arg.array, index), nullptr, {}});
    }
    const Value got = call(*e.function, std::move(elements));
    if (tuple == nullptr) results[0].at(index) = got.number;
    for (size_t k = 0; k < got.items.size(); ++k) results[k].at(index) = got.items[k].number;
  });
  if (tuple == nullptr) return Value::of(std::move(results[0]));
  Value out;
  for (Dense& r : results) out.items.push_back(Value::of(std::move(r)));
  return out;
}

namespace {

int64_t checked_index(int64_t index, int64_t extent) {
  if (index < 0) index += extent;
  if (index < 0 || index >= extent) throw CallFailure("an index outside of an axis");
  return index;
}

}  // namespace

/// Python's rules of slices: the places are listed, one by one.
Dense Evaluator::view(const sema::ViewExpr& e) {
  const Dense& from = array(e.array);
  Dense out{from.dtype, from.numbers, {}, {}, from.offset};
  size_t axis = 0;
  for (const sema::AxisSelection& s : e.axes) {
    if (s.is_new) {
      out.shape.push_back(1);
      out.strides.push_back(0);
      continue;
    }
    const int64_t extent = from.shape.at(axis), stride = from.strides[axis];
    ++axis;
    if (!s.is_slice) {
      out.offset += checked_index(integer(s.index), extent) * stride;
      continue;
    }
    const int64_t step = s.step.valid() ? integer(s.step) : 1;
    if (step == 0) throw CallFailure("a step of 0");
    const auto bound = [&](ExprId id, int64_t absent) {
      if (!id.valid()) return absent;
      const int64_t given = integer(id), place = given < 0 ? given + extent : given;
      return step > 0 ? std::clamp<int64_t>(place, 0, extent) : std::clamp<int64_t>(place, -1, extent - 1);
    };
    const int64_t first = bound(s.lower, step > 0 ? 0 : extent - 1), end = bound(s.upper, step > 0 ? extent : -1);
    int64_t count = 0;
    for (int64_t at = first; step > 0 ? at < end : at > end; at += step) ++count;
    if (count > 0) out.offset += first * stride;
    out.shape.push_back(count);
    out.strides.push_back(stride * step);
  }
  return out;
}

/// Seen in the other shape where strides allow it, so that stores go through; else a copy.
Dense Evaluator::reshape(const sema::ReshapeExpr& e) {
  const Dense& from = array(e.array);
  Shape wanted = shape_of(e.shape);
  int64_t known = 1;
  for (const int64_t extent : wanted) known *= extent == -1 ? 1 : extent;
  for (int64_t& extent : wanted) {
    if (extent == -1 && known != 0) extent = from.count() / known;
  }
  Dense out = new_dense(from.dtype, wanted);
  if (out.count() != from.count()) throw CallFailure("a shape of another number of elements");
  if (out.count() == 0) return out;
  // The place of each element of the old shape, and what one step along each new axis adds to it.
  std::vector<int64_t> places;
  for_each_index(from.shape, [&](const Shape& index) {
    int64_t place = from.offset;
    for (size_t k = 0; k < index.size(); ++k) place += index[k] * from.strides[k];
    places.push_back(place);
  });
  Dense seen{from.dtype, from.numbers, wanted, Shape(wanted.size(), 0), from.offset};
  for (size_t k = 0; k < wanted.size(); ++k) {
    if (wanted[k] > 1) seen.strides[k] = places.at(static_cast<size_t>(out.strides[k])) - from.offset;
  }
  bool fits = true;
  size_t next = 0;
  for_each_index(wanted, [&](const Shape& index) {
    int64_t place = seen.offset;
    for (size_t k = 0; k < index.size(); ++k) place += index[k] * seen.strides[k];
    fits = fits && place == places[next];
    (*out.numbers)[next] = from.numbers->at(static_cast<size_t>(places[next]));
    ++next;
  });
  return fits ? seen : out;
}

Dense Evaluator::join(const sema::JoinExpr& e) {
  std::vector<const Value*> parts;
  std::vector<Value> values;
  for (const ExprId id : e.arrays) values.push_back(value(id));
  Shape shape = values.at(0).array->shape;
  shape[e.axis] = 0;
  for (const Value& v : values) {
    Shape own = v.array->shape;
    shape[e.axis] += std::exchange(own[e.axis], shape[e.axis]);
    own[e.axis] = shape[e.axis];
    if (own != shape) throw CallFailure("arrays that cannot be joined");
  }
  Dense out = new_dense(values[0].array->dtype, shape);
  int64_t begin = 0;
  for (const Value& v : values) {
    for_each_index(v.array->shape, [&](Shape index) {
      const Number number = v.array->at(index);
      index[e.axis] += begin;
      out.at(index) = number;
    });
    begin += v.array->shape[e.axis];
  }
  return out;
}

Dense Evaluator::element_place(const sema::ElementExpr& e) {
  const Dense& from = array(e.array);
  Dense out{from.dtype, from.numbers, {}, {}, from.offset};
  for (size_t k = 0; k < e.indices.size(); ++k) {
    out.offset += checked_index(integer(e.indices[k]), from.shape[k]) * from.strides[k];
  }
  return out;
}

}  // namespace jitc::random_arrays
