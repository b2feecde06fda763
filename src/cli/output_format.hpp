// `--format`: results for people, or as JSON.
#pragma once

#include <CLI/App.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace jitc::cli {

/// Adds the option, which is "text" or "json"; `help` says where each of them goes.
void add_format(CLI::App& command, std::string& format, const std::string& help);

void write_json(const nlohmann::ordered_json& value);

}  // namespace jitc::cli
