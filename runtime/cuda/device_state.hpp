// What all handles of one device share.
#pragma once

#include <memory>

#include "runtime/cuda/cleanup.hpp"
#include "runtime/cuda/context.hpp"
#include "runtime/cuda/device_facts.hpp"
#include "runtime/cuda/event_pool.hpp"
#include "runtime/cuda/memory_pool.hpp"
#include "runtime/cuda/pinned_blocks.hpp"
#include "runtime/cuda/work_reports.hpp"

namespace jitc::runtime::cuda {

/// Queues, markers and kernels keep it alive, so that they may outlive their backend. The order of the members is the
/// one in which they need each other.
struct DeviceState {
  DeviceState(std::shared_ptr<const Driver> driver, DeviceFacts device_facts)
      : facts(std::move(device_facts)),
        context(std::move(driver), facts.device, facts.name),
        events(context),
        pinned(context, events),
        pool([&] {
          const ContextScope scope(context);
          return make_memory_pool(context, facts, events);
        }()),
        cleanup(context, events, *pool, facts.memory_bytes) {}

  const Driver& driver() const { return context.driver(); }

  const DeviceFacts facts;
  Context context;
  EventPool events;
  PinnedBlocks pinned;
  std::unique_ptr<MemoryPool> pool;
  Cleanup cleanup;
  AllReports reports;
};

}  // namespace jitc::runtime::cuda
