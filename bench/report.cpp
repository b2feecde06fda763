#include "bench/report.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace jitc::bench {
namespace {

std::string min_and_median(double min, double median) { return fmt::format("{:.3g} / {:.3g}", min, median); }

void print(const Row& row) {
  const std::string ours = min_and_median(row.ours.min(), row.ours.median());
  std::string peer = "-", ratio = "-";
  if (row.peer) {
    peer = min_and_median(row.peer->min(), row.peer->median());
    ratio = min_and_median(row.ours.min() / row.peer->min(), row.ours.median() / row.peer->median());
  }
  fmt::print("{:<34} {:<22} {:<16} {:<16} {:<16} {}\n", row.what, row.peer ? row.peer_name : "(none here)", ours, peer,
             ratio, row.aim ? fmt::format("{}", *row.aim) : "-");
}

nlohmann::ordered_json to_json(const Samples& samples) {
  return {{"min_ms", samples.min()}, {"median_ms", samples.median()}, {"count", samples.ms.size()}};
}

nlohmann::ordered_json to_json(const Row& row) {
  nlohmann::ordered_json out = {{"what", row.what}, {"ours", to_json(row.ours)}};
  if (row.peer) {
    out["peer_name"] = row.peer_name;
    out["peer"] = to_json(*row.peer);
    out["ratio_of_min"] = row.ours.min() / row.peer->min();
    out["ratio_of_median"] = row.ours.median() / row.peer->median();
  }
  if (row.aim) out["aim"] = *row.aim;
  return out;
}

}  // namespace

void report(const std::string& name, const std::vector<Row>& rows, const std::string& json_path) {
  fmt::print("{:<34} {:<22} {:<16} {:<16} {:<16} {}\n", name + " (min / median)", "peer", "ours ms", "peer ms", "ratio",
             "aim");
  nlohmann::ordered_json json = {{"benchmark", name}, {"rows", nlohmann::ordered_json::array()}};
  for (const Row& row : rows) {
    print(row);
    json["rows"].push_back(to_json(row));
  }
  if (json_path.empty()) return;
  std::ofstream file(json_path);
  file << json.dump(2) << '\n';
  if (!file.flush()) throw std::runtime_error("cannot write " + json_path);
}

}  // namespace jitc::bench
