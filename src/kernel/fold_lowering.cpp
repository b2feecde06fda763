#include "src/kernel/fold_lowering.hpp"

namespace jitc::kernel {

FoldArray FoldLowering::add_array(const std::string& name, DType dtype, uint32_t rank, bool read, bool written) {
  FoldArray out;
  out.argument = b_.array_argument(name, dtype, static_cast<int>(rank));
  out.dtype = dtype;
  out.data = b_.param(b_.data_param(out.argument));
  out.extents.resize(rank);
  out.strides.resize(rank);
  b_.program().arguments.back().read = read;
  b_.program().arguments.back().written = written;
  return out;
}

ExprId FoldLowering::extent(FoldArray& array, uint32_t axis) {
  ExprId& made = array.extents[axis];
  if (!made.valid()) made = b_.param(b_.extent_param(array.argument, axis));
  return made;
}

ExprId FoldLowering::stride(FoldArray& array, uint32_t axis) {
  ExprId& made = array.strides[axis];
  if (!made.valid()) made = b_.param(b_.stride_param(array.argument, axis));
  return made;
}

ExprId FoldLowering::count(FoldArray& array, uint32_t begin, uint32_t end) {
  if (begin == end) return l_.number(1);
  ExprId product = extent(array, begin);
  for (uint32_t axis = begin + 1; axis < end; ++axis) product = mul(product, extent(array, axis));
  return l_.pin(product);
}

}  // namespace jitc::kernel
