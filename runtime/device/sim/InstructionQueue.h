// A queue of instructions in memory that it keeps: an instruction fills a block of a std::deque, which would ask for
// memory for each one.

#ifndef OPC_RUNTIME_DEVICE_SIM_INSTRUCTIONQUEUE_H
#define OPC_RUNTIME_DEVICE_SIM_INSTRUCTIONQUEUE_H

#include "runtime/device/sim/launch/Observer.h"

#include <algorithm>
#include <vector>

namespace opc::sim {

/// First in, first out. A reference to the front is valid until the next push or pop.
class InstructionQueue {
public:
  bool empty() const { return count == 0; }
  size_t size() const { return count; }
  SimInstruction &front() { return ring[first]; }
  const SimInstruction &front() const { return ring[first]; }

  void push(const SimInstruction &op) {
    if (count == ring.size())
      grow();
    ring[(first + count++) & (ring.size() - 1)] = op;
  }
  /// The queue must not be empty.
  void pop() {
    first = (first + 1) & (ring.size() - 1);
    --count;
  }

private:
  static constexpr size_t kFewest = 8;

  void grow() {
    std::rotate(ring.begin(), ring.begin() + long(first), ring.end());
    first = 0;
    ring.resize(std::max(kFewest, 2 * ring.size()));
  }

  std::vector<SimInstruction> ring; ///< none, or a power of two
  size_t first = 0, count = 0;
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_INSTRUCTIONQUEUE_H
