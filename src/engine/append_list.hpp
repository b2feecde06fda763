// A list that only grows, and that readers walk without a lock.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <utility>

namespace jitc::engine {

/// Elements stay where they are as long as the list. Looking through it takes no lock, and time in proportion to its
/// length: it is meant for few elements.
template <class T>
class AppendList {
 public:
  AppendList() = default;
  AppendList(const AppendList&) = delete;
  AppendList& operator=(const AppendList&) = delete;
  ~AppendList() {
    const Node* node = newest_.load(std::memory_order_relaxed);
    while (node != nullptr) delete std::exchange(node, node->older);
  }

  /// Elements that were appended before the call.
  size_t size() const {
    const Node* node = newest_.load(std::memory_order_acquire);
    return node != nullptr ? node->index + 1 : 0;
  }

  /// The newest element for which `test(index, element)` holds; null when there is none.
  template <class Test>
  T* find(const Test& test) const {
    for (Node* node = newest_.load(std::memory_order_acquire); node != nullptr; node = node->older) {
      if (test(node->index, node->value)) return &node->value;
    }
    return nullptr;
  }

  /// Appends an element made of `args` and returns its index; calls may come from several threads.
  template <class... Args>
  size_t append(Args&&... args) {
    const std::lock_guard lock(mutex_);
    return link(std::forward<Args>(args)...)->index;
  }

  /// The newest element for which `test` holds, or one made of `args`.
  template <class Test, class... Args>
  T& find_or_append(const Test& test, Args&&... args) {
    const std::lock_guard lock(mutex_);
    T* found = find(test);
    return found != nullptr ? *found : link(std::forward<Args>(args)...)->value;
  }

 private:
  struct Node {
    template <class... Args>
    explicit Node(Node* next_older, Args&&... args)
        : older(next_older),
          index(next_older != nullptr ? next_older->index + 1 : 0),
          value(std::forward<Args>(args)...) {}
    Node* const older;
    const size_t index;
    T value;
  };

  template <class... Args>
  Node* link(Args&&... args) {
    auto* node = new Node(newest_.load(std::memory_order_relaxed), std::forward<Args>(args)...);
    newest_.store(node, std::memory_order_release);
    return node;
  }

  std::mutex mutex_;  // appending
  std::atomic<Node*> newest_{nullptr};
};

}  // namespace jitc::engine
