#include "src/kernel/host_side_rows.hpp"

namespace jitc::kernel {

bool is_light(const sema::TypedFunction& function) {
  constexpr size_t kMaxExprs = 24;
  if (function.exprs.size() > kMaxExprs) return false;
  for (const sema::Expr& expr : function.exprs) {
    if (std::holds_alternative<sema::MathExpr>(expr.kind) || std::holds_alternative<sema::CallExpr>(expr.kind)) {
      return false;
    }
  }
  return true;
}

std::unique_ptr<RowLowering> make_side_rows(Lowerer& lowerer, const RowKernel& kernel, const RowsForm& form) {
  if (form.count > 1) return std::make_unique<HostSideRows>(lowerer, kernel, form);
  return std::make_unique<SideRows>(lowerer, kernel, form);
}

}  // namespace jitc::kernel
