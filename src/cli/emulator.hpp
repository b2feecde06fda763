// The emulated GPU: a driver library that executes PTX on the CPU, found beside jitc.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace jitc::cli {

/// Where the library was built or installed with this command; nothing where it was not.
std::optional<std::filesystem::path> emulator_library();

/// Whether the name is "emu" or begins with "emu:".
bool is_emulator(const std::string& device_name);

/// Makes the emulator this process's CUDA driver for such a name, and returns what its device is called: "cuda",
/// "cuda:N". Other names come back as they are. To be called before anything asks for a device. Throws io::InputError
/// when there is no such library.
std::string choose_driver(const std::string& device_name);

}  // namespace jitc::cli
