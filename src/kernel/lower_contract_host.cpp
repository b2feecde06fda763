// A contraction on a host: one thread makes one tile of the outputs. Of each block of k it packs what it needs of both
// factors, converted and with their functions applied, into slivers as the product reads them, and keeps the totals of
// the tile until all blocks are done.
//
//   for each block of k:
//       b.pack[sliver][k][column] = element of b      # thread_n columns: one vector
//       a.pack[sliver][k][row] = element of a         # thread_m rows
//       for each sliver of b, for each sliver of a:   # the one stays in the first cache, the other in the second
//           acc[row][column] = 0                      # vectors in registers
//           for k: for row: acc[row][:] = fma(a.pack[k][row], b.pack[k][:], acc[row][:])
//           total[b sliver][a sliver][row][:] += acc[row][:]
//   for each element of the tile: store the epilogue of its total
//
// Slivers that hang over the edge of the tile repeat its last row or column: what comes of those is never stored.
#include "src/kernel/contract_lowering.hpp"

namespace jitc::kernel {

class HostContractLowering : ContractLowering {
 public:
  HostContractLowering(Lowerer& lowerer, const ContractKernel& kernel, const ContractForm& form)
      : ContractLowering(lowerer, kernel, form), mr_(form.tile.thread_m), nr_(form.tile.thread_n) {}

  void run() {
    b_.program().max_threads_per_block = 1;
    declare();
    const ExprId tile_m = b_.param(b_.scalar_param("tile_m", DType::i8));
    const ExprId tile_n = b_.param(b_.scalar_param("tile_n", DType::i8));
    find_tile(tile_m, tile_n);
    rows_ = l_.pin(min(tile_m, sub(extent_m(), first_m_)));
    columns_ = l_.pin(min(tile_n, sub(extent_n(), first_n_)));
    declare_memory();
    sum_blocks();
    store_tile();
  }

 private:
  void declare_memory() {
    const auto words = [&](uint64_t count) { return count * parts(); };
    const auto max_m = static_cast<uint64_t>(form_.tile.block_m), max_n = static_cast<uint64_t>(form_.tile.block_n);
    a_pack_ = add_memory("a.pack", words(max_m * kContractBlock), MemorySpace::kShared);
    b_pack_ = add_memory("b.pack", words(max_n * kContractBlock), MemorySpace::kShared);
    totals_ = add_memory("totals", words(max_m * max_n), MemorySpace::kShared);
    for (int64_t i = 0; i < mr_ * static_cast<int64_t>(parts()); ++i) {
      acc_.push_back(add_memory("acc" + std::to_string(i), static_cast<uint64_t>(nr_), MemorySpace::kLocal));
    }
  }

  /// The first block is summed even where there is no k at all: then its sums are 0.
  void sum_blocks() {
    const LocalId k0 = int_local("k0", number(0));
    first_k_ = b_.local(k0);
    const LocalId count = int_local("count", number(0));
    count_k_ = b_.local(count);
    const ExprId is_first = b_.compare(CompareOp::kEq, first_k_, number(0));
    b_.loop(
        b_.add_label("blocks"), [&] { return b_.binary(BinaryOp::kOr, less(first_k_, extent_k()), is_first); },
        [&] {
          b_.assign(count, min(number(kContractBlock), sub(extent_k(), first_k_)));
          pack(b_factor_, b_pack_, 1, nr_, columns_);
          pack(a_, a_pack_, 0, mr_, rows_);
          each_micro_tile([&](ExprId row, ExprId column) { multiply(row, column, is_first); });
        },
        [&] { increase(k0, number(kContractBlock)); });
  }

  template <class Body>
  void each_micro_tile(const Body& body) {
    count_up("column", columns_, nr_,
             [&](ExprId column) { count_up("row", rows_, mr_, [&](ExprId row) { body(row, column); }); });
  }

  // --- packing ---

  /// `across`: the place of m or n among the factor's two axes; `extent` of the tile along it. Whole slivers may be
  /// packed several at a time, row after row of the factor, where that reads memory in its order.
  void pack(const Factor& factor, uint32_t memory, uint32_t across, int64_t width, ExprId extent) {
    const LocalId sliver = int_local("sliver", number(0));
    const bool in_order = all_next_along(factor, across) && (across == 1 || factor.source->element == nullptr);
    if (in_order) pack_whole_slivers(factor, memory, across, width, extent, sliver);
    const ExprId first = across == 0 ? first_m_ : first_n_;
    b_.loop(
        b_.add_label("slivers"), [&] { return less(b_.local(sliver), extent); },
        [&] {
          const ExprId base = l_.pin(sliver_base(b_.local(sliver)));
          const ExprId last = l_.pin(sub(sub(extent, b_.local(sliver)), number(1)));
          const auto line = [&](ExprId lane) { return l_.pin(add(add(first, b_.local(sliver)), min(lane, last))); };
          pack_lines(factor, memory, across, base, line, in_order ? 1 : lines_together(factor, width));
        },
        [&] { increase(sliver, number(width)); });
  }

  /// A divisor of `width`: more lines than a cache has ways would drive each other out where they lie a power of two
  /// apart, and copies of a function would only make the code larger.
  static int64_t lines_together(const Factor& factor, int64_t width) {
    if (factor.source->element != nullptr) return 1;
    int64_t out = 7;
    while (width % out != 0) --out;
    return out;
  }
  ExprId sliver_base(ExprId sliver) { return mul(sliver, number(kContractBlock * static_cast<int64_t>(parts()))); }

  bool all_next_along(const Factor& factor, uint32_t across) const {
    for (const Operand& operand : factor.operands) {
      if (operand.kind == KernelOperand::Kind::array && operand.unit_axis != static_cast<int>(across)) return false;
    }
    return true;
  }

  /// Where an operand's element of the factor is: `offset` is that of its line.
  std::vector<AddressTerm> along_k(const Operand& operand, uint32_t across, ExprId offset, ExprId k) {
    return {{offset, number(1)}, step(operand, 1 - across, k)};
  }
  /// Bytes from an operand's first element to that of the block's first k on `line`.
  ExprId line_offset(const Operand& operand, uint32_t across, ExprId line) {
    if (operand.kind == KernelOperand::Kind::scalar) return number(0);
    const auto bytes = [&](const AddressTerm& term) { return mul(term.index, term.stride_bytes); };
    const ExprId begin = add(b_.local(operand.batch), bytes(step(operand, across, line)));
    return l_.pin(add(begin, bytes(step(operand, 1 - across, first_k_))));
  }
  std::map<const Operand*, ExprId> line_offsets(const Factor& factor, uint32_t across, ExprId line) {
    std::map<const Operand*, ExprId> out;
    for (const Operand& operand : factor.operands) out.emplace(&operand, line_offset(operand, across, line));
    return out;
  }
  void store_packed(uint32_t memory, ExprId base, ExprId k, int64_t width, ExprId lane, const Parts& value) {
    const auto count = static_cast<int64_t>(value.size());
    Parts pinned;
    for (const ExprId id : value) pinned.push_back(value.size() == 1 ? id : l_.pin(id));
    for (int64_t i = 0; i < count; ++i) {
      b_.store(part_at(memory, {base, mul(k, number(count * width)), number(i * width), lane}),
               pinned[static_cast<size_t>(i)]);
    }
  }

  /// Neighbouring lanes are neighbours in memory, and so are those of the slivers of a group.
  void pack_whole_slivers(const Factor& factor, uint32_t memory, uint32_t across, int64_t width, ExprId extent,
                          LocalId sliver) {
    constexpr int64_t kGroup = 4;
    const auto offsets = line_offsets(factor, across, across == 0 ? first_m_ : first_n_);
    const ExprId whole = l_.pin(mul(div(extent, number(width)), number(width)));
    count_up("group", whole, width * kGroup, [&](ExprId group) {
      const ExprId end = l_.pin(min(add(group, number(width * kGroup)), whole));
      count_up("k", count_k_, 1, [&](ExprId k) {
        b_.assign(sliver, group);
        b_.loop(
            b_.add_label("slivers"), [&] { return less(b_.local(sliver), end); },
            [&] {
              const auto one = [&](ExprId lane) {
                const Parts value = element(factor, [&](const Operand& operand) {
                  std::vector<AddressTerm> terms = along_k(operand, across, offsets.at(&operand), k);
                  terms.push_back(step(operand, across, b_.local(sliver)));
                  terms.push_back(step(operand, across, lane));
                  return terms;
                });
                store_packed(memory, sliver_base(b_.local(sliver)), k, width, lane, value);
              };
              if (across == 1) return lanes(one);
              for (int64_t i = 0; i < width; ++i) one(number(i));
            },
            [&] { increase(sliver, number(width)); });
      });
    });
    b_.assign(sliver, whole);
  }

  /// The lines of a sliver, `together` in step: their elements for one k are one piece of what is stored.
  template <class Line>
  void pack_lines(const Factor& factor, uint32_t memory, uint32_t across, ExprId base, const Line& line,
                  int64_t together) {
    const int64_t width = across == 0 ? mr_ : nr_;
    count_up("lane", number(width), together, [&](ExprId lane) {
      std::vector<std::map<const Operand*, ExprId>> offsets;
      for (int64_t i = 0; i < together; ++i) {
        offsets.push_back(line_offsets(factor, across, line(add(lane, number(i)))));
      }
      count_up("k", count_k_, 1, [&](ExprId k) {
        for (int64_t i = 0; i < together; ++i) {
          const auto& of_line = offsets[static_cast<size_t>(i)];
          const Parts value = element(
              factor, [&](const Operand& operand) { return along_k(operand, across, of_line.at(&operand), k); });
          store_packed(memory, base, k, width, add(lane, number(i)), value);
        }
      });
    });
  }

  // --- the product of two slivers ---

  /// `body(lane)` for the lanes of a vector.
  template <class Body>
  void lanes(const Body& body) {
    count_up("lane", number(nr_), 1, body, static_cast<uint16_t>(nr_));
  }
  MemRef acc_at(int64_t row, size_t i, ExprId lane) {
    return part_at(acc_[static_cast<size_t>(row) * parts() + i], {lane});
  }
  Parts read_acc(int64_t row, ExprId lane) {
    Parts out;
    for (size_t i = 0; i < parts(); ++i) out.push_back(b_.load(acc_at(row, i, lane)));
    return out;
  }
  void store_acc(int64_t row, ExprId lane, const Parts& value) {
    Parts pinned;
    for (const ExprId id : value) pinned.push_back(value.size() == 1 ? id : l_.pin(id));
    for (size_t i = 0; i < parts(); ++i) b_.store(acc_at(row, i, lane), pinned[i]);
  }

  /// All parts of a packed number, whose first one is at the sum of `indices`.
  Parts read_packed(uint32_t memory, const std::vector<ExprId>& indices, int64_t width) {
    Parts out;
    for (size_t i = 0; i < parts(); ++i) {
      std::vector<ExprId> all = indices;
      all.push_back(number(static_cast<int64_t>(i) * width));
      out.push_back(b_.load(part_at(memory, all)));
    }
    return out;
  }

  void multiply(ExprId row, ExprId column, ExprId is_first) {
    lanes([&](ExprId lane) {
      for (int64_t i = 0; i < mr_; ++i) store_acc(i, lane, Parts(parts(), b_.constant(part(), 0)));
    });
    const ExprId a_base = l_.pin(mul(row, number(kContractBlock * static_cast<int64_t>(parts()))));
    const ExprId b_base = l_.pin(mul(column, number(kContractBlock * static_cast<int64_t>(parts()))));
    count_up("k", count_k_, 1, [&](ExprId k) {
      const auto count = static_cast<int64_t>(parts());
      std::vector<Parts> a;
      for (int64_t i = 0; i < mr_; ++i) {
        a.push_back(read_packed(a_pack_, {a_base, mul(k, number(count * mr_)), number(i)}, mr_));
        for (ExprId& id : a.back()) id = l_.pin(id);
      }
      lanes([&](ExprId lane) {
        Parts b = read_packed(b_pack_, {b_base, mul(k, number(count * nr_)), lane}, nr_);
        for (ExprId& id : b) id = l_.pin(id);
        for (int64_t i = 0; i < mr_; ++i) {
          store_acc(i, lane, multiply_add(read_acc(i, lane), a[static_cast<size_t>(i)], b));
        }
      });
    });
    add_to_totals(row, column, is_first);
  }

  // --- totals ---

  /// The totals of a micro tile lie together.
  ExprId totals_of(ExprId row, ExprId column) {
    const ExprId height = mul(ceil_div(rows_, number(mr_)), number(mr_));
    return l_.pin(mul(add(mul(column, height), mul(row, number(nr_))), number(static_cast<int64_t>(parts()))));
  }
  MemRef total_at(ExprId base, ExprId row, size_t i, ExprId lane) {
    const auto count = static_cast<int64_t>(parts());
    return part_at(totals_, {base, mul(row, number(count * nr_)), number(static_cast<int64_t>(i) * nr_), lane});
  }

  void add_to_totals(ExprId row, ExprId column, ExprId is_first) {
    const ExprId base = totals_of(row, column);
    const auto store_all = [&](bool adds) {
      lanes([&](ExprId lane) {
        for (int64_t r = 0; r < mr_; ++r) {
          Parts value = read_acc(r, lane);
          for (size_t i = 0; i < parts(); ++i) {
            const MemRef place = total_at(base, number(r), i, lane);
            b_.store(place, adds ? add_sums({b_.load(place)}, {value[i]})[0] : value[i]);
          }
        }
      });
    };
    b_.if_then_else(
        is_first, [&] { store_all(false); }, [&] { store_all(true); });
  }

  // --- the end ---

  void store_tile() {
    each_micro_tile([&](ExprId row, ExprId column) {
      const ExprId base = totals_of(row, column);
      const ExprId left = l_.pin(sub(columns_, column));
      const ExprId height = l_.pin(min(number(mr_), sub(rows_, row)));
      count_up("r", height, 1, [&](ExprId r) {
        std::map<const Operand*, ExprId> offsets;
        for (const std::vector<Operand>* list : {&epilogue_, &outputs_}) {
          for (const Operand& operand : *list) offsets.emplace(&operand, row_offset(operand, row, r, column));
        }
        const auto one = [&](ExprId lane) {
          Parts sum;
          for (size_t i = 0; i < parts(); ++i) sum.push_back(l_.pin(b_.load(total_at(base, r, i, lane))));
          finish(sum, [&](const Operand& operand) {
            return std::vector<AddressTerm>{{offsets.at(&operand), number(1)}, step(operand, 1, lane)};
          });
        };
        b_.if_then_else(
            b_.compare(CompareOp::kGe, left, number(nr_)), [&] { lanes(one); },
            [&] { count_up("lane", left, 1, one); });
      });
    });
  }

  ExprId row_offset(const Operand& operand, ExprId row, ExprId r, ExprId column) {
    if (operand.kind == KernelOperand::Kind::scalar) return number(0);
    const auto bytes = [&](const AddressTerm& term) { return mul(term.index, term.stride_bytes); };
    const ExprId rows = bytes(step(operand, 0, add(add(first_m_, row), r)));
    return l_.pin(add(add(b_.local(operand.batch), rows), bytes(step(operand, 1, add(first_n_, column)))));
  }

  const int64_t mr_, nr_;
  ExprId rows_, columns_;     ///< of this tile
  ExprId first_k_, count_k_;  ///< of the block
  uint32_t a_pack_ = 0, b_pack_ = 0, totals_ = 0;
  std::vector<uint32_t> acc_;  ///< by row, then by part
};

void Lowerer::lower_contract_host(const ContractKernel& kernel, const ContractForm& form) {
  HostContractLowering(*this, kernel, form).run();
}

}  // namespace jitc::kernel
