#include "src/io/format_array.hpp"
namespace jitc::io {
std::string format_pretty(const HostArray& array) { return format_literal(array); }
}  // namespace jitc::io
