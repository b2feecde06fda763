#include "tests/unit/contract/contraction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "src/kernel/kernel.hpp"
#include "src/source/source_file.hpp"
#include "tests/unit/contract/functions.hpp"

namespace jitc::contract {

using kernel::ContractForm;
using kernel::KernelOperand;
using kernel::Neighbours;
using kernel::Walk;
using Machine = ContractForm::Machine;

namespace {

template <class T>
void fill(Bytes& bytes, std::mt19937& random, T (*draw)(std::mt19937&)) {
  for (size_t i = 0; i + sizeof(T) <= bytes.size(); i += sizeof(T)) {
    const T value = draw(random);
    std::memcpy(bytes.data() + i, &value, sizeof value);
  }
}

/// Numbers of which sums round, and every fourth is exact.
template <class T>
T real(std::mt19937& random) {
  const unsigned bits = random();
  if (bits % 4 == 0) return static_cast<T>(static_cast<int>(bits >> 8 & 7) - 3);
  return static_cast<T>(std::ldexp(static_cast<double>(bits), -31) - 1.0);
}

void fill(Bytes& bytes, DType dtype, unsigned seed) {
  std::mt19937 random(seed);
  switch (part_type(dtype)) {
    case DType::f4: return fill<float>(bytes, random, real<float>);
    case DType::f8: return fill<double>(bytes, random, real<double>);
    case DType::f2: return fill<uint16_t>(bytes, random, [](auto& r) { return static_cast<uint16_t>(r() % 0x3c00); });
    case DType::bf16:
      return fill<uint16_t>(bytes, random, [](auto& r) { return static_cast<uint16_t>(0x3e00 + r() % 0x200); });
    case DType::b1: return fill<uint8_t>(bytes, random, [](auto& r) { return static_cast<uint8_t>(r() % 8 == 0); });
    default: return fill<uint8_t>(bytes, random, [](auto& r) { return static_cast<uint8_t>(r()); });
  }
}

Lie lie_of(const std::vector<Lie>& lies, size_t i) { return lies.empty() ? Lie::c : lies.at(i); }

/// Places of an array whose elements all lie in its own memory, which begins at 0.
CallArgument place(Lie lie, int64_t size, Sizes sizes, int64_t rows, int64_t columns) {
  CallArgument out{.extents = {sizes.batch, rows, columns}};
  const int64_t matrix = std::max<int64_t>(rows * columns, 1) * size;
  out.strides = {matrix, columns * size, size};
  switch (lie) {
    case Lie::c: break;
    case Lie::fortran: out.strides = {matrix, size, rows * size}; break;
    case Lie::gaps: out.strides = {matrix * 6, columns * size * 6, size * 3}; break;
    case Lie::backwards:
      out.strides = {matrix, -columns * size, -size};
      out.first_bytes = matrix - size;
      break;
    case Lie::row: out.strides[1] = 0; break;
    case Lie::column: out.strides[2] = 0; break;
    case Lie::shared: out.strides[0] = 0; break;
  }
  return out;
}

}  // namespace

Trial::Trial(const Contraction& contraction) : contraction_(contraction) {
  const Sizes& s = contraction_.sizes;
  const kernel::ContractKernel& kernel = contraction_.kernel;
  a_ = add_operands(kernel.a.operands, contraction_.a, s.m, s.k, 1);
  b_ = add_operands(kernel.b.operands, contraction_.b, s.k, s.n, 10);
  epilogue_ = add_operands(kernel.epilogue_operands, contraction_.epilogue, s.m, s.n, 20);
  for (size_t i = 0; i < kernel.outputs.size(); ++i) {
    outputs_.push_back(add_array(kernel.outputs[i], lie_of(contraction_.outputs, i), s.m, s.n, 30));
  }
  for (std::vector<TestArray>* list : {&a_, &b_, &epilogue_, &outputs_}) {
    for (TestArray& array : *list) {
      if (array.place.buffer >= 0) array.data = buffers_[static_cast<size_t>(array.place.buffer)].data();
    }
  }
}

std::vector<TestArray> Trial::add_operands(const std::vector<KernelOperand>& operands, const std::vector<Lie>& lies,
                                           int64_t rows, int64_t columns, unsigned seed) {
  std::vector<TestArray> out;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].kind == KernelOperand::Kind::array) {
      out.push_back(add_array(operands[i].dtype, lie_of(lies, i), rows, columns, seed + static_cast<unsigned>(i)));
      continue;
    }
    // The index counts elements in C order, from 5; the scalar is 3.
    TestArray array{.dtype = operands[i].dtype};
    array.place.strides = {rows * columns, columns, 1};
    const double number = 3;
    const float narrow = 3;
    array.place.bits[0] = 5;
    if (operands[i].dtype == DType::f8) std::memcpy(array.place.bits.data(), &number, sizeof number);
    if (operands[i].dtype == DType::f4) {
      array.place.bits[0] = 0;
      std::memcpy(array.place.bits.data(), &narrow, sizeof narrow);
    }
    out.push_back(std::move(array));
  }
  return out;
}

TestArray Trial::add_array(DType dtype, Lie lie, int64_t rows, int64_t columns, unsigned seed) {
  const auto size = static_cast<int64_t>(size_bytes(dtype));
  TestArray out{.dtype = dtype, .place = place(lie, size, contraction_.sizes, rows, columns)};
  out.place.buffer = static_cast<int>(buffers_.size());
  const int64_t elems = std::max<int64_t>(contraction_.sizes.batch * rows * columns, 1);
  Bytes& bytes = buffers_.emplace_back(static_cast<size_t>(elems * size * (lie == Lie::gaps ? 6 : 1)));
  fill(bytes, dtype, seed);
  return out;
}

ContractForm Trial::form(Machine machine) const {
  ContractForm out{.machine = machine, .batch_rank = 1};
  const auto neighbours = [](const TestArray& array) {
    const auto size = static_cast<int64_t>(size_bytes(array.dtype));
    if (array.place.strides[2] == size) return Neighbours::second;
    return array.place.strides[1] == size ? Neighbours::first : Neighbours::none;
  };
  const auto walk = [](const TestArray& array) {
    return array.place.strides[2] == static_cast<int64_t>(size_bytes(array.dtype)) ? Walk::next : Walk::strided;
  };
  for (const TestArray& array : a_) out.a.push_back(neighbours(array));
  for (const TestArray& array : b_) out.b.push_back(neighbours(array));
  for (const TestArray& array : epilogue_) out.epilogue.push_back(walk(array));
  for (const TestArray& array : outputs_) out.outputs.push_back(walk(array));
  out.tile = machine == Machine::host ? contraction_.host : contraction_.device;
  return out;
}

kernel::KernelProgram Trial::program(Machine machine) const {
  kernel::KernelProgram made =
      kernel::lower_contract(functions().file, *functions().module.types, contraction_.kernel, form(machine), {});
  const std::vector<std::string> faults = kernel::verify(made);
  if (!faults.empty()) throw std::logic_error(faults.front());
  return made;
}

KernelCall Trial::call(Machine machine) const {
  KernelCall out{.buffers = buffers_};
  const auto add = [&](const std::vector<TestArray>& arrays, const std::vector<KernelOperand>& operands) {
    for (size_t i = 0; i < arrays.size(); ++i) {
      const bool is_index = !operands.empty() && operands[i].kind == KernelOperand::Kind::index;
      if (is_index) out.arguments.push_back({.bits = arrays[i].place.bits});
      out.arguments.push_back(arrays[i].place);
    }
  };
  const auto add_number = [&](int64_t value) { out.arguments.push_back({.bits = {static_cast<uint64_t>(value), 0}}); };
  const kernel::ContractKernel& kernel = contraction_.kernel;
  add(a_, kernel.a.operands);
  add(b_, kernel.b.operands);
  add(epilogue_, kernel.epilogue_operands);
  add(outputs_, {});
  const Sizes& s = contraction_.sizes;
  add_number(s.k);
  const kernel::ContractTile& tile = machine == Machine::host ? contraction_.host : contraction_.device;
  if (machine == Machine::host) {
    add_number(tile.block_m);
    add_number(tile.block_n);
  } else {
    out.block[0] = static_cast<uint32_t>(tile.block_m / tile.thread_m * (tile.block_n / tile.thread_n));
  }
  const auto tiles = [](int64_t extent, int64_t unit) { return (extent + unit - 1) / unit; };
  out.grid[0] = static_cast<uint32_t>(s.batch * tiles(s.m, tile.block_m) * tiles(s.n, tile.block_n));
  return out;
}

std::string Trial::difference(const std::function<Bytes(size_t, int64_t, int64_t, int64_t)>& expected) const {
  std::vector<Bytes> wanted = buffers_;
  const Sizes& s = contraction_.sizes;
  for (size_t i = 0; i < outputs_.size(); ++i) {
    const CallArgument& place = outputs_[i].place;
    for (int64_t batch = 0; batch < s.batch; ++batch) {
      for (int64_t m = 0; m < s.m; ++m) {
        for (int64_t n = 0; n < s.n; ++n) {
          const Bytes value = expected(i, batch, m, n);
          const int64_t at = place.first_bytes + batch * place.strides[0] + m * place.strides[1] + n * place.strides[2];
          std::ranges::copy(value, wanted[static_cast<size_t>(place.buffer)].begin() + at);
        }
      }
    }
  }
  return compare_all(wanted);
}

std::string Trial::difference_from_cpu() const {
  return compare_all(run_cpu(program(Machine::host), call(Machine::host)));
}

std::string Trial::compare_all(const std::vector<Bytes>& expected) const {
  if (call(Machine::host).grid[0] == 0) return {};
  using Run = std::vector<Bytes> (*)(const kernel::KernelProgram&, KernelCall);
  struct Way {
    const char* name;
    Machine machine;
    Run run;
  };
  const Way ways[] = {
      {"the host's kernel, interpreted", Machine::host, run_reference},
      {"the host's kernel", Machine::host, run_cpu},
      {"the device's kernel, interpreted", Machine::device, run_reference},
      {"the device's kernel on the host", Machine::device, run_cpu},
#ifdef JITC_CUDAEMU
      {"the device's kernel", Machine::device, run_emulated},
#endif
  };
  for (const Way& way : ways) {
    const std::string found = first_difference(way.name, expected, way.run(program(way.machine), call(way.machine)));
    if (!found.empty()) return found;
  }
  return {};
}

std::string Trial::first_difference(const std::string& way, const std::vector<Bytes>& expected,
                                    const std::vector<Bytes>& actual) const {
  for (size_t i = 0; i < expected.size(); ++i) {
    for (size_t at = 0; at < expected[i].size(); ++at) {
      if (expected[i][at] != actual[i][at]) return fmt::format("{}: buffer {} differs at byte {}", way, i, at);
    }
  }
  return {};
}

Contraction product_of(DType a, DType b, DType sum, DType out, Sizes sizes) {
  Contraction made;
  made.kernel.name = "product";
  made.kernel.dtype = sum;
  made.kernel.a.operands = {{"a", a}};
  made.kernel.b.operands = {{"b", b}};
  made.kernel.outputs = {out};
  made.sizes = sizes;
  return made;
}

}  // namespace jitc::contract
