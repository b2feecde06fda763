// The kernel of a reduction: a job is one block of up to 4096 elements for one place of the outer axes. However many
// threads share it, the tree is the same: runs of 16 elements from left to right, then pairs of neighbours.
//
//   for each run of the lane:                   # a carry of the binary number of runs so far joins two subtrees
//       acc = a[e]; acc = f(acc, a[e + 1]) …    # 16 elements
//       while the number of runs is odd at `level`: acc = f(stack[level], acc)
//       stack[level] = acc
//   acc = f(stack[level], acc) for the levels left, lowest first
//   for s = 1, 2, 4 … below lanes:              # in shared memory
//       if lane % 2s == 0 and lane + s has elements: acc = f(acc, shared[lane + s])
//   out[job] = f(initial, acc)
#include <bit>

#include "jitc/reduction_tree.hpp"
#include "src/kernel/fold_lowering.hpp"

namespace jitc::kernel {

namespace {

/// Of the tree of a block, its runs among them.
constexpr int64_t kLevels = 9;
static_assert(int64_t{1} << (kLevels - 1) == kReduceRuns);

}  // namespace

class ReduceLowering : FoldLowering {
 public:
  ReduceLowering(Lowerer& lowerer, const sema::TypedFunction& function, const ReduceForm& form)
      : FoldLowering(lowerer, function), form_(form) {}

  void run() {
    b_.program().max_threads_per_block = kReduceLanes;
    declare();
    const ExprId job = find_job();
    const ExprId count_outer = count(array_, 0, form_.outer_rank);
    count_ = count(array_, form_.outer_rank, rank());
    const ExprId blocks = l_.pin(b_.binary(BinaryOp::kShr, add(count_, l_.number(kReduceBlock - 1)),
                                           l_.number(std::countr_zero(static_cast<uint64_t>(kReduceBlock)))));
    inside_ = b_.add_local("inside", scalar(DType::b1));
    b_.assign(inside_, less(job, mul(count_outer, blocks)));
    b_.if_then(b_.local(inside_), [&] {
      find_elements(job, count_outer);
      form_.one_run ? fold_run(b_.local(end_)) : fold_runs();
    });
    if (form_.lanes > 1) combine_lanes();
    const ExprId stores = form_.lanes == 1 ? b_.local(inside_)
                                           : b_.binary(BinaryOp::kAnd, b_.local(inside_),
                                                       b_.compare(CompareOp::kEq, lane_, l_.number(0)));
    b_.if_then(stores, [&] { store_result(); });
  }

 private:
  uint32_t rank() const { return static_cast<uint32_t>(form_.outer_rank) + form_.inner_rank; }

  void declare() {
    array_ = add_array("array", param_dtype(0), rank(), true, false);
    out_ = add_array("out", param_dtype(0), form_.outer_rank + 1U, false, true);
    if (form_.has_initial) initial_ = l_.scalar_param("initial", param_dtype(0));
    runs_ = form_.one_run ? l_.number(1) : b_.param(b_.scalar_param("runs", DType::i8));
    acc_ = make_value("acc");
    place_ = b_.add_local("place", scalar(DType::i8));
    out_place_ = b_.add_local("out.place", scalar(DType::i8));
    element_ = b_.add_local("e", scalar(DType::i8));
    end_ = b_.add_local("end", scalar(DType::i8));
    block_end_ = b_.add_local("block.end", scalar(DType::i8));
    first_ = b_.add_local("first", scalar(DType::i8));
  }

  // --- which elements ---

  /// Of a kernel with several lanes the block has kReduceLanes threads, lanes and jobs along x and y.
  ExprId find_job() {
    if (form_.lanes == 1) {
      lane_ = l_.number(0);
      return l_.pin(b_.thread(ThreadValue::kGlobalIdx));
    }
    const uint8_t job_axis = form_.jobs_first ? 0 : 1;
    lane_ = b_.thread(ThreadValue::kThreadIdx, 1 - job_axis);
    return l_.pin(
        add(mul(b_.thread(ThreadValue::kBlockIdx), l_.number(jobs())), b_.thread(ThreadValue::kThreadIdx, job_axis)));
  }
  int64_t jobs() const { return kReduceLanes / form_.lanes; }

  /// Jobs of neighbouring numbers have neighbouring places of the outer axes.
  void find_elements(ExprId job, ExprId count_outer) {
    ExprId block = job;
    if (form_.outer_rank != 0) {
      const auto as_u8 = [&](ExprId value) { return b_.convert(DType::u8, value); };
      block = l_.pin(b_.convert(DType::i8, b_.binary(BinaryOp::kFloorDiv, as_u8(job), as_u8(count_outer))));
      const ExprId outer = b_.binary(BinaryOp::kSub, job, mul(block, count_outer));
      add_place(outer, 0, form_.outer_rank, {&array_, &out_}, {place_, out_place_});
    }
    increase(out_place_, mul(block, stride(out_, form_.outer_rank)));
    const ExprId begin = l_.pin(mul(block, l_.number(kReduceBlock)));
    lane_elems_ = l_.pin(mul(runs_, l_.number(kReduceRun)));
    b_.assign(first_, add(begin, mul(lane_, lane_elems_)));
    b_.assign(block_end_, min(add(begin, l_.number(kReduceBlock)), count_));
    b_.assign(end_, min(add(b_.local(first_), lane_elems_), count_));
    b_.assign(element_, b_.local(first_));
    indices_.resize(rank());
    add_place(b_.local(first_), form_.outer_rank, rank(), {&array_}, {place_}, [&](uint32_t axis, ExprId index) {
      if (axis == form_.outer_rank) return;
      indices_[axis] = int_local("index" + std::to_string(axis), index);
    });
  }

  Value next_element() {
    const Value value = l_.pin(load(array_, place_));
    increase(element_, l_.number(1));
    increase(place_, stride(array_, rank() - 1));
    carry_index(rank() - 1);
    return value;
  }

  /// One step along an axis may be the first one of the axis before it.
  void carry_index(uint32_t axis) {
    if (axis == form_.outer_rank) return;
    increase(indices_[axis], l_.number(1));
    b_.if_then(b_.compare(CompareOp::kEq, b_.local(indices_[axis]), extent(array_, axis)), [&] {
      b_.assign(indices_[axis], l_.number(0));
      const ExprId back = mul(extent(array_, axis), stride(array_, axis));
      increase(place_, b_.binary(BinaryOp::kSub, stride(array_, axis - 1), back));
      carry_index(axis - 1);
    });
  }

  // --- the lane's part of the tree ---

  /// Up to `end`, from left to right. A lane may have no elements at all.
  void fold_run(ExprId end) {
    b_.if_then(less(b_.local(element_), end), [&] {
      l_.write(acc_, next_element());
      b_.loop(
          b_.add_label("run"), [&] { return less(b_.local(element_), end); },
          [&] {
            const Value value = next_element();
            l_.write(acc_, apply(l_.read(acc_), value));
          },
          [] {});
    });
  }

  void fold_runs() {
    stack_ = add_memory("stack", kLevels, MemorySpace::kLocal);
    const LocalId done = int_local("runs.done", l_.number(0));
    const LocalId level = int_local("level", l_.number(0)), bits = int_local("bits", l_.number(0));
    const LocalId run_end = int_local("run.end", l_.number(0));
    const ExprId one = l_.number(1);
    const auto join = [&] { l_.write(acc_, apply(load_value(stack_, b_.local(level)), l_.read(acc_))); };
    const auto is_odd = [&] { return b_.convert(DType::b1, b_.binary(BinaryOp::kAnd, b_.local(bits), one)); };
    const auto go_up = [&] {
      b_.assign(bits, b_.binary(BinaryOp::kShr, b_.local(bits), one));
      increase(level, one);
    };
    b_.loop(
        b_.add_label("runs"), [&] { return less(b_.local(element_), b_.local(end_)); },
        [&] {
          b_.assign(run_end, min(add(b_.local(element_), l_.number(kReduceRun)), b_.local(end_)));
          fold_run(b_.local(run_end));
          b_.assign(level, l_.number(0));
          b_.assign(bits, b_.local(done));
          b_.loop(b_.add_label("carry"), is_odd, join, go_up);
          store_value(stack_, b_.local(level), l_.read(acc_));
          increase(done, one);
        },
        [] {});
    // The last result is on the stack's lowest level that is in use.
    b_.assign(bits, b_.binary(BinaryOp::kShr, b_.local(done), add(b_.local(level), one)));
    increase(level, one);
    b_.loop(
        b_.add_label("rest"), [&] { return b_.compare(CompareOp::kNe, b_.local(bits), l_.number(0)); },
        [&] { b_.if_then(is_odd(), join); }, go_up);
  }

  // --- the lanes' part ---

  void combine_lanes() {
    const uint32_t shared = add_memory("shared", kReduceLanes, MemorySpace::kShared);
    const int64_t next_lane = form_.jobs_first ? jobs() : 1, row = form_.jobs_first ? jobs() : form_.lanes;
    const ExprId own =
        l_.pin(add(mul(b_.thread(ThreadValue::kThreadIdx, 1), l_.number(row)), b_.thread(ThreadValue::kThreadIdx, 0)));
    const ExprId has_elements = less(b_.local(first_), b_.local(block_end_));
    b_.if_then(has_elements, [&] { store_value(shared, own, l_.read(acc_)); });
    const LocalId step = int_local("step", l_.number(1));
    const ExprId distance = b_.local(step);
    b_.loop(
        b_.add_label("tree"), [&] { return less(distance, l_.number(form_.lanes)); },
        [&] {
          b_.barrier();
          b_.if_then(has_partner(distance), [&] {
            const Value right = load_value(shared, add(own, mul(distance, l_.number(next_lane))));
            l_.write(acc_, apply(l_.read(acc_), right));
            store_value(shared, own, l_.read(acc_));
          });
        },
        [&] { b_.assign(step, mul(distance, l_.number(2))); });
  }

  ExprId has_partner(ExprId distance) {
    const ExprId mask = b_.binary(BinaryOp::kSub, mul(distance, l_.number(2)), l_.number(1));
    const ExprId is_left = b_.compare(CompareOp::kEq, b_.binary(BinaryOp::kAnd, lane_, mask), l_.number(0));
    const ExprId elems = mul(runs_, l_.number(kReduceRun));
    const ExprId right = add(b_.local(first_), mul(distance, elems));
    return b_.binary(BinaryOp::kAnd, is_left, less(right, b_.local(block_end_)));
  }

  void store_result() {
    const Value value = form_.has_initial ? apply(initial_, l_.read(acc_)) : l_.read(acc_);
    store(out_, out_place_, value);
  }

  // --- values in memory of the kernel ---

  uint32_t add_memory(const std::string& name, int64_t count_elems, MemorySpace space) {
    const DType dtype = param_dtype(0);
    const auto parts = static_cast<uint64_t>(count_elems) * (is_complex(dtype) ? 2 : 1);
    MemoryObject object{.name = name, .space = space, .dtype = part_type(dtype), .count_elems = parts};
    object.align_bytes = static_cast<uint32_t>(size_bytes(dtype));
    return b_.add_memory(std::move(object));
  }
  MemRef value_at(uint32_t memory, ExprId index) {
    return {b_.memory_base(memory), {{index, l_.number(static_cast<int64_t>(size_bytes(param_dtype(0))))}}};
  }
  Value load_value(uint32_t memory, ExprId index) { return l_.load(value_at(memory, index), param_dtype(0)); }
  void store_value(uint32_t memory, ExprId index, const Value& value) { l_.store(value_at(memory, index), value); }

  const ReduceForm& form_;
  FoldArray array_, out_;
  Value initial_;
  Slot acc_;
  ExprId runs_;   ///< of a lane at most
  ExprId count_;  ///< elements that are folded
  ExprId lane_, lane_elems_;
  LocalId inside_;                             ///< the thread has a job
  LocalId place_, out_place_;                  ///< bytes from the first element
  LocalId element_, first_, end_, block_end_;  ///< numbers of elements: next, the lane's, the job's end
  std::vector<LocalId> indices_;               ///< by axis: of the next element; not of the first inner axis
  uint32_t stack_ = 0;
};

void Lowerer::lower_reduce(const sema::TypedFunction& function, const ReduceForm& form) {
  ReduceLowering(*this, function, form).run();
}

CallForm plain_reduction() {
  return ReduceForm{.outer_rank = 0, .inner_rank = 1, .lanes = kReduceLanes, .one_run = true};
}

}  // namespace jitc::kernel
