#include "bench/cubin.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <regex>
#include <stdexcept>
#include <string_view>

namespace jitc::bench {
namespace {

// sm_70 and newer: 16 bytes each, the opcode in the low 12 bits.
constexpr size_t kInstructionBytes = 16;
constexpr uint64_t kOpcodeMask = 0xfff, kNop = 0x918;

template <class T>
T read_at(std::string_view bytes, size_t offset) {
  if (offset > bytes.size() || sizeof(T) > bytes.size() - offset) throw std::runtime_error("the cubin is too short");
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

/// The bytes of one section of an ELF-64 file.
std::string_view section(std::string_view elf, const std::string& name) {
  const auto header = read_at<Elf64_Ehdr>(elf, 0);
  const auto section_header = [&](size_t index) {
    return read_at<Elf64_Shdr>(elf, header.e_shoff + index * header.e_shentsize);
  };
  const std::string_view names = elf.substr(section_header(header.e_shstrndx).sh_offset);
  for (size_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr found = section_header(i);
    if (names.substr(found.sh_name, name.size() + 1) == std::string_view(name.c_str(), name.size() + 1))
      return elf.substr(found.sh_offset, found.sh_size);
  }
  throw std::runtime_error("the cubin has no section " + name);
}

int number_before(const std::string& log, const std::string& words) {
  std::smatch match;
  if (!std::regex_search(log, match, std::regex("(\\d+)" + words)))
    throw std::runtime_error(fmt::format("ptxas did not say how many{}", words));
  return std::stoi(match[1]);
}

}  // namespace

CubinCounts count_cubin(const std::string& cubin, const std::string& symbol, const std::string& ptxas_log) {
  CubinCounts counts;
  const std::string_view code = section(cubin, ".text." + symbol);
  for (size_t at = 0; at < code.size(); at += kInstructionBytes) {
    if ((read_at<uint64_t>(code, at) & kOpcodeMask) != kNop) ++counts.instructions;
  }
  counts.registers = number_before(ptxas_log, " registers");
  counts.stack_bytes = number_before(ptxas_log, " bytes stack frame");
  counts.spill_bytes = number_before(ptxas_log, " bytes spill stores") + number_before(ptxas_log, " bytes spill loads");
  return counts;
}

}  // namespace jitc::bench
