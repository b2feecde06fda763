#include "tests/random_arrays/device_arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>

#include "runtime/common/make_array.hpp"

namespace jitc::random_arrays {

namespace {

bool is_nan(DType dtype, Bits bits) {
  return is_float(dtype) && reference::compare(kernel::CompareOp::kNe, dtype, bits, bits);
}

bool same(DType dtype, const Number& a, const Number& b) {
  const DType part = part_type(dtype);
  const auto same_part = [&](Bits x, Bits y) { return x == y || (is_nan(part, x) && is_nan(part, y)); };
  return same_part(a.real, b.real) && (!is_complex(dtype) || same_part(a.imag, b.imag));
}

std::optional<std::string> first_difference(DType dtype, const std::vector<Number>& wants,
                                            const std::vector<Number>& gots) {
  size_t count = 0, first = 0;
  for (size_t k = 0; k < wants.size(); ++k) {
    if (same(dtype, wants[k], gots[k])) continue;
    if (count++ == 0) first = k;
  }
  if (count == 0) return std::nullopt;
  return fmt::format("{} of {} elements differ; the first is number {}: {} instead of {}", count, wants.size(), first,
                     text_of(dtype, gots[first]), text_of(dtype, wants[first]));
}

std::vector<Number> downloaded(const Array& array) {
  std::vector<std::byte> bytes(static_cast<size_t>(array.size_bytes()));
  array.copy_to_host(bytes.data(), bytes.size());
  return numbers_of(array.dtype(), bytes);
}

}  // namespace

DeviceArguments::DeviceArguments(const Program& program, const std::vector<Memory>& memories,
                                 const std::shared_ptr<runtime::Backend>& backend)
    : program_(program), queue_(backend->default_queue()) {
  for (size_t k = 0; k < memories.size(); ++k) {
    const Parameter& p = program.params[k];
    const auto count = static_cast<int64_t>(memories[k].bytes.size() / size_bytes(p.dtype));
    const Array whole = runtime::make_array(backend, {count}, p.dtype, queue_);
    wholes_.push_back(whole);
    if (p.is_array) {
      whole.copy_from_host(memories[k].bytes.data(), memories[k].bytes.size());
      args_.emplace_back(Array(whole.buffer(), p.dtype, p.shape, memories[k].strides_bytes, memories[k].offset_bytes));
    } else {
      const Number n = numbers_of(p.dtype, memories[k].bytes).at(0);
      args_.emplace_back(Scalar{p.dtype, n.real, n.imag});
    }
  }
}

std::optional<std::string> DeviceArguments::compare_with(const Expected& expected,
                                                         const std::vector<Array>& results) const {
  if (results.size() != expected.results.size()) return "another number of results";
  for (size_t k = 0; k < results.size(); ++k) {
    const Dense& want = expected.results[k];
    if (results[k].dtype() != want.dtype || results[k].shape() != want.shape) {
      return fmt::format("result {} is {} ({}) instead of {} ({})", k, name(results[k].dtype()),
                         fmt::join(results[k].shape(), ", "), name(want.dtype), fmt::join(want.shape, ", "));
    }
    if (const auto found = first_difference(want.dtype, elements_of(want), downloaded(results[k])))
      return fmt::format("result {}: {}", k, *found);
  }
  for (size_t k = 0; k < wholes_.size(); ++k) {
    if (!program_.params[k].is_array) continue;
    const DType dtype = program_.params[k].dtype;
    if (const auto found = first_difference(dtype, *expected.args[k].numbers, downloaded(wholes_[k])))
      return fmt::format("memory of argument '{}': {}", program_.params[k].name, *found);
  }
  return std::nullopt;
}

}  // namespace jitc::random_arrays
