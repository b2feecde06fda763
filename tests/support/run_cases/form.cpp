#include "tests/support/run_cases/form.hpp"

#include <map>
#include <sstream>

#include "tests/support/run_cases/case_file.hpp"

namespace jitc::cases {

namespace {

/// "cores array scalar rank 2 contiguous narrow": after the first word, one for each argument.
kernel::GufuncForm parse_gufunc_form(std::istringstream& words) {
  kernel::GufuncForm form;
  for (std::string word; words >> word;) {
    int number = 0;
    if (word == "array" || word == "scalar") {
      form.is_scalar.push_back(word == "scalar");
    } else if (word == "contiguous") {
      form.contiguous = true;
    } else if (word == "narrow") {
      form.narrow = true;
    } else if (word == "rank" && words >> number) {
      form.loop_rank = static_cast<uint8_t>(number);
    } else {
      throw CaseError("no such part of a gufunc's form: " + word);
    }
  }
  return form;
}

}  // namespace

kernel::CallForm parse_form(const std::string& text) {
  using kernel::Walk;
  static const std::map<std::string, Walk> kWalks = {{"scalar", Walk::scalar},
                                                     {"next", Walk::next},
                                                     {"same", Walk::same},
                                                     {"strided", Walk::strided},
                                                     {"across", Walk::across}};
  kernel::ElementwiseForm form;
  std::istringstream words(text);
  if (text.starts_with("cores ")) {
    words.ignore(6);
    return parse_gufunc_form(words);
  }
  bool after_arrow = false;
  for (std::string word; words >> word;) {
    int number = 0;
    if (word == "->") {
      after_arrow = true;
    } else if (word == "narrow") {
      form.narrow = true;
    } else if (word == "streams") {
      form.streams = true;
    } else if (word == "shared") {
      form.shared_tiles = true;
    } else if (word == "tiles" && words >> number) {
      form.tile_axis = static_cast<uint8_t>(number);
    } else if ((word == "rank" || word == "group") && words >> number) {
      (word == "rank" ? form.rank : form.elems_per_thread) = static_cast<uint8_t>(number);
    } else if (const auto walk = kWalks.find(word); walk != kWalks.end()) {
      (after_arrow ? form.results : form.params).push_back(walk->second);
    } else {
      throw CaseError("no such part of a form: " + word);
    }
  }
  if (form.results.empty()) throw CaseError("a form without results: " + text);
  return form;
}

}  // namespace jitc::cases
