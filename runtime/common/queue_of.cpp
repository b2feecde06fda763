#include "runtime/common/queue_of.hpp"

#include "runtime/common/error.hpp"

namespace jitc::runtime {

const std::shared_ptr<Queue>& queue_of(const Stream& stream, Backend& backend, std::string_view subject) {
  if (stream.is_default()) return backend.default_queue();
  if (&stream.queue()->backend() != &backend) {
    fail(ErrorCode::argument, "{} of device {} cannot be used on a stream of device {}", subject, backend.name(),
         stream.queue()->backend().name());
  }
  return stream.queue();
}

}  // namespace jitc::runtime
