// jitc::Device over a HostBackend: the engine, which opens real ones, is not part of these tests.
#pragma once

#include <memory>
#include <string>

#include "jitc/device.hpp"
#include "tests/support/host_backend.hpp"

namespace jitc::tests {

/// A device of its own, with statistics of its own.
inline Device test_device(const std::string& name = "host") { return Device::open(name); }

inline HostBackend& backend_of(const Device& device) { return static_cast<HostBackend&>(*device.backend()); }

inline Stream make_stream(const Device& device) { return Stream::of_queue(device.backend()->make_queue({})); }

}  // namespace jitc::tests
