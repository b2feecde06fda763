// Results of two axes, the lanes along one and lines along the other, of which what is read knows only one each:
//
//     d[i, j] = sum over k of (a[i, k] - b[j, k]) ** 2
//
// A thread of a host has 32 lanes j and some of the lines i. What differs from lane to lane is the same for all lines,
// so that it is packed once, lanes as neighbours, and then read for every line as vectors. Rows are one leaf at most.
//
//     for e: for w: packed[e][w] = b[j + w, e]
//     for i in lines: for e: for w: columns[e % 32][w] = f(columns[e % 32][w], element(a[i, e], packed[e][w])) …
#include "src/kernel/host_side_rows.hpp"

namespace jitc::kernel {

namespace {

class PackedSideRows : public HostSideRows {
 public:
  using HostSideRows::HostSideRows;

  /// Blocks of threads, of one thread each: x is lanes, y lines, z what is along the other axes.
  void run() override {
    JITC_CHECK(form_.outer_rank > 1, "packed rows have lanes and lines");
    const uint32_t lanes_axis = form_.outer_rank - 1U;
    const ExprId lines = extent(lanes_axis - 1);
    const ExprId parts = b_.thread(ThreadValue::kGridDim, 1), part = b_.thread(ThreadValue::kBlockIdx, 1);
    const ExprId lines_each = pin(quotient(add(lines, sub(parts, number(1))), parts));
    const ExprId before = mul(b_.thread(ThreadValue::kBlockIdx, 2), lines);
    const ExprId first = pin(add(before, mul(part, lines_each)));
    const ExprId end = pin(min(add(first, lines_each), add(before, lines)));
    const ExprId x = b_.thread(ThreadValue::kBlockIdx);
    first_lane_ = int_local("begin", mul(x, number(form_.count)));
    const ExprId rest = pin(sub(extent(lanes_axis), b_.local(first_lane_)));
    b_.if_then(binary(BinaryOp::kAnd, less(first, end), less(number(0), rest)), [&] {
      find_block(number(0));
      run_lanes(rest, [&] {
        find_row(first, lanes_axis, number(0));
        pack();
        count_loop("line", first, end, 1, [&](ExprId line) {
          find_row(line, lanes_axis, number(0));
          run_stages();
        });
      });
    });
  }

 private:
  void walk(uint32_t s) override {
    if (stage(s).folds.empty()) return HostSideRows::walk(s);
    make_accumulators(s);
    fold_leaf(s, number(0));
  }

  bool is_packed(uint32_t operand) const {
    const Walk walk = operand_array(operand).walk;
    return !operand_is_of_row(operand) && (walk == Walk::next || walk == Walk::strided) &&
           kernel_.operands[operand].kind == KernelOperand::Kind::array;
  }

  void pack() {
    for (uint32_t k = 0; k < kernel_.operands.size(); ++k) {
      if (!is_packed(k)) continue;
      const DType dtype = kernel_.operands[k].dtype;
      const auto [found, is_new] = packed_.try_emplace(k, 0);
      if (is_new) {
        const uint64_t count = static_cast<uint64_t>(kRowLeaf) * form_.count;
        found->second = add_memory("packed", dtype, count, MemorySpace::kShared);
      }
      count_loop("e", number(0), b_.local(count_), 1, [&](ExprId e) {
        lanes([&](ExprId, const std::vector<ExprId>& lane) {
          const RowPlace place = element_place({b_.local(first_), e}, lane);
          store(packed_at(k, place), pin(HostSideRows::read_element(k, place)));
        });
      });
    }
  }

  Value read_element(uint32_t operand, const RowPlace& place) override {
    if (!is_packed(operand)) return HostSideRows::read_element(operand, place);
    return load(packed_at(operand, place), kernel_.operands[operand].dtype);
  }

  /// first_ is 0, and the first term of a lane is that of all lanes of the thread.
  MemRef packed_at(uint32_t operand, const RowPlace& place) {
    const auto bytes = static_cast<int64_t>(size_bytes(kernel_.operands[operand].dtype));
    MemRef out{b_.memory_base(packed_.at(operand)), {{place.lane.back(), number(bytes)}}};
    for (size_t k = 1; k < place.element.size(); ++k) {
      out.terms.push_back({place.element[k], number(bytes * form_.count)});
    }
    return out;
  }

  std::map<uint32_t, uint32_t> packed_;  ///< memory, by operand
};

}  // namespace

std::unique_ptr<RowLowering> make_packed_rows(Lowerer& lowerer, const RowKernel& kernel, const RowsForm& form) {
  return std::make_unique<PackedSideRows>(lowerer, kernel, form);
}

}  // namespace jitc::kernel
