#include "src/sema/memory_limits.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

namespace jitc::sema {

namespace {

using source::DiagId;

constexpr size_t kMaxLabels = 4;

/// The arrays of one space that a kernel declares: one for each place of the text and each type that it has there.
class Collector {
 public:
  struct Array {
    Span span;
    uint64_t bytes;
  };

  explicit Collector(MemorySpace space) : space_(space) {}

  void visit(const TypedFunction& fn) {
    if (!functions_.insert(&fn).second) return;
    for (const Expr& e : fn.exprs) {
      if (const auto* call = std::get_if<CallExpr>(&e.kind)) visit(*call->function);
      if (const auto* memory = std::get_if<MemoryExpr>(&e.kind)) add(*memory, e.span);
    }
  }

  const std::vector<Array>& arrays() const { return arrays_; }
  uint64_t total() const { return total_; }

 private:
  void add(const MemoryExpr& m, Span span) {
    if (m.space != space_) return;
    const bool is_new =
        m.values ? constants_.insert(m.values.get()).second : sites_.insert({m.site, m.dtype, m.shape}).second;
    if (!is_new) return;
    uint64_t bytes = size_bytes(m.dtype);
    const uint64_t align = m.align_bytes;
    for (uint64_t n : m.shape) bytes *= n;
    total_ = (total_ + align - 1) / align * align + bytes;
    arrays_.push_back({span, bytes});
  }

  MemorySpace space_;
  std::set<const TypedFunction*> functions_;
  std::set<std::tuple<uint32_t, DType, std::vector<uint64_t>>> sites_;
  std::set<const ConstantArray*> constants_;
  std::vector<Array> arrays_;
  uint64_t total_ = 0;
};

void check_space(const TypedFunction& kernel, MemorySpace space, source::DiagnosticSink& sink) {
  Collector found(space);
  found.visit(kernel);
  const MemoryLimit limit = memory_limit(space);
  if (found.total() <= limit.bytes) return;
  auto largest = found.arrays();
  std::stable_sort(largest.begin(), largest.end(), [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  auto report = sink.report(DiagId::kMemoryTooLarge, kernel.span, kernel.name, found.total(), limit.space, limit.owner,
                            limit.bytes);
  for (size_t i = 0; i < std::min(largest.size(), kMaxLabels); ++i) {
    report.label(largest[i].span, fmt::format("{} bytes", largest[i].bytes));
  }
  report.help(limit.help);
}

}  // namespace

MemoryLimit memory_limit(MemorySpace space) {
  switch (space) {
    case MemorySpace::kShared:
      return {"shared", "a block", size_t{48} * 1024,
              "take a smaller tile, or dynamic shared memory: cuda.shared.array(0, dtype) with its size in the launch"};
    case MemorySpace::kLocal: return {"local", "a thread", size_t{512} * 1024, "pass a larger array as an argument"};
    case MemorySpace::kConst: return {"constant", "a kernel", size_t{64} * 1024, "pass larger arrays as arguments"};
    case MemorySpace::kGlobal: break;
  }
  return {"global", "a device", SIZE_MAX, ""};
}

void check_memory_limits(const TypedFunction& kernel, source::DiagnosticSink& sink) {
  for (MemorySpace space : {MemorySpace::kShared, MemorySpace::kLocal, MemorySpace::kConst}) {
    check_space(kernel, space, sink);
  }
}

}  // namespace jitc::sema
