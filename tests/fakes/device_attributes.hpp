// What a posed device answers when asked for an attribute.
#pragma once

#include <optional>

#include "tests/fakes/fake_driver.hpp"

namespace jitc::tests::fake {

/// What the pose says or implies; nothing for attributes that the fake does not know.
std::optional<int> device_attribute(const FakeDevice& device, runtime::cuda::CUdevice_attribute attribute);

}  // namespace jitc::tests::fake
