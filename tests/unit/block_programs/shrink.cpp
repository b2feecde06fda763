#include "tests/unit/block_programs/shrink.hpp"

#include "src/base/match.hpp"

namespace jitc::blocks {

using namespace kernel;

namespace {

void collect_blocks(KernelProgram& program, Block& block, std::vector<Block*>& found) {
  found.push_back(&block);
  const auto collect = [&](Block& inner) { collect_blocks(program, inner, found); };
  for (StmtId id : block) {
    base::match(
        program.stmts[id].kind, [&](If& s) { collect(s.then_block), collect(s.else_block); },
        [&](Loop& s) { collect(s.head), collect(s.body), collect(s.step); }, [&](Scope& s) { collect(s.body); },
        [](auto&) {});
  }
}

/// All blocks of the statement tree, outer ones first.
std::vector<Block*> blocks_of(KernelProgram& program) {
  std::vector<Block*> found;
  collect_blocks(program, program.body, found);
  return found;
}

class Shrinker {
 public:
  Shrinker(BlockProgram program, const IsWrong& is_wrong, int tries)
      : best_(std::move(program)), is_wrong_(is_wrong), tries_left_(tries) {}

  BlockProgram shrink() {
    while (make_one_pass() && tries_left_ > 0) {}
    return std::move(best_);
  }

 private:
  /// Whether anything could go.
  bool make_one_pass() {
    bool progress = false;
    for (size_t block = 0; block < blocks_of(best_.program).size(); ++block) {
      for (size_t i = blocks_of(best_.program)[block]->size(); i-- > 0;) {
        progress |= replace(block, i, {}) || hoist(block, i);
        if (block >= blocks_of(best_.program).size()) break;
      }
    }
    return progress;
  }

  bool hoist(size_t block, size_t i) {
    const StmtId id = (*blocks_of(best_.program)[block])[i];
    const auto* branch = std::get_if<If>(&best_.program.stmts[id].kind);
    if (branch == nullptr) return false;
    const Block then_block = branch->then_block, else_block = branch->else_block;
    return replace(block, i, then_block) || replace(block, i, else_block);
  }

  /// Threads that do not know their numbers all write to the same place.
  bool numbers_threads(StmtId id) const {
    const auto* assign = std::get_if<Assign>(&best_.program.stmts[id].kind);
    if (assign == nullptr) return false;
    const std::string& name = best_.program.locals[assign->local].name;
    return name == "tid" || name == "global_tid";
  }

  bool replace(size_t block, size_t i, const Block& by) {
    if (numbers_threads((*blocks_of(best_.program)[block])[i]) || --tries_left_ < 0) return false;
    BlockProgram tried = best_;
    Block& in = *blocks_of(tried.program)[block];
    in.erase(in.begin() + static_cast<std::ptrdiff_t>(i));
    in.insert(in.begin() + static_cast<std::ptrdiff_t>(i), by.begin(), by.end());
    if (!is_wrong_(tried)) return false;
    best_ = std::move(tried);
    return true;
  }

  BlockProgram best_;
  const IsWrong& is_wrong_;
  int tries_left_;
};

}  // namespace

BlockProgram shrink(BlockProgram program, const IsWrong& is_wrong, int max_tries) {
  return Shrinker(std::move(program), is_wrong, max_tries).shrink();
}

}  // namespace jitc::blocks
