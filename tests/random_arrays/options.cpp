#include "tests/random_arrays/options.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace jitc::random_arrays {

namespace {

std::vector<Where> parse_wheres(std::string text) {
  std::vector<Where> out;
  while (!text.empty()) {
    const std::string one = text.substr(0, text.find(','));
    text.erase(0, std::min(text.size(), one.size() + 1));
    bool known = false;
    for (const Where w : {Where::reference, Where::reference_gpu, Where::cpu, Where::emulator}) {
      if (one != name_of(w)) continue;
      out.push_back(w);
      known = true;
    }
    if (!known)
      throw std::runtime_error("there is no '" + one + "'; there are reference, reference_gpu, cpu, emulator");
  }
  return out;
}

Mistake parse_mistake(const std::string& text) {
  if (text == "subtraction") return Mistake::swapped_subtraction;
  if (text == "sum") return Mistake::sum_in_order;
  throw std::runtime_error("there is no mistake '" + text + "'; there are subtraction, sum");
}

}  // namespace

Options parse_options(const std::vector<std::string>& args) {
  Options out;
  size_t next = 0;
  const auto value = [&]() -> const std::string& {
    if (next == args.size()) throw std::runtime_error(args.back() + " needs a value");
    return args[next++];
  };
  const auto number = [&](uint64_t& place) { return [&] { place = std::stoull(value()); }; };
  const auto flag = [&](bool& place) { return [&] { place = true; }; };
  const std::map<std::string, std::function<void()>> keys = {
      {"--seed", number(out.seed)},
      {"--count", number(out.count)},
      {"--gpu-every", number(out.gpu_every)},
      {"--cpu-every", number(out.cpu_every)},
      {"--emulator-every", number(out.emulator_every)},
      {"--show", number(out.show)},
      {"--shrink", flag(out.shrink)},
      {"--fork", flag(out.fork)},
      {"--print", flag(out.print)},
      {"--expect-difference", flag(out.expect_difference)},
      {"--where", [&] { out.where = parse_wheres(value()); }},
      {"--mistake", [&] { out.mistake = parse_mistake(value()); }}};
  while (next < args.size()) {
    const std::string key = args[next++];
    const auto found = keys.find(key);
    if (found == keys.end()) throw std::runtime_error("there is no option " + key);
    found->second();
  }
  return out;
}

}  // namespace jitc::random_arrays
