#include <catch2/catch.hpp>

#include "runtime/emulator/exec/observer.hpp"
#include "tests/unit/emulator/one_block.hpp"

namespace jitc::emulator_test {
namespace {

using namespace jitc::emulator;

/// Writes down what it is told, a line each.
class Log : public Observer {
 public:
  bool step(Warp&, const Group& group, const Step& step, uint32_t lanes) override {
    ++count_steps;
    if (step.action == Action::branch) add(fmt::format("branch {:x} of {:x}", lanes, group.lanes));
    return true;
  }
  bool access(Warp&, const Group&, const Step& step, const ObservedAccess& access) override {
    const LaneAccess& last = access.lanes.back();
    const char* name = step.action == Action::load ? "load" : step.action == Action::store ? "store" : "atomic";
    if (last.area == Area::shared)
      add(fmt::format("{} {} lanes, last {} at {}, {} bytes", name, access.lanes.size(), last.lane, last.address,
                      access.size_bytes));
    return step.action != refused_;
  }
  void diverged(Warp&, const Group&, const Step&, uint32_t taken) override { add(fmt::format("diverged {:x}", taken)); }
  bool meet(Warp&, std::span<const Group* const> groups, const Step&) override {
    add(fmt::format("meet {} groups", groups.size()));
    return true;
  }
  bool arrive(Warp& warp, const Group&, const Step&, const Arrival& arrival) override {
    add(fmt::format("arrive {} of warp {} with {:x}", arrival.barrier, warp.index, arrival.lanes));
    return true;
  }
  void release(const Release& release) override {
    add(fmt::format("release {} for {}", release.barrier, release.count_arrived));
  }
  void called(Warp&, const Group& group) override {
    add(fmt::format("called {}", group.frame->function->decoded->name));
  }
  void returned(Warp&, const Group& group) override {
    add(fmt::format("returned {}", group.frame->function->decoded->name));
  }

  void refuse(Action action) { refused_ = action; }

  uint64_t count_steps = 0;
  std::vector<std::string> lines;

 private:
  void add(std::string line) { lines.push_back(std::move(line)); }
  Action refused_ = Action::nothing;
};

using Lines = std::vector<std::string>;

Lines seen(const std::string& text, Extent block) {
  OneBlock ran(text, block);
  Log log;
  ran.observe(log);
  REQUIRE(ran.run() == BlockState::ended);
  return log.lines;
}

TEST_CASE("An observer sees accesses with the lanes that make them") {
  const std::string text = kernel_text(
      "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 3; mov.u32 %r3, tile; add.u32 %r2, %r2, %r3;\n"
      "setp.lt.u32 %p1, %r1, 3; @%p1 st.shared.u64 [%r2], 7; @%p1 ld.shared.u32 %r4, [%r2+4];\n"
      "@!%p1 atom.shared.add.u32 %r4, [tile], 1;",
      ".shared .align 8 .b8 tile[64];\n");
  CHECK(seen(text, {4, 1, 1}) == Lines{"store 3 lanes, last 2 at 16, 8 bytes", "load 3 lanes, last 2 at 20, 4 bytes",
                                       "atomic 1 lanes, last 3 at 0, 4 bytes"});
}

TEST_CASE("An observer sees who diverges, who meets and who comes to a barrier") {
  const std::string text = kernel_text(
      "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 34; @%p1 bra L; mov.u32 %r2, 1;\n"
      "L: bar.warp.sync 0xffffffff; bar.sync 3;");
  CHECK(seen(text, {64, 1, 1}) == Lines{"branch ffffffff of ffffffff", "meet 1 groups",
                                        "arrive 3 of warp 0 with ffffffff", "branch 3 of ffffffff", "diverged 3",
                                        "meet 1 groups", "arrive 3 of warp 1 with ffffffff", "release 3 for 64"});
}

TEST_CASE("An observer sees calls and returns") {
  const std::string text = kernel_text("call.uni twice; ret;", ".func twice() { ret; }\n");
  CHECK(seen(text, {1, 1, 1}) == Lines{"called twice", "returned twice"});
}

TEST_CASE("Each step is seen once, those that lanes take in turns in each turn") {
  OneBlock ran(kernel_text("mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 1; @%p1 bra L;\n"
                           "add.u32 %r1, %r1, 1; L: ret;"),
               {2, 1, 1});
  Log log;
  ran.observe(log);
  REQUIRE(ran.run() == BlockState::ended);
  CHECK(log.count_steps == 6);  // the parameter, three before the branch's target, add, ret
}

TEST_CASE("An observer that says no stops the block before the access is made") {
  OneBlock ran(kernel_text("st.global.u32 [%rd1], 5;"));
  Log log;
  log.refuse(Action::store);
  ran.observe(log);
  CHECK(ran.run() == BlockState::fault);
  CHECK(ran.global<uint32_t>(0) == 0);
}

}  // namespace
}  // namespace jitc::emulator_test
