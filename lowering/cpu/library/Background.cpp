// Compiled with exceptions: a thread that cannot be started is one, and std::async catches it when it may run the
// work later instead.

#include "lowering/cpu/library/Background.h"

#include <utility>

namespace opc::cpu {

Background::Background(std::function<void()> work)
    : done(std::async(std::launch::async | std::launch::deferred, std::move(work))) {
}

void Background::wait() {
  if (done.valid())
    done.get();
}

} // namespace opc::cpu
