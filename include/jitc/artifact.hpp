// What the compiler hands to the runtime: plain data, nothing to parse. One Artifact holds one kernel for one target.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "jitc/dtype.hpp"

namespace jitc {

enum class Layout : uint8_t {
  any,      ///< byte strides are arguments
  c,        ///< C-contiguous: strides follow from the extents
  fortran,  ///< Fortran-contiguous
};

/// One argument as the user wrote it in the signature.
struct ArgumentInfo {
  std::string name;
  DType dtype = DType::f8;
  bool is_array = false;
  int rank = 0;  ///< arrays: 1 to 3
  Layout layout = Layout::any;
  bool written = false;  ///< arrays: some path of the kernel may store to it
  bool read = false;     ///< arrays: some path of the kernel may load from it
  /// Arrays with named extents (f4[n,m]): one name per axis, empty where unnamed. Equal names must have equal extents.
  std::vector<std::string> extent_names;
};

/// One parameter of the compiled entry: an argument's scalar value, or one part of an array argument. Parts that the
/// kernel does not use are absent.
struct ParamSlot {
  enum class Part : uint8_t { scalar, data, extent, stride };
  Part part = Part::scalar;
  uint32_t argument = 0;      ///< index into Artifact::arguments
  uint32_t axis = 0;          ///< extent, stride; scalar: 1 for the imaginary part of a complex number
  uint32_t offset_bytes = 0;  ///< in the parameter block, naturally aligned, in slot order
  uint32_t size_bytes =
      0;  ///< scalar: of its type (b1: 1), or of a complex number's part; data, extent (i64), stride (i64, bytes): 8
};

enum class FailKind : uint8_t { index, assertion, raise, zero_division, barrier };

/// A place in the source where a checked kernel can stop a thread.
struct FailSite {
  FailKind kind = FailKind::index;
  std::string subject;  ///< the array's name, or the assertion's message
  uint32_t line = 0;    ///< 1-based
  uint32_t column = 0;
  uint32_t axis = 0;  ///< index: which axis was left
};

struct Artifact {
  enum class Kind : uint8_t { ptx, cpu_object };

  Kind kind = Kind::ptx;
  std::string target;     ///< "sm_80", or the host CPU's LLVM name
  std::string code;       ///< PTX text, or the bytes of an ELF object
  std::string symbol;     ///< entry name in `code`
  std::string name;       ///< the kernel's name in the source
  std::string signature;  ///< canonical, e.g. "void(f4, f4[:], f4[:])"
  std::string file;       ///< name of the source text
  std::vector<ArgumentInfo> arguments;
  std::vector<ParamSlot> params;
  uint32_t params_size_bytes = 0;
  /// PTX: the entry's one parameter is the address of the block in global memory, aligned to 8.
  bool params_in_memory = false;
  /// Checked kernels only: what a FailRecord's site means. On PTX the record is the global `<symbol>__fail`.
  std::vector<FailSite> fail_sites;
  uint32_t static_shared_bytes = 0;  ///< per block
  bool cooperative = false;          ///< waits for the whole grid: all its blocks must run at once
  uint64_t cpu_scratch_bytes = 0;    ///< CPU objects, both: see cpu_scratch_size()
  uint64_t cpu_scratch_bytes_per_thread = 0;
  bool prints = false;                    ///< writes lines to the host's standard output
  uint32_t max_threads_per_block = 1024;  ///< launch bounds
  int ptx_isa = 0;                        ///< 10 * major + minor of `.version`
};

}  // namespace jitc
