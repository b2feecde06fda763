// The only file that differs between the libraries: what version they pose as when nobody says.
#include "tests/fakes/state.hpp"

namespace jitc::tests::fake {

extern const int kNewestDriverVersion = JITC_FAKE_DRIVER_VERSION;

}  // namespace jitc::tests::fake
