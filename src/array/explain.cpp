#include "src/array/explain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>

#include "src/array/block_nodes.hpp"
#include "src/array/plan_uses.hpp"
#include "src/array/uses.hpp"

namespace jitc::array {

namespace {

class Explainer {
 public:
  Explainer(const Plan& plan, const NodeNames& names)
      : plan_(plan), program_(plan.program), names_(names), places_(plan.program) {}

  std::vector<Boundary> run() {
    for_each_kernel([&](uint32_t number, const Kernel& kernel) {
      for (const Result& r : results_of(kernel)) {
        const NodeId made = r.part >= 0 ? r.target : r.target.valid() ? NodeId() : r.value;
        if (made.valid()) writer_of_.emplace(made.index, number);
      }
    });
    for_each_kernel([&](uint32_t number, const Kernel& kernel) {
      for (const NodeId read : operands_of(kernel)) {
        for (const NodeId value : values_behind(read)) readers_[value.index].insert(number);
      }
    });
    std::vector<Boundary> out;
    for_each_kernel([&](uint32_t number, const Kernel& kernel) {
      std::set<uint32_t> seen;
      for (const NodeId read : operands_of(kernel)) {
        for (const NodeId value : values_behind(read)) {
          const auto writer = writer_of_.find(value.index);
          if (writer == writer_of_.end() || writer->second == number || !seen.insert(value.index).second) continue;
          out.push_back({value, writer->second, number, why(value, read, plan_.kernels[writer->second], kernel)});
        }
      }
    });
    return out;
  }

 private:
  template <class Visit>
  void for_each_kernel(const Visit& visit) const {
    for (uint32_t number = 0; number < plan_.kernels.size(); ++number) {
      if (!plan_.kernels[number].is_step) visit(number, plan_.kernels[number]);
    }
  }

  /// What an operand is a view of; of arrays side by side that were not put into memory, what each of them is.
  std::vector<NodeId> values_behind(NodeId read) const {
    std::vector<NodeId> out, pending{root_base(program_, read)};
    std::set<uint32_t> seen{pending[0].index};
    while (!pending.empty()) {
      const NodeId base = pending.back();
      pending.pop_back();
      if (!is_in_parts(base)) {
        out.push_back(base);
        continue;
      }
      const std::vector<NodeId>& parts = std::get<Join>(program_.nodes[base].kind).parts;
      for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
        const NodeId behind = root_base(program_, *part);
        if (seen.insert(behind.index).second) pending.push_back(behind);
      }
    }
    return out;
  }

  bool is_in_parts(NodeId base) const {
    return std::holds_alternative<Join>(program_.nodes[base].kind) && !writer_of_.contains(base.index);
  }

  std::string why(NodeId value, NodeId read, const Kernel& writer, const Kernel& reader) const {
    const Node& n = program_.nodes[value];
    const NodeId result = results_of(reader).at(0).value;  // for its place in the text
    if (places_.has(value) && places_.has(result)) {
      if (places_[value].block != places_[result].block) return "it crosses the border of an if or of a loop";
      if (places_[value].epoch != places_[result].epoch) {
        return "a store stands between the two; x = x / y makes a new array where x /= y and x[...] = store into one";
      }
    }
    if (std::holds_alternative<Join>(n.kind))
      return "arrays side by side are read where they lie if they are in memory and maps alone read them";
    if (std::holds_alternative<Copy>(n.kind)) return "it is a copy, or a reshape that no strides can say";
    if (is_in_parts(root_base(program_, read))) return "it is one of arrays side by side";
    if (is_read_as_reshape(read)) return "it is reshaped, and a reshape looks at memory";
    const bool writer_is_product = std::holds_alternative<ContractLaunch>(writer.kind);
    return base::match(
        reader.kind, [&](const ContractLaunch& k) { return why_of_product(value, k); },
        [&](const RowsKernel& k) { return why_of_rows(value, k, writer_is_product); },
        [&](const MapKernel&) { return why_of_map(value, result); });
  }

  bool is_read_as_reshape(NodeId read) const {
    for (NodeId next = read; next.valid(); next = view_base(program_.nodes[next])) {
      if (std::holds_alternative<Reshape>(program_.nodes[next].kind)) return true;
    }
    return false;
  }

  std::string why_of_product(NodeId value, const ContractLaunch& product) const {
    const auto& c = std::get<Contract>(program_.nodes[product.node].kind);
    const bool is_factor = root_base(program_, c.a) == value || root_base(program_, c.b) == value;
    const Node& n = program_.nodes[value];
    if (!is_factor) return "one kernel computes one product, fold or map of another shape";
    if (program_.blas != sema::BlasUse::never) return "a BLAS library reads its factors from memory";
    if (is_elementwise(n)) {
      return fmt::format(
          "a product computes the elements of its factors several times, and this one costs more than {} "
          "operations",
          kCheapChain);
    }
    return "a product reads its factors several times";
  }

  std::string why_of_rows(NodeId value, const RowsKernel& rows, bool writer_is_product) const {
    const Node& n = program_.nodes[value];
    if (writer_is_product) return "a fold of a product walks its rows again";
    if (const auto* fold = std::get_if<Fold>(&n.kind)) {
      return fmt::format("its rows are those of {}, those of the reader are of {}{}",
                         names_.rows(fold->array, fold->folded), names_.rows(rows.domain, rows.folded),
                         hint(fold->array, rows.domain));
    }
    return shared(value);
  }

  std::string why_of_map(NodeId value, NodeId result) const {
    const Node& n = program_.nodes[value];
    if (const auto* fold = std::get_if<Fold>(&n.kind)) {
      return fmt::format("it is of the rows of {}, and {} is not taken row by row{}",
                         names_.rows(fold->array, fold->folded), names_.type(result), hint(fold->array, result));
    }
    if (std::holds_alternative<Contract>(n.kind)) {
      return fmt::format("the product is of {}, its reader of {}{}", names_.type(value), names_.type(result),
                         hint(value, result));
    }
    return shared(value);
  }

  /// A map that its readers could have computed.
  std::string shared(NodeId value) const {
    const Map* map = as_map(program_, map_of(program_, value));
    if (map == nullptr) return "it has memory";
    const uint32_t cost = cost_of(*map->function);
    const auto readers = readers_.find(value.index);
    if (cost > kCheap && readers != readers_.end() && readers->second.size() > 1) {
      return fmt::format("it costs about {} operations, and kernels {} take it: it is computed once", cost,
                         fmt::join(readers->second, ", "));
    }
    if (cost > kCheap)
      return fmt::format("it costs about {} operations, and would be computed again for each row", cost);
    return "it is a result, or is looked at as a whole";
  }

  /// Where two shapes may be the same in every call, names would say so.
  std::string hint(NodeId a, NodeId b) const {
    const auto &x = program_.nodes[a].shape, &y = program_.nodes[b].shape;
    if (x.size() != y.size() || x == y) return "";
    // What a variable or an expression holds has no name.
    if ((names_.type(a) + names_.type(b)).find('%') != std::string::npos) return "";
    return "; if these extents are equal in every call, give them one name in the signature, as in f4[n,m]";
  }

  const Plan& plan_;
  const Program& program_;
  const NodeNames& names_;
  Places places_;
  std::map<uint32_t, uint32_t> writer_of_;          ///< kernel by value
  std::map<uint32_t, std::set<uint32_t>> readers_;  ///< kernels by value
};

}  // namespace

std::vector<Boundary> find_boundaries(const Plan& plan, const NodeNames& names) { return Explainer(plan, names).run(); }

}  // namespace jitc::array
