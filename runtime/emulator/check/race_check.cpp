#include "runtime/emulator/check/race_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "runtime/emulator/alu/lane_mask.hpp"

namespace jitc::emulator {
namespace {

constexpr uint64_t kWordBytes = 4;

AccessKind kind_of_access(Action action, bool strong) {
  if (action == Action::load) return strong ? AccessKind::strong_read : AccessKind::weak_read;
  return strong ? AccessKind::strong_write : AccessKind::weak_write;
}

std::string_view verb(AccessKind kind) { return is_write(kind) ? "wrote" : "read"; }

/// Which bytes of the word an access of [begin, end) touches.
uint8_t bytes_in_word(uint64_t word, uint64_t begin, uint64_t end) {
  const uint64_t first = std::max(begin, word * kWordBytes) - word * kWordBytes;
  const uint64_t last = std::min(end, (word + 1) * kWordBytes) - word * kWordBytes;
  return static_cast<uint8_t>(((1u << last) - 1) & ~((1u << first) - 1));
}

/// The registers whose bits a compare-and-swap compares, and those that they are made of by moves.
std::set<int32_t> compared_registers(const DecodedFunction& function) {
  std::set<int32_t> found;
  for (const Step& step : function.steps) {
    const bool swaps = step.action == Action::atomic && function.accesses[step.index].op == AtomicOp::compare_exchange;
    if (swaps) found.insert(step.src[0].index);
  }
  for (size_t before = 0; before != found.size();) {
    before = found.size();
    for (const Step& step : function.steps) {
      if (!step.moves_bits || !found.contains(step.dst.index)) continue;
      for (const Slot slot : step.src) found.insert(slot.index);
    }
  }
  return found;
}

/// Appends one for each step.
void add_guesses(const DecodedFunction& function, std::vector<bool>& is_guess) {
  const std::set<int32_t> compared = compared_registers(function);
  for (const Step& step : function.steps) {
    const Access* access = step.action == Action::load ? &function.accesses[step.index] : nullptr;
    is_guess.push_back(access != nullptr && !access->values[0].is_none() && compared.contains(access->values[0].index));
  }
}

/// Appends one for each step.
void add_moved(const DecodedFunction& function, std::vector<bool>& is_moved) {
  for (uint32_t step = 0; step < function.steps.size(); ++step) {
    const bool has_line =
        function.marks.empty() || step < function.marks.front().step || source_of(function, step).line != 0;
    is_moved.push_back(function.steps[step].action == Action::load && !has_line);
  }
}

std::string coordinates(const Extent& extent, uint64_t nth) {
  return fmt::format("({}, {}, {})", nth % extent.x, nth / extent.x % extent.y, nth / extent.x / extent.y);
}

}  // namespace

LaunchRaces::LaunchRaces(const LaunchFacts& facts) : facts_(facts) {
  uint32_t count = 0;
  for (const LinkedFunction& function : facts.program->functions) {
    add_guesses(*function.decoded, is_guess_);
    add_moved(*function.decoded, is_moved_);
  }
  for (const LinkedFunction& function : facts.program->functions) {
    first_number_.push_back(count);
    count += static_cast<uint32_t>(function.decoded->steps.size());
  }
}

AccessHistory& LaunchRaces::history(uint64_t word) {
  if (word / kPageWords != last_page_number_) {
    auto& page = pages_[word / kPageWords];
    if (page == nullptr) page = std::make_unique<Page>();
    last_page_number_ = word / kPageWords;
    last_page_ = page.get();
  }
  return (*last_page_)[word % kPageWords];
}

uint32_t LaunchRaces::number(const Frame& frame, uint32_t step) const {
  return first_number_[static_cast<size_t>(frame.function - facts_.program->functions.data())] + step;
}

LaunchRaces::Place LaunchRaces::place(uint32_t number) const {
  const auto behind = std::upper_bound(first_number_.begin(), first_number_.end(), number);
  const auto function = static_cast<size_t>(behind - first_number_.begin()) - 1;
  return {facts_.program->functions[function].decoded, number - first_number_[function]};
}

/// The step of a group that makes an access.
struct RaceCheck::Site {
  Warp& warp;
  const Group& group;
  const Step& step;
  const ObservedAccess& access;
  AccessKind kind;
  uint32_t number;

  uint32_t thread(const LaneAccess& lane) const { return warp.index * kLanes + lane.lane; }
};

RaceCheck::RaceCheck(LaunchRaces& launch, uint32_t block)
    : launch_(launch),
      block_(block),
      clocks_(block, static_cast<uint32_t>(launch.facts().block.total())),
      shared_((launch.facts().shared_bytes + kWordBytes - 1) / kWordBytes) {}

bool RaceCheck::step(Warp& warp, const Group& group, const Step& step, uint32_t lanes) {
  const bool ends = step.action == Action::exit || (step.action == Action::ret && group.frame->caller == nullptr);
  if (ends && lanes != 0) clocks_.end(warp.index, lanes);
  if (step.action == Action::fence) for_lanes(lanes, [&](uint32_t lane) { clocks_.fence(warp.index * kLanes + lane); });
  return true;
}

bool RaceCheck::meet(Warp& warp, std::span<const Group* const> groups, const Step& step) {
  if (step.action == Action::active_mask) return true;
  uint32_t lanes = 0;
  for (const Group* group : groups) lanes |= group->lanes;
  clocks_.meet(warp.index, lanes);
  return true;
}

bool RaceCheck::arrive(Warp&, const Group&, const Step&, const Arrival& arrival) {
  clocks_.arrive(arrival);
  return true;
}

bool RaceCheck::access(Warp& warp, const Group& group, const Step& step, const ObservedAccess& access) {
  const uint32_t number = launch_.number(*group.frame, group.step);
  if (launch_.is_moved(number)) return true;
  const bool strong = access.access.ordering != Ordering::weak || launch_.is_guess(number);
  const Site site = {warp, group, step, access, kind_of_access(step.action, strong), number};
  for (const LaneAccess& lane : access.lanes) {
    if (lane.area != Area::shared && lane.area != Area::global) continue;
    if (!check_lane(site, lane)) return false;
    if (is_strong(site.kind)) order(site, lane);
  }
  return true;
}

AccessHistory& RaceCheck::history(const LaneAccess& lane, uint64_t word) {
  return lane.area == Area::shared ? shared_[word] : launch_.history(word);
}

bool RaceCheck::check_lane(const Site& site, const LaneAccess& lane) {
  const uint64_t end = lane.address + site.access.size_bytes;
  const uint32_t thread = site.thread(lane);
  AccessRecord made = {block_, clocks_.time(thread), site.number, static_cast<uint16_t>(thread), site.kind, 0};
  for (uint64_t word = lane.address / kWordBytes; word * kWordBytes < end; ++word) {
    made.bytes = bytes_in_word(word, lane.address, end);
    AccessHistory& history = this->history(lane, word);
    if (history.has(made)) continue;
    const VectorClock& known = clocks_.known(thread);
    const AccessRecord* old = nullptr;
    while ((old = history.find_race(made, known, old)) != nullptr) {
      if (!stores_the_same(site, lane, *old)) return report(site, lane, *old);
    }
    history.add(made, known);
  }
  return true;
}

/// What a lane writes is what lies there already, or what a lane before it writes at this very step.
bool RaceCheck::stores_the_same(const Site& site, const LaneAccess& lane, const AccessRecord& old) const {
  if (site.step.action != Action::store || !is_write(old.kind)) return false;
  const Access& access = site.access.access;
  const uint32_t size = site.access.size_bytes / access.count;
  const auto value = [&](uint32_t i, uint32_t of_lane) { return site.group.frame->source(access.values[i])[of_lane]; };
  const Bits mask = ~Bits{0} >> (64 - 8 * size);
  const bool is_of_this_step = old.block == block_ && old.thread / kLanes == site.warp.index && old.step == site.number;
  const uint32_t old_lane = old.thread % kLanes;
  const bool is_at_once =
      is_of_this_step && std::any_of(site.access.lanes.begin(), site.access.lanes.end(), [&](const LaneAccess& other) {
        return other.lane == old_lane && other.lane < lane.lane && other.address == lane.address;
      });
  for (uint32_t i = 0; i < access.count; ++i) {
    Bits there = 0;
    std::memcpy(&there, lane.bytes + i * size, size);
    if (is_at_once) there = value(i, old_lane) & mask;
    if ((value(i, lane.lane) & mask) != there) return false;
  }
  return true;
}

/// A strong access hands knowledge on, or takes it.
void RaceCheck::order(const Site& site, const LaneAccess& lane) {
  SyncPlaces& places = lane.area == Area::shared ? shared_places_ : launch_.places();
  const Ordering ordering = site.access.access.ordering;
  const uint32_t thread = site.thread(lane);
  const bool is_update = site.step.action == Action::atomic || site.step.action == Action::reduce;
  if (!is_write(site.kind) || is_update) clocks_.read(thread, ordering, places, lane.address);
  if (is_write(site.kind)) clocks_.write(thread, ordering, is_update, places, lane.address);
}

bool RaceCheck::report(const Site& site, const LaneAccess& lane, const AccessRecord& old) {
  site.warp.fault = {FaultKind::race,
                     lane.area,
                     is_write(site.kind),
                     lane.lane,
                     lane.address,
                     site.access.size_bytes,
                     site.group.frame->function->decoded,
                     site.group.step};
  const LaunchRaces::Place there = launch_.place(old.step);
  const LaunchFacts& facts = launch_.facts();
  const std::string block =
      old.block == block_ ? "the same block" : fmt::format("block {}", coordinates(facts.grid, old.block));
  const uint32_t source = source_of(*there.function, there.step).line;
  message_ = fmt::format("{}; thread {} of {} {} it in {} (PTX line {}{}), and nothing orders the two",
                         facts.describe(site.warp.fault), coordinates(facts.block, old.thread), block, verb(old.kind),
                         there.function->name, there.function->steps[there.step].line,
                         source == 0 ? "" : fmt::format(", source line {}", source));
  return false;
}

}  // namespace jitc::emulator
