// Finds uses of values that nothing has written.
#pragma once

#include "runtime/emulator/check/launch_facts.hpp"
#include "runtime/emulator/check/register_shadow.hpp"
#include "runtime/emulator/exec/observer.hpp"

namespace jitc::emulator {

/// What nothing has written may be copied, from register to register and through memory: compilers copy the gaps of
/// structs, and load more than they need. It is a fault when it decides something: a branch or a guard, an address, the
/// operands of a barrier or a vote, an atomic operation; and when a value that was computed from it is stored to global
/// memory. docs/design/emulator.md says why. The idea of undefined bits that are followed and not reported until they
/// matter: Seward and Nethercote, "Using Valgrind to detect undefined value errors with bit-precision", USENIX 2005.
class InitCheck : public Observer {
 public:
  /// Of one block. `facts` outlives it.
  explicit InitCheck(const LaunchFacts& facts);

  bool step(Warp& warp, const Group& group, const Step& step, uint32_t lanes) override;
  bool access(Warp& warp, const Group& group, const Step& step, const ObservedAccess& access) override;
  bool meet(Warp& warp, std::span<const Group* const> groups, const Step& step) override;
  bool arrive(Warp& warp, const Group& group, const Step& step, const Arrival& arrival) override;
  void called(Warp& warp, const Group& group) override;
  void returned(Warp& warp, const Group& group) override;
  std::string explain() const override { return message_; }

 private:
  struct Use;

  bool may_use(const Use& use, Slot slot, uint32_t lanes, std::string_view how);
  bool report(const Use& use, uint32_t lane, const Origin& origin, std::string_view how);
  std::string origin_text(const Origin& origin) const;

  bool load(const Use& use, const ObservedAccess& access);
  bool store(const Use& use, const ObservedAccess& access);
  bool update(const Use& use, const ObservedAccess& access);
  Undefined load_shadow(const Warp& warp, const LaneAccess& lane, uint64_t offset, uint32_t size_bytes);
  void store_shadow(const Warp& warp, const LaneAccess& lane, uint64_t offset, uint32_t size_bytes,
                    const Undefined& value);
  ByteShadow& local(const Warp& warp);
  uint64_t local_offset(uint32_t lane, uint64_t address) const { return uint64_t{lane} * facts_.local_bytes + address; }

  const LaunchFacts& facts_;
  AddressReader global_;
  ByteShadow shared_;
  std::vector<std::unique_ptr<ByteShadow>> local_;  ///< of each warp: lane after lane; null until it is used
  std::string message_;
};

}  // namespace jitc::emulator
