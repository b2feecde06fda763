#include "tests/unit/math_bits/arguments.hpp"

#include <cstring>

#include "tests/unit/math/mpfr_reference.hpp"
#include "tests/unit/math/sample_points.hpp"

namespace jitc::math_bits {

namespace {

using math_test::Random;

/// Of one side of a pair: nan, zeros and infinities stand first.
template <class T>
std::vector<T> some_special_points() {
  constexpr size_t kAlways = 16, kPairs = 120;
  const std::vector<T> all = math_test::special_points<T>();
  std::vector<T> some(all.begin(), all.begin() + kAlways);
  for (size_t i = kAlways; i < all.size(); i += all.size() / kPairs + 1) some.push_back(all[i]);
  return some;
}

const std::vector<math_test::Interval>& dense_of(const std::string& name) {
  static const std::vector<math_test::Interval> kOthers = {{-2, 2}, {-20, 20}, {-1e6, 1e6}};
  const math_test::Reference* reference = math_test::find_reference(name);
  return reference == nullptr ? kOthers : reference->dense;
}

template <class T>
void append(Bytes& bytes, T value) {
  const auto* first = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof(T));
}

/// Where a parameter is an integer: small ones, and now and then any.
int64_t integer(Random& random) {
  const uint64_t bits = random.bits();
  return bits % 8 == 0 ? static_cast<int64_t>(random.bits()) : static_cast<int64_t>(bits >> 8) % 60;
}

void append_integer(Bytes& bytes, DType type, int64_t value) {
  if (type == DType::i4) return append(bytes, static_cast<int32_t>(value));
  append(bytes, value);
}

template <class T>
void add_special(Calls& calls, Random& random) {
  const size_t arity = calls.arguments.size();
  const std::vector<T> points = arity == 1 ? math_test::special_points<T>() : some_special_points<T>();
  for (const T x : points) {
    for (size_t k = 0; k < (arity == 1 ? 1 : points.size()); ++k) {
      append(calls.arguments[0], x);
      for (size_t i = 1; i < arity; ++i) {
        const T y = i == 1 ? points[k] : points[random.bits() % points.size()];
        is_float(calls.argument_type(i)) ? append(calls.arguments[i], y)
                                         : append_integer(calls.arguments[i], calls.argument_type(i), integer(random));
      }
      ++calls.count;
    }
  }
}

template <class T>
void add_random(Calls& calls, Random& random, size_t count) {
  for (size_t i = 0; i < calls.arguments.size(); ++i) {
    if (!is_float(calls.argument_type(i))) {
      for (size_t k = 0; k < count; ++k) append_integer(calls.arguments[i], calls.argument_type(i), integer(random));
      continue;
    }
    for (const T x : math_test::random_points<T>(random, static_cast<int>(count), dense_of(calls.name))) {
      append(calls.arguments[i], x);
    }
  }
  calls.count += count;
}

template <class T>
void fill(Calls& calls, size_t random_count) {
  Random random(0x62697473);
  add_special<T>(calls, random);
  add_random<T>(calls, random, random_count);
}

template <class Change>
Calls with_arguments(const Calls& calls, size_t count, const Change& change) {
  Calls out = calls;
  out.count = count;
  for (size_t i = 0; i < calls.arguments.size(); ++i) {
    out.arguments[i] = change(calls.arguments[i], size_bytes(calls.argument_type(i)));
  }
  return out;
}

size_t stride_for(size_t elems, size_t count) { return (elems + count - 1) / count; }

}  // namespace

Calls calls_of(kernel::MathFn fn, const std::string& name, int arity, DType type, size_t random_count) {
  Calls calls{fn, name, type, 0, std::vector<Bytes>(static_cast<size_t>(arity))};
  type == DType::f4 ? fill<float>(calls, random_count) : fill<double>(calls, random_count);
  return calls;
}

Calls reordered(const Calls& calls, size_t step) {
  return with_arguments(calls, calls.count,
                        [&](const Bytes& elems, size_t bytes) { return reordered(elems, bytes, step); });
}

Bytes reordered(const Bytes& elems, size_t elem_bytes, size_t step) {
  const size_t count = elems.size() / elem_bytes;
  Bytes out(elems.size());
  for (size_t i = 0, from = 0; i < count; ++i, from = (from + step) % count) {
    std::memcpy(out.data() + i * elem_bytes, elems.data() + from * elem_bytes, elem_bytes);
  }
  return out;
}

Calls thinned(const Calls& calls, size_t count) {
  const size_t stride = stride_for(calls.count, count);
  return with_arguments(calls, (calls.count + stride - 1) / stride,
                        [&](const Bytes& elems, size_t bytes) { return thinned(elems, bytes, count); });
}

Bytes thinned(const Bytes& elems, size_t elem_bytes, size_t count) {
  const size_t all = elems.size() / elem_bytes;
  Bytes out;
  for (size_t i = 0; i < all; i += stride_for(all, count)) {
    out.insert(out.end(), elems.begin() + static_cast<std::ptrdiff_t>(i * elem_bytes),
               elems.begin() + static_cast<std::ptrdiff_t>((i + 1) * elem_bytes));
  }
  return out;
}

}  // namespace jitc::math_bits
