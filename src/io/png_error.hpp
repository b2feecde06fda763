// libpng reports errors by longjmp: what both directions need for that.
#pragma once

#include <png.h>

namespace jitc::io {

/// Where libpng's last message goes, cut to its size: what is longjmp'ed over may own no memory.
struct PngError {
  char message[160] = "";
};

/// For png_create_…_struct(): remembers the message in the PngError that was given there, and jumps.
[[noreturn]] void jump_out(png_structp png, png_const_charp message);
/// Warnings are about what is left out anyway.
void ignore_warning(png_structp png, png_const_charp message);

}  // namespace jitc::io
