#include "runtime/cpu/host_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "runtime/cpu/cpu_queue.hpp"

namespace jitc::runtime::cpu {

namespace {

// A cache line, and the widest vector register.
constexpr std::align_val_t kAlignment{64};
// Half of what 48-bit addresses reach, the user's half. Beyond it the sanitizers' allocators abort.
constexpr size_t kAddressSpaceBytes = size_t{1} << 47;

// Where the look-up of addresses begins to cost: two of x86's huge pages.
constexpr size_t kHugeBytes = size_t{4} << 20;

/// Large arrays are walked a third faster in huge pages. Only advice: a system without them goes on with small ones.
void ask_for_huge_pages(std::byte* data, size_t size_bytes) {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t first = (reinterpret_cast<uintptr_t>(data) + page - 1) / page * page;
  const uintptr_t end = (reinterpret_cast<uintptr_t>(data) + size_bytes) / page * page;
  madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
}

/// Those with threads of their own: what the default queue was given is done.
std::vector<std::shared_ptr<Lane>> lanes_of(const Allocation& allocation) {
  std::vector<std::shared_ptr<Lane>> out;
  const auto add = [&](const std::shared_ptr<Queue>& queue) {
    const auto& lane = static_cast<const CpuQueue&>(*queue).lane();
    if (lane != nullptr) out.push_back(lane);
  };
  if (allocation.home != nullptr) add(allocation.home);
  for (const std::shared_ptr<Queue>& queue : allocation.used_on) add(queue);
  return out;
}

}  // namespace

std::byte* allocate_host_memory(size_t size_bytes) noexcept {
  if (size_bytes > kAddressSpaceBytes) return nullptr;
  auto* data = static_cast<std::byte*>(::operator new(size_bytes, kAlignment, std::nothrow));
  if (data != nullptr && size_bytes >= kHugeBytes) ask_for_huge_pages(data, size_bytes);
  return data;
}

void free_host_memory(std::byte* data) noexcept { ::operator delete(data, kAlignment); }

/// Shared by the lanes that still work with it; the last of them frees it.
class PendingFrees::Block {
 public:
  Block(const Allocation& allocation, std::shared_ptr<Counts> counts)
      : data_(allocation.data), size_bytes_(allocation.size_bytes), counts_(std::move(counts)) {
    ++counts_->count;
    counts_->size_bytes += size_bytes_;
  }
  ~Block() {
    free_host_memory(data_);
    --counts_->count;
    counts_->size_bytes -= size_bytes_;
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  void keep_forever() { data_ = nullptr; }

 private:
  std::byte* data_;
  size_t size_bytes_;
  std::shared_ptr<Counts> counts_;
};

void PendingFrees::free(const Allocation& allocation) noexcept {
  std::shared_ptr<Block> block;
  try {
    const std::vector<std::shared_ptr<Lane>> lanes = lanes_of(allocation);
    if (lanes.empty()) return free_host_memory(allocation.data);
    block = std::make_shared<Block>(allocation, counts_);
    schedule_->give_to_busy(lanes, [block] {});
  } catch (const std::bad_alloc&) {
    // Some lane may use it and could not be told: rather lost than freed too early.
    if (block != nullptr) block->keep_forever();
  }
}

}  // namespace jitc::runtime::cpu
