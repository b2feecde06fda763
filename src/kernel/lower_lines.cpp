// Kernels in which one thread walks along a line of elements, in order: accumulate and at.
//
//   accumulate    out[…, 0] = acc = a[…, 0];  out[…, i] = acc = f(acc, a[…, i])
//   at            for i in order: target[indices[i], …] = f(target[indices[i], …], values[i, …])
#include "src/kernel/fold_lowering.hpp"

namespace jitc::kernel {

class LineLowering : FoldLowering {
 public:
  LineLowering(Lowerer& lowerer, const sema::TypedFunction& function) : FoldLowering(lowerer, function) {}

  void accumulate(const AccumulateForm& form) {
    const uint32_t along = form.outer_rank;
    FoldArray array = add_array("array", param_dtype(0), along + 1, true, false);
    FoldArray out = add_array("out", param_dtype(0), along + 1, false, true);
    Slot acc = make_value("acc");
    for_each_line(array, 0, along, [&](ExprId line) {
      const LocalId from = int_local("from", l_.number(0)), to = int_local("to", l_.number(0));
      add_place(line, 0, along, {&array, &out}, {from, to});
      l_.write(acc, load(array, from));
      store(out, to, l_.read(acc));
      for_each(1, extent(array, along), [&](ExprId) {
        increase(from, stride(array, along));
        increase(to, stride(out, along));
        l_.write(acc, apply(l_.read(acc), load(array, from)));
        store(out, to, l_.read(acc));
      });
    });
  }

  void at(const AtForm& form) {
    const uint32_t rank = form.rest_rank + 1U;
    FoldArray target = add_array("target", param_dtype(0), rank, true, true);
    FoldArray indices = add_array("indices", DType::i8, 1, true, false);
    FoldArray values;
    Value value;
    if (form.value_is_scalar) {
      value = l_.scalar_param("values", param_dtype(1));
    } else {
      values = add_array("values", param_dtype(1), rank, true, false);
    }
    for_each_line(target, 1, rank, [&](ExprId line) {
      const LocalId column = int_local("column", l_.number(0)), from = int_local("from", l_.number(0));
      std::vector<FoldArray*> arrays{&target};
      if (!form.value_is_scalar) arrays.push_back(&values);
      add_place(line, 1, rank, arrays, form.value_is_scalar ? std::vector{column} : std::vector{column, from});
      const LocalId place = b_.add_local("place", scalar(DType::i8));
      for_each(0, extent(indices, 0), [&](ExprId i) {
        const ExprId index = b_.load(b_.element(indices.data, i));
        b_.assign(place, add(b_.local(column), mul(index, stride(target, 0))));
        const Value right = form.value_is_scalar ? value : load(values, from);
        store(target, place, apply(load(target, place), right));
        if (!form.value_is_scalar) increase(from, stride(values, 0));
      });
    });
  }

 private:
  /// Once for each place of the axes [begin, end) of the array, in a thread of its own.
  template <class Body>
  void for_each_line(FoldArray& array, uint32_t begin, uint32_t end, const Body& body) {
    b_.program().max_threads_per_block = kReduceLanes;
    const ExprId line = l_.pin(b_.thread(ThreadValue::kGlobalIdx));
    b_.if_then(less(line, count(array, begin, end)), [&] { body(line); });
  }

  template <class Body>
  void for_each(int64_t begin, ExprId end, const Body& body) {
    const LocalId i = int_local("i", l_.number(begin));
    b_.loop(
        b_.add_label("line"), [&] { return less(b_.local(i), end); }, [&] { body(b_.local(i)); },
        [&] { increase(i, l_.number(1)); });
  }
};

void Lowerer::lower_accumulate(const sema::TypedFunction& function, const AccumulateForm& form) {
  LineLowering(*this, function).accumulate(form);
}

void Lowerer::lower_at(const sema::TypedFunction& function, const AtForm& form) {
  LineLowering(*this, function).at(form);
}

}  // namespace jitc::kernel
