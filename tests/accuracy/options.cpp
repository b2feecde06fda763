#include "tests/accuracy/options.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>

namespace jitc::accuracy {

const char* const kHelp = R"(accuracy_table [OPTION…]: the largest error of each math function against MPFR

  --functions A,B    these alone (names of src/math/math.def)
  --types T,U        these alone: f4, f8 (special values and random points), f2, bf16 (all arguments)
  --exhaustive A,B   instead: these functions of f4, one parameter, on all 4,294,967,296 arguments; minutes for each
  --points N         random points of each function of f4 and f8 (240000)
  --step N           and every N-th bit pattern of f4, for functions of one parameter (61)
  --quick-points N   and as many random arguments of f8, and of two parameters (20000000)
  --seed N           other random points than the test's
  --threads N        how many at once (one for each processor)
  --page FILE        puts the rows into the table of this page (docs/accuracy.md); without it they are printed
  --help             this text

A row of all arguments of f4 stays in the page unless its error is no longer found where it was, or a point is worse.
)";

namespace {

std::vector<std::string> words(const std::string& list) {
  std::vector<std::string> out;
  std::istringstream text(list);
  for (std::string word; std::getline(text, word, ',');) out.push_back(word);
  return out;
}

uint64_t number(const std::string& text) {
  try {
    size_t end = 0;
    const uint64_t value = std::stoull(text, &end);
    if (end == text.size() && text[0] != '-') return value;
  } catch (const std::logic_error&) {
    // said below
  }
  throw std::runtime_error("'" + text + "' is no number");
}

}  // namespace

Options parse_options(const std::vector<std::string>& args) {
  Options out;
  std::string value;
  const std::map<std::string, std::function<void()>> keys = {
      {"--functions", [&] { out.functions = words(value); }},
      {"--types", [&] { out.types = words(value); }},
      {"--exhaustive", [&] { out.exhaustive = words(value); }},
      {"--points", [&] { out.points = static_cast<int>(number(value)); }},
      {"--step", [&] { out.step = std::max<uint32_t>(1, static_cast<uint32_t>(number(value))); }},
      {"--quick-points", [&] { out.quick_points = number(value); }},
      {"--seed", [&] { out.seed = number(value); }},
      {"--threads", [&] { out.threads = static_cast<unsigned>(number(value)); }},
      {"--page", [&] { out.page = value; }}};
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i] == "--help" || args[i] == "-h") {
      out.help = true;
      continue;
    }
    const auto key = keys.find(args[i]);
    if (key == keys.end()) throw std::runtime_error("there is no option " + args[i]);
    if (i + 1 == args.size()) throw std::runtime_error(args[i] + " needs a value");
    value = args[++i];
    key->second();
  }
  return out;
}

}  // namespace jitc::accuracy
