#include "src/array/print_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/array/uses.hpp"

namespace jitc::array {

namespace {

const char* spelling(FoldOp op) {
  switch (op) {
    case FoldOp::kAdd: return "add";
    case FoldOp::kMul: return "multiply";
    case FoldOp::kMin: return "min";
    case FoldOp::kMax: return "max";
    case FoldOp::kFmin: return "fmin";
    case FoldOp::kFmax: return "fmax";
    case FoldOp::kArgMin: return "argmin";
    case FoldOp::kArgMax: return "argmax";
  }
  return "fold";
}

std::string axes_text(const std::vector<bool>& folded) {
  std::vector<size_t> axes;
  for (size_t k = 0; k < folded.size(); ++k) {
    if (folded[k]) axes.push_back(k);
  }
  return fmt::format("{}", fmt::join(axes, ", "));
}

}  // namespace

std::string NodeNames::name(NodeId id) const {
  const Node& n = program_.nodes[id];
  if (const auto* p = std::get_if<Param>(&n.kind)) return program_.params[p->param].name;
  if (const auto* t = std::get_if<Table>(&n.kind); t != nullptr && !t->name.empty()) return t->name;
  const auto* m = std::get_if<Map>(&n.kind);
  if (m != nullptr && m->args.empty()) return m->function->name;
  return fmt::format("%{}", id.index);
}

std::string NodeNames::names(const std::vector<NodeId>& ids) const {
  std::string out;
  for (const NodeId id : ids) out += (out.empty() ? "" : ", ") + name(id);
  return out;
}

std::string NodeNames::type(NodeId id) const {
  const Node& n = program_.nodes[id];
  std::string out(jitc::name(n.dtype));
  if (n.shape.empty()) return out + (n.on_host ? " of the host" : "");
  std::string extents;
  for (const ExtentId e : n.shape) extents += (extents.empty() ? "" : ",") + program_.extents.text(e);
  return fmt::format("{}[{}]", out, extents);
}

std::string NodeNames::rows(NodeId domain, const std::vector<bool>& folded) const {
  return fmt::format("{} along {}", type(domain), axes_text(folded));
}

std::string NodeNames::text(NodeId id) const {
  std::string out(file_.text(program_.nodes[id].span).substr(0, 60));
  for (char& c : out) c = c == '\n' ? ' ' : c;
  return out;
}

std::string NodeNames::selection(const Selection& s) const {
  const auto bound = [&](NodeId id) { return id.valid() ? name(id) : std::string(); };
  switch (s.kind) {
    case Selection::Kind::whole: return ":";
    case Selection::Kind::new_axis: return "None";
    case Selection::Kind::first: return "0";
    case Selection::Kind::index: return name(s.index);
    case Selection::Kind::slice: break;
  }
  const std::string step = s.step.valid() ? ":" + name(s.step) : "";
  return fmt::format("{}:{}{}", bound(s.lower), bound(s.upper), step);
}

std::string NodeNames::operation(NodeId id) const {
  const Node& n = program_.nodes[id];
  return base::match(
      n.kind, [&](const Param& p) { return fmt::format("param {}", p.param); },
      [&](const Read& r) { return fmt::format("read '{}'", program_.slots[r.slot].name); },
      [&](const Map& m) { return fmt::format("map ({})", names(m.args)); },
      [&](const Item& i) { return fmt::format("item {} of {}", i.item, name(i.map)); },
      [&](const Iota&) { return std::string("iota"); }, [&](const Table&) { return std::string("constants"); },
      [&](const Fill& f) { return f.value.valid() ? fmt::format("fill {}", name(f.value)) : std::string("empty"); },
      [&](const Extent& e) { return fmt::format("extent {} of {}", e.axis, name(e.array)); },
      [&](const ToHost& h) { return fmt::format("host waits for {}", name(h.value)); },
      [&](const Slice& s) {
        std::string axes;
        for (const Selection& each : s.axes) axes += (axes.empty() ? "" : ", ") + selection(each);
        return fmt::format("view {}[{}]", name(s.base), axes);
      },
      [&](const Permute& p) { return fmt::format("view {} with axes {}", name(p.base), fmt::join(p.axes, ", ")); },
      [&](const Broadcast& b) { return fmt::format("view {} broadcast", name(b.base)); },
      [&](const Reshape& r) { return fmt::format("view {} reshaped", name(r.base)); },
      [&](const Squeeze& s) { return fmt::format("view {} without axis {}", name(s.base), s.axis); },
      [&](const Diagonal& d) { return fmt::format("view diagonal of {}", name(d.base)); },
      [&](const Part& p) { return fmt::format("view {} parts of {}", p.is_imag ? "imaginary" : "real", name(p.base)); },
      [&](const Fold& f) {
        return fmt::format("fold {} of {} over {}", spelling(f.op), name(f.array), axes_text(f.folded));
      },
      [&](const Contract& c) {
        return fmt::format("contract {},{}->{} of {}, {}", c.a_labels, c.b_labels, c.out_labels, name(c.a), name(c.b));
      },
      [&](const Join& j) { return fmt::format("join {} along {}", names(j.parts), j.axis); },
      [&](const Copy& c) { return fmt::format("copy {}", name(c.array)); });
}

}  // namespace jitc::array
