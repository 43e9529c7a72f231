// Compiled with exceptions, because a thread that cannot be started is one. std::async catches it if it may run the
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
