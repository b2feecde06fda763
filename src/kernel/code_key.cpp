// A value is written as its members, one after the other, variants and lists with their number before them. Members are
// taken apart by structured bindings throughout, so that a new one does not compile until it is decided here.
#include "src/kernel/code_key.hpp"

#include <type_traits>

#include "src/base/fields.hpp"

namespace jitc::kernel {

namespace {

class KeyWriter {
 public:
  explicit KeyWriter(bool with_places) : with_places_(with_places) {}

  template <class T>
  void add(const T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      out_.append(reinterpret_cast<const char*>(&value), sizeof(value));
    } else {
      base::for_each_field(value, [&](const auto& member) { add(member); });
    }
  }

  template <class Tag>
  void add(base::Id<Tag> id) {
    add(id.index);
  }

  void add(const std::string& text) {
    add(text.size());
    out_ += text;
  }

  template <class T>
  void add(const std::vector<T>& list) {
    add_list(list);
  }

  template <class Node, class IdType>
  void add(const base::Store<Node, IdType>& nodes) {
    add_list(nodes);
  }

  template <class T>
  void add(const std::optional<T>& value) {
    add(value.has_value());
    if (value) add(*value);
  }

  template <class... Kinds>
  void add(const std::variant<Kinds...>& value) {
    add(static_cast<uint8_t>(value.index()));
    std::visit([&](const auto& kind) { add(kind); }, value);
  }

  void add(const Expr& expr) {
    const auto& [span, type, kind] = expr;
    add_place(span);
    add(type);
    add(kind);
  }

  void add(const Stmt& stmt) {
    const auto& [span, kind] = stmt;
    add_place(span);
    add(kind);
  }

  void add(const Local& local) {
    const auto& [name, type] = local;
    add(type);
  }

  void add(const Param& param) {
    const auto& [name, type, part, argument, axis, align_bytes] = param;
    add(type);
    add(part);
    add(argument);
    add(axis);
    add(align_bytes);
  }

  void add(const MemoryObject& object) {
    const auto& [name, space, dtype, count_elems, align_bytes, dynamic, init] = object;
    add(space);
    add(dtype);
    add(count_elems);
    add(align_bytes);
    add(dynamic);
    add(init);
  }

  void add(const SourceLines& source) {
    const auto& [file, lines] = source;
    add(file);
    add(lines.count());
    for (uint32_t line = 1; line <= lines.count(); ++line) add(lines.start(line));
  }

  void add(const KernelProgram& program) {
    const auto& [name, symbol, signature, arguments, params, exprs, stmts, locals, labels, memory, body, fail_sites,
                 max_threads, min_blocks, max_registers, streams, line_count, lines] = program;
    // What failures say and what a launch checks is no part of the code.
    static_cast<void>(arguments);
    if (lines) {
      add(name);
      add(symbol);
    }
    add(lines);
    add(params);
    add(exprs);
    add(stmts);
    add(locals);
    add(labels.size());
    add(memory);
    add(body);
    add(fail_sites.size());
    add(max_threads);
    add(min_blocks);
    add(max_registers);
    add(streams);
  }

  std::string take() { return std::move(out_); }

 private:
  template <class List>
  void add_list(const List& list) {
    add(list.size());
    for (const auto& element : list) add(element);
  }

  void add_place(Span span) {
    if (with_places_) base::for_each_field(span, [&](const auto& member) { add(member); });
  }

  bool with_places_;
  std::string out_;
};

}  // namespace

std::string code_key(const KernelProgram& program) {
  KeyWriter writer(program.lines.has_value());
  writer.add(program);
  return writer.take();
}

}  // namespace jitc::kernel
