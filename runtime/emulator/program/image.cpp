#include "runtime/emulator/program/image.hpp"

#include <bit>
#include <cstring>

#include "runtime/emulator/program/address_space.hpp"

namespace jitc::emulator {
namespace {

/// PTX ISA, "Constant State Space": 64 KiB and ten regions more. Globals: what a test machine can give.
constexpr uint64_t kMostConstantBytes = 11 * 65536;
constexpr uint64_t kMostGlobalBytes = uint64_t{1} << 31;

uint64_t align_up(uint64_t offset, uint64_t align) { return (offset + align - 1) / align * align; }

class ImageMaker {
 public:
  explicit ImageMaker(const Module& module) : module_(module), functions_(functions_by_name(module)) {}

  Image make() {
    for (const Variable& variable : module_.variables) place(variable);
    for (const Variable& variable : module_.variables) fill(variable);
    return std::move(image_);
  }

 private:
  static bool is_placed(const Variable& variable) { return variable.space != Space::shared; }

  void place(const Variable& variable) {
    if (!is_placed(variable)) return;
    const auto index = static_cast<uint32_t>(image_.symbols.size());
    if (!image_.symbol_by_name.emplace(variable.name, index).second) {
      refuse(variable.at, "duplicate definition of variable '{}'", variable.name);
    }
    uint64_t& end = variable.space == Space::constant ? image_.constant_bytes : image_.global_bytes;
    const uint64_t offset = align_up(end, std::max(variable.align_bytes, 1u));
    const uint64_t most = variable.space == Space::constant ? kMostConstantBytes : kMostGlobalBytes;
    end = offset + variable.total_bytes();
    if (end > most) refuse(variable.at, "'{}' does not fit its state space", variable.name);
    image_.symbols.push_back({std::string(variable.name), variable.space, offset, variable.total_bytes(),
                              variable.align_bytes, variable.linkage != Linkage::internal});
  }

  void fill(const Variable& variable) {
    if (!is_placed(variable) || variable.initial.empty()) return;
    if (variable.type == Type::b128) refuse(variable.at, "a .b128 takes no initial value");
    const Symbol& symbol = image_.symbols[image_.symbol_by_name.at(std::string(variable.name))];
    const uint32_t size = size_bytes(variable.type);
    InitialBytes initial = {variable.space, symbol.offset_bytes,
                            std::vector<std::byte>(size * variable.initial.size())};
    for (size_t i = 0; i < variable.initial.size(); ++i) {
      const InitialValue& value = variable.initial[i];
      if (const auto* name = std::get_if<NameOperand>(&value.value)) {
        add_relocation(variable, value, *name, symbol.offset_bytes + i * size);
      } else {
        const uint64_t bits = number_bits(variable.type, value);
        std::memcpy(initial.bytes.data() + i * size, &bits, size);
      }
    }
    image_.initial.push_back(std::move(initial));
  }

  void add_relocation(const Variable& variable, const InitialValue& initial, const NameOperand& name, uint64_t at) {
    const auto symbol = image_.symbol_by_name.find(std::string(name.name));
    const auto function = functions_.find(name.name);
    const bool is_function = symbol == image_.symbol_by_name.end();
    if (is_function && function == functions_.end()) refuse(initial.at, "unknown symbol '{}'", name.name);
    const bool fits = size_bytes(variable.type) == 8 || initial.mask != ~uint64_t{0};
    if (!fits) refuse(initial.at, "the address of '{}' does not fit a .{}", name.name, name_of(variable.type));
    image_.relocations.push_back({variable.space, at, size_bytes(variable.type), initial.mask, is_function,
                                  is_function ? function->second : symbol->second, name.offset_bytes});
  }

  static uint64_t number_bits(Type type, const InitialValue& initial) {
    if (const auto* integer = std::get_if<IntegerOperand>(&initial.value)) return integer_bits(type, initial, *integer);
    const auto real = std::get<RealOperand>(initial.value);
    const bool is_wide = type == Type::f64 || type == Type::b64;
    if (!is_wide && type != Type::f32 && type != Type::b32) refuse(initial.at, "a real number in a .{}", name_of(type));
    if (real.is_single) {
      const auto value = std::bit_cast<float>(static_cast<uint32_t>(real.bits));
      return is_wide ? std::bit_cast<uint64_t>(double{value}) : real.bits;
    }
    const auto narrow = static_cast<float>(std::bit_cast<double>(real.bits));
    return is_wide ? real.bits : std::bit_cast<uint32_t>(narrow);
  }

  static uint64_t integer_bits(Type type, const InitialValue& initial, const IntegerOperand& integer) {
    if (kind_of(type) == TypeKind::real && integer.bits != 0) refuse(initial.at, "an integer in a .{}", name_of(type));
    return integer.bits;
  }

  const Module& module_;
  std::unordered_map<std::string_view, uint32_t> functions_;
  Image image_;
};

}  // namespace

std::unordered_map<std::string_view, uint32_t> functions_by_name(const Module& module) {
  std::unordered_map<std::string_view, uint32_t> functions;
  for (uint32_t i = 0; i < module.functions.size(); ++i) {
    const auto [place, is_new] = functions.emplace(module.functions[i].name, i);
    if (!is_new && module.functions[i].has_body) place->second = i;
  }
  for (const Alias& alias : module.aliases) {
    const auto function = functions.find(alias.function);
    if (function == functions.end() || !module.functions[function->second].has_body) {
      refuse(alias.at, "'{}' has no body that '{}' could be", alias.function, alias.name);
    }
    functions[alias.name] = function->second;
  }
  return functions;
}

Image make_image(const Module& module) { return ImageMaker(module).make(); }

void initialise(const Image& image, std::span<std::byte> global, std::span<std::byte> constant) {
  const auto segment = [&](Space space) { return space == Space::constant ? constant : global; };
  for (const InitialBytes& initial : image.initial) {
    std::memcpy(segment(initial.space).data() + initial.at_bytes, initial.bytes.data(), initial.bytes.size());
  }
  for (const Relocation& relocation : image.relocations) {
    uint64_t address = kFunctionWindow.base + kFunctionBytes * relocation.target;
    if (!relocation.is_function) {
      const Symbol& symbol = image.symbols[relocation.target];
      address = reinterpret_cast<uint64_t>(segment(symbol.space).data()) + symbol.offset_bytes;
    }
    address += static_cast<uint64_t>(relocation.addend_bytes);
    const uint64_t bits = relocation.mask == 0 ? 0 : (address & relocation.mask) >> std::countr_zero(relocation.mask);
    std::memcpy(segment(relocation.space).data() + relocation.at_bytes, &bits, relocation.width_bytes);
  }
}

}  // namespace jitc::emulator
