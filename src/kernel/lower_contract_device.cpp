// A contraction on a GPU: a block of threads makes one tile of the outputs, each thread thread_m x thread_n of its sums
// in registers. The factors' parts of the tile come through shared memory, block_k of k at a time, each element once:
//
//   k0 = -block_k
//   while k0 < k:
//       if k0 + block_k < k: load my elements of the next tiles of a and b into registers   # on their way meanwhile
//       if k0 >= 0: for each k of the tiles: acc[i][j] = fma(a.tile[k][i], b.tile[k][j], acc[i][j])
//                   at the end of a block of 256: total += acc, acc = 0
//       barrier;  a.tile, b.tile = what was loaded, converted and with the functions applied;  barrier
//       k0 += block_k
//   for each row of a thread: all threads put it into shared memory; barrier; store its epilogue, neighbours together
//
// No element needs a mask: indices beyond the end of an axis stand for its last one. What comes of those along m and n
// is not stored, and the sum along k ends before.
#include "src/kernel/contract_lowering.hpp"

namespace jitc::kernel {

class DeviceContractLowering : ContractLowering {
 public:
  DeviceContractLowering(Lowerer& lowerer, const ContractKernel& kernel, const ContractForm& form)
      : ContractLowering(lowerer, kernel, form),
        tile_(form.tile),
        threads_m_(tile_.block_m / tile_.thread_m),
        threads_n_(tile_.block_n / tile_.thread_n),
        threads_(threads_m_ * threads_n_),
        group_m_(group(tile_.thread_m)),
        group_n_(group(tile_.thread_n)) {}

  void run() {
    b_.program().max_threads_per_block = static_cast<uint32_t>(threads_);
    declare();
    find_tile(number(tile_.block_m), number(tile_.block_n));
    thread_ = l_.pin(b_.thread(ThreadValue::kThreadIdx));
    thread_m_ = l_.pin(div(thread_, number(threads_n_)));
    thread_n_ = l_.pin(mod(thread_, number(threads_n_)));
    make_tiles();
    for (int i = 0; i < tile_.thread_m * tile_.thread_n; ++i) {
      acc_.push_back(make_sum("acc" + std::to_string(i)));
      totals_.push_back(make_sum("total" + std::to_string(i)));
    }
    sum_tiles();
    store_tile();
  }

 private:
  /// A factor's tile in shared memory, [k][line], and what a thread brings into it.
  struct Tile {
    const Factor* factor = nullptr;
    uint32_t across = 0;  ///< the place of m or n among the factor's axes
    int64_t lines = 0, pitch = 0, loads = 0;
    uint32_t memory = 0;
    bool along_k = false;  ///< neighbouring threads load neighbouring k, else neighbouring lines
    std::map<const Operand*, std::vector<LocalId>> offsets;  ///< by load: bytes to its element, but for the tile's k
    std::map<const Operand*, std::vector<Sum>> locals;       ///< by load: its value
  };

  /// How many neighbouring sums of a thread are neighbours in the tile: as many as one access of 16 bytes reads.
  int64_t group(int64_t count) const {
    int64_t out = 1;
    while (out * 2 <= 16 / static_cast<int64_t>(size_bytes(kernel_.dtype)) && count % (out * 2) == 0) out *= 2;
    return out;
  }
  /// Rows of shared memory begin in different banks, and aligned to 16 bytes.
  int64_t padding() const { return std::max<int64_t>(16 / static_cast<int64_t>(size_bytes(kernel_.dtype)), 1); }

  // --- tiles of factors ---

  void make_tiles() {
    a_tile_ = make_tile(a_, "a.tile", 0, tile_.block_m);
    b_tile_ = make_tile(b_factor_, "b.tile", 1, tile_.block_n);
  }

  Tile make_tile(const Factor& factor, const std::string& name, uint32_t across, int64_t lines) {
    Tile out{.factor = &factor, .across = across, .lines = lines};
    out.pitch = lines + padding();
    out.loads = (lines * tile_.block_k + threads_ - 1) / threads_;
    out.memory = add_memory(name, static_cast<uint64_t>(out.pitch * tile_.block_k) * parts(), MemorySpace::kShared);
    for (const Operand& operand : factor.operands) {
      if (operand.unit_axis == static_cast<int>(1 - across)) out.along_k = true;
    }
    for (const Operand& operand : factor.operands) {
      if (operand.kind == KernelOperand::Kind::scalar) continue;
      for (int64_t i = 0; i < out.loads; ++i) {
        out.offsets[&operand].push_back(b_.add_local("offset", scalar(DType::i8)));
        Sum locals;
        for (size_t p = 0; p < (is_complex(operand.dtype) ? 2 : 1); ++p) {
          locals.push_back(b_.add_local("loaded", scalar(part_type(operand.dtype))));
        }
        out.locals[&operand].push_back(locals);
      }
    }
    find_offsets(out, number(tile_.block_k - 1));
    return out;
  }

  /// The line and the k, both in the tile, of the thread's element.
  struct Place {
    ExprId line, k;
  };
  Place place(const Tile& tile, int64_t load) {
    const ExprId element = add(thread_, number(load * threads_));
    const ExprId unit = number(tile.along_k ? tile_.block_k : tile.lines);
    if (tile.along_k) return {div(element, unit), mod(element, unit)};
    return {mod(element, unit), div(element, unit)};
  }

  void find_offsets(const Tile& tile, ExprId last_k) {
    const bool is_a = tile.across == 0;
    const ExprId last_line = sub(is_a ? extent_m() : extent_n(), number(1));
    const auto bytes = [&](const AddressTerm& term) { return mul(term.index, term.stride_bytes); };
    for (int64_t i = 0; i < tile.loads; ++i) {
      const Place at = place(tile, i);
      const ExprId line = l_.pin(min(add(is_a ? first_m_ : first_n_, at.line), last_line));
      const ExprId k = l_.pin(min(at.k, last_k));
      for (const auto& [operand, offsets] : tile.offsets) {
        const ExprId own = add(bytes(step(*operand, tile.across, line)), bytes(step(*operand, 1 - tile.across, k)));
        b_.assign(offsets[static_cast<size_t>(i)], add(b_.local(operand->batch), own));
      }
    }
  }

  void load(const Tile& tile, ExprId first_k) {
    for (const auto& [operand, offsets] : tile.offsets) {
      for (size_t i = 0; i < offsets.size(); ++i) {
        const Value value =
            fetch(*operand, {{b_.local(offsets[i]), number(1)}, step(*operand, 1 - tile.across, first_k)});
        const Sum& locals = tile.locals.at(operand)[i];
        if (locals.size() == 1) {
          b_.assign(locals[0], value.scalar);
        } else {
          for (size_t p = 0; p < 2; ++p) b_.assign(locals[p], value.items[p].scalar);
        }
      }
    }
  }

  void store_loaded(const Tile& tile) {
    for (int64_t i = 0; i < tile.loads; ++i) {
      const Place at = place(tile, i);
      const bool fits = tile.lines * tile_.block_k % threads_ == 0 || i + 1 < tile.loads;
      const ExprId inside = less(tile.along_k ? at.line : at.k, number(tile.along_k ? tile.lines : tile_.block_k));
      const auto put = [&] {
        std::vector<Value> values;
        for (const Operand& operand : tile.factor->operands) values.push_back(loaded(tile, operand, i));
        store_number(tile.memory, {{at.k, tile.pitch}, {at.line, 1}}, element_of(*tile.factor, values));
      };
      fits ? put() : void(b_.if_then(inside, put));
    }
  }

  Value loaded(const Tile& tile, const Operand& operand, int64_t load) {
    if (operand.kind == KernelOperand::Kind::scalar) return operand.value;
    const Sum& locals = tile.locals.at(&operand)[static_cast<size_t>(load)];
    if (locals.size() == 1) return of_scalar(b_.local(locals[0]));
    Value out;
    out.is_tuple = true;
    for (const LocalId local : locals) out.items.push_back(of_scalar(b_.local(local)));
    return out;
  }

  // --- numbers in shared memory; a complex one's parts are neighbours ---

  struct Index {
    ExprId index;
    int64_t step;  ///< numbers
  };
  MemRef number_at(uint32_t memory, const std::vector<Index>& indices, size_t part_index) {
    const auto size = static_cast<int64_t>(size_bytes(kernel_.dtype));
    MemRef out{b_.memory_base(memory), {}};
    for (const Index& i : indices) out.terms.push_back({i.index, number(i.step * size)});
    if (part_index == 1) out.terms.push_back({number(1), number(static_cast<int64_t>(size_bytes(part())))});
    return out;
  }
  void store_number(uint32_t memory, const std::vector<Index>& indices, const Parts& value) {
    Parts pinned;
    for (const ExprId id : value) pinned.push_back(value.size() == 1 ? id : l_.pin(id));
    for (size_t i = 0; i < pinned.size(); ++i) b_.store(number_at(memory, indices, i), pinned[i]);
  }
  Parts load_number(uint32_t memory, const std::vector<Index>& indices) {
    Parts out;
    for (size_t i = 0; i < parts(); ++i) out.push_back(l_.pin(b_.load(number_at(memory, indices, i))));
    return out;
  }

  // --- the sum ---

  void sum_tiles() {
    begin_totals();
    const LocalId k0 = int_local("k0", number(-int64_t{tile_.block_k}));
    const LocalId next = int_local("next", number(0));
    const ExprId has_next = less(b_.local(next), extent_k());
    b_.loop(
        b_.add_label("tiles"), [&] { return less(b_.local(k0), extent_k()); },
        [&] {
          b_.assign(next, add(b_.local(k0), number(tile_.block_k)));
          b_.if_then(has_next, [&] { load_next(b_.local(next)); });
          b_.if_then(b_.compare(CompareOp::kGe, b_.local(k0), number(0)), [&] { sum_tile(b_.local(k0)); });
          b_.barrier();
          b_.if_then(has_next, [&] {
            store_loaded(a_tile_);
            store_loaded(b_tile_);
          });
          b_.barrier();
        },
        [&] { b_.assign(k0, b_.local(next)); });
  }

  /// Only the last tiles may be cut.
  void load_next(ExprId next) {
    const ExprId last_k = sub(sub(extent_k(), next), number(1));
    b_.if_then(less(last_k, number(tile_.block_k - 1)), [&] {
      find_offsets(a_tile_, last_k);
      find_offsets(b_tile_, last_k);
    });
    load(a_tile_, next);
    load(b_tile_, next);
  }

  void sum_tile(ExprId k0) {
    const ExprId left = l_.pin(sub(extent_k(), k0));
    b_.if_then_else(
        less(left, number(tile_.block_k)), [&] { count_up("k", left, 1, [&](ExprId k) {
                                                   sum_step({k, 1});
                                                 }); },
        [&] {
          for (int64_t k = 0; k < tile_.block_k; ++k) sum_step({number(k), 1});
        });
    const ExprId end = l_.pin(add(k0, number(tile_.block_k)));
    const ExprId at_block_end =
        b_.compare(CompareOp::kEq, b_.binary(BinaryOp::kAnd, end, number(kContractBlock - 1)), number(0));
    const ExprId at_end = b_.compare(CompareOp::kLe, extent_k(), end);
    b_.if_then(b_.binary(BinaryOp::kOr, at_block_end, at_end), [&] { end_block(); });
  }

  void sum_step(Index k) {
    const auto along_tile = [&](const Tile& tile) { return Index{k.index, tile.pitch}; };
    std::vector<Parts> a, b;
    for (int64_t i = 0; i < tile_.thread_m; ++i) {
      a.push_back(load_number(a_tile_.memory, {along_tile(a_tile_), {thread_m_, group_m_}, {number(row_of(i)), 1}}));
    }
    for (int64_t j = 0; j < tile_.thread_n; ++j) {
      b.push_back(load_number(b_tile_.memory, {along_tile(b_tile_), {thread_n_, group_n_}, {number(column_of(j)), 1}}));
    }
    for (int64_t i = 0; i < tile_.thread_m; ++i) {
      for (int64_t j = 0; j < tile_.thread_n; ++j) {
        const Sum& acc = acc_[static_cast<size_t>(i * tile_.thread_n + j)];
        assign(acc, multiply_add(read(acc), a[static_cast<size_t>(i)], b[static_cast<size_t>(j)]));
      }
    }
  }

  /// The thread's i-th row is this one of the tile, and thread_m_ groups more.
  int64_t row_of(int64_t i) const { return i / group_m_ * group_m_ * threads_m_ + i % group_m_; }
  int64_t column_of(int64_t j) const { return j / group_n_ * group_n_ * threads_n_ + j % group_n_; }

  /// -0 is what an addition leaves as it is: so the first block needs no code of its own.
  void begin_totals() {
    if (!is_float(part())) return;
    const ExprId begin = l_.pin(b_.select(b_.compare(CompareOp::kEq, extent_k(), number(0)), b_.constant(part(), 0.0),
                                          b_.constant(part(), -0.0)));
    for (const Sum& total : totals_) assign(total, Parts(parts(), begin));
  }
  void end_block() {
    for (size_t i = 0; i < acc_.size(); ++i) assign(totals_[i], add_sums(read(totals_[i]), read(acc_[i])));
    for (const Sum& acc : acc_) assign(acc, Parts(parts(), b_.constant(part(), 0)));
  }

  // --- the end ---

  /// One row of each thread at a time, so that the epilogue stands in the code once and neighbouring threads store
  /// neighbouring columns.
  void store_tile() {
    const int64_t pitch = tile_.block_n + padding();
    const uint32_t rows = add_memory("rows", static_cast<uint64_t>(threads_m_ * pitch) * parts(), MemorySpace::kShared);
    count_up("round", number(tile_.thread_m), 1, [&](ExprId round) {
      for (int64_t i = 0; i < tile_.thread_m; ++i) {
        b_.if_then(b_.compare(CompareOp::kEq, round, number(i)), [&] {
          for (int64_t j = 0; j < tile_.thread_n; ++j) {
            store_number(rows, {{thread_m_, pitch}, {thread_n_, group_n_}, {number(column_of(j)), 1}},
                         read(totals_[static_cast<size_t>(i * tile_.thread_n + j)]));
          }
        });
      }
      b_.barrier();
      const ExprId group = number(group_m_);
      const ExprId first = add(mul(div(round, group), number(group_m_ * threads_m_)), mod(round, group));
      count_up("store", number(tile_.thread_n), 1, [&](ExprId turn) {
        const ExprId element = l_.pin(add(thread_, mul(turn, number(threads_))));
        const ExprId line = l_.pin(div(element, number(tile_.block_n)));
        const ExprId column = l_.pin(mod(element, number(tile_.block_n)));
        const ExprId m = l_.pin(add(add(first_m_, first), mul(line, group))), n = l_.pin(add(first_n_, column));
        b_.if_then(b_.binary(BinaryOp::kAnd, less(m, extent_m()), less(n, extent_n())), [&] {
          finish(load_number(rows, {{line, pitch}, {column, 1}}), [&](const Operand& operand) {
            if (operand.kind == KernelOperand::Kind::scalar) return std::vector<AddressTerm>{};
            return std::vector<AddressTerm>{
                {b_.local(operand.batch), number(1)}, step(operand, 0, m), step(operand, 1, n)};
          });
        });
      });
      b_.barrier();
    });
  }

  const ContractTile& tile_;
  const int64_t threads_m_, threads_n_, threads_;
  const int64_t group_m_, group_n_;
  ExprId thread_, thread_m_, thread_n_;
  Tile a_tile_, b_tile_;
  std::vector<Sum> acc_, totals_;  ///< of the thread, n fastest
};

void Lowerer::lower_contract_device(const ContractKernel& kernel, const ContractForm& form) {
  DeviceContractLowering(*this, kernel, form).run();
}

}  // namespace jitc::kernel
