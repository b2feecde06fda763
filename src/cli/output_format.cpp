#include "src/cli/output_format.hpp"

#include <nlohmann/json.hpp>

#include "src/cli/console.hpp"

namespace jitc::cli {

namespace {

/// What is wrong with the value of --format; empty when nothing is.
std::string check_format(const std::string& text) {
  return text == "text" || text == "json" ? "" : text + " is neither text nor json";
}

}  // namespace

void add_format(CLI::App& command, std::string& format, const std::string& help) {
  command.add_option("--format", format, help)->type_name("text|json")->check(CLI::Validator(check_format, ""));
}

/// What is not UTF-8, as a file name may be, must not stop it.
void write_json(const nlohmann::ordered_json& value) {
  write_stdout(value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace jitc::cli
