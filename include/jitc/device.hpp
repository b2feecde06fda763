// Where kernels run.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "jitc/api.hpp"
#include "jitc/array.hpp"

namespace jitc {

namespace runtime {
class Backend;
}

/// A handle to one device. Cheap to copy; safe to use from several threads.
class JITC_API Device {
 public:
  /// "cpu", or "auto": the best device there is (today the CPU). Throws Error(device) with what could be opened.
  static Device open(const std::string& name = "auto");

  /// "cpu".
  const std::string& name() const;
  /// Which device "auto" chose and why, as a sentence.
  const std::string& why() const;
  /// For people: the processor's name, its vector extension, the number of worker threads.
  std::string description() const;

  /// Uninitialised elements in C order. Throws Error(argument) for a negative extent, Error(memory) when there is no
  /// room.
  Array empty(const std::vector<int64_t>& shape, DType dtype) const;
  Array zeros(const std::vector<int64_t>& shape, DType dtype) const;
  /// Copies C-ordered host elements to a new array.
  Array to_device(const void* source, const std::vector<int64_t>& shape, DType dtype) const;
  template <class T>
  Array to_device(std::span<const T> source, const std::vector<int64_t>& shape) const {
    check_count(source.size(), shape);
    return to_device(source.data(), shape, dtype_of<T>());
  }
  template <class T>
  Array to_device(const std::vector<T>& source, const std::vector<int64_t>& shape) const {
    return to_device(std::span<const T>(source), shape);
  }
  template <class T>
  Array to_device(const std::vector<T>& source) const {
    return to_device(std::span<const T>(source), {static_cast<int64_t>(source.size())});
  }

  const std::shared_ptr<runtime::Backend>& backend() const { return backend_; }

 private:
  explicit Device(std::shared_ptr<runtime::Backend> backend, std::string why);
  static void check_count(size_t count_elems, const std::vector<int64_t>& shape);

  std::shared_ptr<runtime::Backend> backend_;
  std::string why_;
};

}  // namespace jitc
