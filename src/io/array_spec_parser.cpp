// Text to ArgSpec: see the grammar in array_spec.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "src/io/array_file.hpp"
#include "src/io/array_spec.hpp"
#include "src/io/input_error.hpp"
#include "src/io/scalar_text.hpp"

namespace jitc::io {

namespace {

constexpr std::string_view kForms =
    "a SPEC is a number, file.npy, file.png, zeros:f4[100,3], ones:, empty:, arange:, full:2.5:f4[4], "
    "random:f8[9]:seed=0, "
    "normal:f4[9]:seed=0 or f4[3]{1, 2.5, nan}";

constexpr size_t kMaxRank = 64;

[[noreturn]] void fail(std::string_view spec, std::string_view what, std::string_view help = kForms) {
  throw InputError(ErrorCode::argument, fmt::format("'{}' is not a SPEC: {}", spec, what), std::string(help));
}

struct FillName {
  std::string_view name;
  FillSpec::Kind kind;
};
constexpr std::array<FillName, 8> kFills = {{{"zeros", FillSpec::Kind::zeros},
                                             {"empty", FillSpec::Kind::empty},
                                             {"ones", FillSpec::Kind::ones},
                                             {"full", FillSpec::Kind::full},
                                             {"arange", FillSpec::Kind::arange},
                                             {"random", FillSpec::Kind::random},
                                             {"normal", FillSpec::Kind::normal},
                                             {"xoroshiro", FillSpec::Kind::xoroshiro}}};

class SpecParser {
 public:
  explicit SpecParser(std::string_view text) : text_(text) {}

  ArgSpec parse();

 private:
  ArgSpec parse_fill(FillSpec::Kind kind);
  void parse_option(FillSpec& spec);
  std::optional<DType> parse_dtype();
  std::vector<int64_t> parse_shape();
  int64_t parse_extent();
  void parse_items(LiteralSpec& spec, size_t depth);
  void check_group(const LiteralSpec& spec, size_t axis, size_t count);
  void check_count(const LiteralSpec& spec);

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
  }
  bool at_end() const { return at_ >= text_.size(); }
  bool accept(char c) {
    skip_spaces();
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c, std::string_view where) {
    if (!accept(c)) fail(text_, fmt::format("'{}' is missing {}", c, where));
  }
  void expect_end() {
    skip_spaces();
    if (!at_end()) fail(text_, fmt::format("'{}' is too much", text_.substr(at_)));
  }
  /// The text up to one of `stops`, without spaces around it.
  std::string_view take_until(std::string_view stops) {
    skip_spaces();
    const size_t begin = at_;
    at_ = std::min(text_.find_first_of(stops, at_), text_.size());
    std::string_view out = text_.substr(begin, at_ - begin);
    while (!out.empty() && (out.back() == ' ' || out.back() == '\t' || out.back() == '\n')) out.remove_suffix(1);
    return out;
  }

  std::string_view text_;
  size_t at_ = 0;
};

/// spec := fill | literal | typed | file | scalar
ArgSpec SpecParser::parse() {
  skip_spaces();
  if (at_end()) fail(text_, "it is empty");
  // A path wins over everything that could be read into it: `zeros:1.npy` is a file.
  if (is_array_file(text_)) return FileSpec{std::string(text_)};

  // Python writes complex numbers in parentheses.
  if (text_[at_] == '(' && looks_like_scalar(text_.substr(at_))) {
    return ScalarSpec{std::nullopt, std::string(text_.substr(at_))};
  }
  const size_t begin = at_;
  const std::string_view word = take_until(":[({");
  if (accept(':')) {
    const auto fill = std::find_if(kFills.begin(), kFills.end(), [&](const FillName& f) { return f.name == word; });
    if (fill == kFills.end()) fail(text_, fmt::format("'{}:' makes no array", word));
    return parse_fill(fill->kind);
  }
  if (accept('(')) {
    const std::optional<DType> dtype = dtype_from_name(word);
    if (!dtype) fail(text_, fmt::format("'{}' is no type", word));
    const std::string value(take_until(")"));
    expect(')', "after the value");
    expect_end();
    return ScalarSpec{dtype, value};
  }
  if (at_end()) {
    if (!looks_like_scalar(word)) fail(text_, "it is neither a number nor a file that ends in .npy or .png");
    return ScalarSpec{std::nullopt, std::string(word)};
  }
  at_ = begin;
  LiteralSpec literal{parse_dtype(), parse_shape(), {}};
  expect('{', "before the elements");
  parse_items(literal, 1);
  expect_end();
  check_count(literal);
  return literal;
}

/// fill := name ":" [scalar ":"] type { ":" option }, after the first colon
ArgSpec SpecParser::parse_fill(FillSpec::Kind kind) {
  FillSpec spec;
  spec.kind = kind;
  if (kind == FillSpec::Kind::full) {
    spec.value = take_until(":");
    expect(':', "between the value and the type");
  }
  spec.dtype = parse_dtype();
  spec.shape = parse_shape();
  while (accept(':')) parse_option(spec);
  expect_end();
  return spec;
}

/// option := ("seed" | "low" | "high") "=" scalar
void SpecParser::parse_option(FillSpec& spec) {
  const std::string_view key = take_until("=:");
  const bool is_random = spec.kind == FillSpec::Kind::random;
  const bool has_seed = is_random || spec.kind == FillSpec::Kind::normal || spec.kind == FillSpec::Kind::xoroshiro;
  const bool known = (key == "seed" && has_seed) || ((key == "low" || key == "high") && is_random);
  if (!known) {
    fail(text_, fmt::format("'{}' is not an option of it", key),
         "random takes seed=, low= and high=; normal and xoroshiro take seed=; the others take none");
  }
  expect('=', fmt::format("after {}", key));
  const std::string value(take_until(":"));
  if (key != "seed") {
    (key == "low" ? spec.low : spec.high) = value;
    return;
  }
  const ScalarResult seed = parse_scalar(value, DType::u8);
  if (!seed.value) fail(text_, fmt::format("seed: {}", seed.problem));
  spec.seed = seed.value->bits;
}

/// [dtype], up to the bracket of the shape
std::optional<DType> SpecParser::parse_dtype() {
  const std::string_view word = take_until("[:{=");
  if (word.empty()) return std::nullopt;
  const std::optional<DType> dtype = dtype_from_name(word);
  if (!dtype) {
    fail(text_, fmt::format("'{}' is no type", word),
         "the types are b1, i1 i2 i4 i8, u1 u2 u4 u8, f2, bf16, f4, f8, c8 and c16");
  }
  return dtype;
}

/// "[" [ extent { "," extent } ] "]"
std::vector<int64_t> SpecParser::parse_shape() {
  std::vector<int64_t> shape;
  expect('[', "before the shape");
  if (accept(']')) return shape;
  do {
    if (shape.size() == kMaxRank) fail(text_, fmt::format("more than {} axes", kMaxRank));
    shape.push_back(parse_extent());
  } while (accept(','));
  expect(']', "after the shape");
  return shape;
}

/// extent := digits
int64_t SpecParser::parse_extent() {
  const std::string_view word = take_until(",]{");
  const ScalarResult extent = parse_scalar(word, DType::i8);
  if (!extent.value || static_cast<int64_t>(extent.value->bits) < 0) {
    fail(text_, fmt::format("'{}' is not an extent", word), "an extent is a whole number of elements, 0 or more");
  }
  return static_cast<int64_t>(extent.value->bits);
}

/// "{" [ item { "," item } [ "," ] ] "}", after the first brace; `depth` braces are open
void SpecParser::parse_items(LiteralSpec& spec, size_t depth) {
  if (depth > std::max<size_t>(spec.shape.size(), 1)) fail(text_, "the braces are nested deeper than the shape");
  while (!accept('}')) {
    if (accept('{')) {
      const size_t before = spec.items.size();
      parse_items(spec, depth + 1);
      check_group(spec, depth, spec.items.size() - before);
    } else {
      const std::string_view item = take_until(",{}");
      if (item.empty()) fail(text_, "an element is missing");
      spec.items.emplace_back(item);
    }
    if (accept('}')) return;
    expect(',', "between elements");
  }
}

/// Inner braces hold what the axes from `axis` on hold.
void SpecParser::check_group(const LiteralSpec& spec, size_t axis, size_t count) {
  int64_t wanted = 1;
  for (; axis < spec.shape.size(); ++axis) {
    if (__builtin_mul_overflow(wanted, spec.shape[axis], &wanted)) wanted = INT64_MAX;
  }
  if (static_cast<int64_t>(count) != wanted) {
    fail(text_, fmt::format("inner braces hold {} elements, the shape says {}", count, wanted),
         "nest the braces as the shape does, or write all elements flat");
  }
}

void SpecParser::check_count(const LiteralSpec& spec) {
  int64_t wanted = 1;
  for (const int64_t extent : spec.shape) {
    if (__builtin_mul_overflow(wanted, extent, &wanted)) wanted = INT64_MAX;
  }
  if (static_cast<int64_t>(spec.items.size()) != wanted) {
    fail(text_, fmt::format("{} elements are written, the shape holds {}", spec.items.size(), wanted),
         "write every element, or use full:VALUE:TYPE for equal ones");
  }
}

}  // namespace

ArgSpec parse_arg_spec(std::string_view text) { return SpecParser(text).parse(); }

}  // namespace jitc::io
