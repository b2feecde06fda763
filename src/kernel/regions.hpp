// How one thread of the host runs kernels whose threads meet: the body is split where they do, and each part becomes a
// loop over the threads.
//
//     tile[tx] = x[i]              for each thread: tile[tx] = x[i]
//     barrier                      # all have arrived: the loop is over
//     s = block_dim.x // 2         s = block_dim.x // 2                   # the same for all: once
//     while s > 0:                 while s > 0:                           # the same for all: one loop
//         if tx < s: …                 for each thread: if tx < s: …
//         barrier
//
// A group is the block, one of its warps, or the whole grid: those who meet at a statement. Control flow around such
// statements is executed once for the group. Where its condition is not the same for all, or some threads may leave it
// alone, each thread has a state: it runs along only while its state says so (`masks`).
#pragma once

#include <variant>
#include <vector>

#include "src/kernel/liveness.hpp"

namespace jitc::kernel {

enum class Group : uint8_t { kThread, kWarp, kBlock, kGrid };

struct RegionNode;
using RegionNodes = std::vector<RegionNode>;

/// For each thread of the group: these statements, at which no thread meets another.
struct ThreadRegion {
  Block stmts;
};
/// For each group of `level` in this group.
struct EachGroup {
  Group level;
  RegionNodes body;
};
/// Once for the group: an Assign of a local that is stored once.
struct GroupAssign {
  StmtId stmt;
};
/// `uniform`: one condition for the group, over locals that are stored once.
struct GroupIf {
  StmtId stmt;
  bool uniform = false;
  RegionNodes then_nodes, else_nodes;
};
struct GroupLoop {
  StmtId stmt;
  bool uniform = false;
  RegionNodes head, body, step;
};
struct GroupScope {
  StmtId stmt;
  RegionNodes body;
};
/// A Barrier or Warp statement of the group's level.
struct Meeting {
  StmtId stmt;
};
/// The whole group at once takes an Exit, Continue or Return. Only without masks.
struct GroupJump {
  StmtId stmt;
};

struct RegionNode {
  std::variant<ThreadRegion, EachGroup, GroupAssign, GroupIf, GroupLoop, GroupScope, Meeting, GroupJump> kind;
};

struct RegionPlan {
  Group level = Group::kThread;  ///< kBlock or kGrid; kThread: the threads never meet, and there is no plan
  RegionNodes body;              ///< for a group of that level
  bool masks = false;
  std::vector<bool> stored_once;  ///< by local: one value for the group
  std::vector<bool> per_thread;   ///< by local: a value per thread lives on from one region to another
  /// By local: its one value, of parameters and thread indices alone, which each region computes anew instead.
  std::vector<ExprId> recomputed;
  LocalSet live_at_start;  ///< read before they are assigned: begin as zero
  Liveness liveness;
};

RegionPlan plan_regions(const KernelProgram& program);

/// Statements at which threads meet.
size_t meeting_count(const KernelProgram& program);
inline bool has_meetings(const KernelProgram& program) { return meeting_count(program) != 0; }
/// Does it wait for the whole grid?
bool is_cooperative(const KernelProgram& program);

/// Bytes that plan_regions() takes at most for what it remembers about each statement.
uint64_t plan_size_bytes(const KernelProgram& program);

}  // namespace jitc::kernel
