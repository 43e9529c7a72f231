// The lines of global memory that L2 holds, if a launch models it: those that loads and stores touched last. All of L2
// serves any line, and every line that is touched is kept; the chip's rules are not public. L2 begins empty.

#ifndef OPC_RUNTIME_DEVICE_SIM_L2_H
#define OPC_RUNTIME_DEVICE_SIM_L2_H

#include "runtime/device/sim/launch/Observer.h"
#include "runtime/target/Target.h"

#include <list>
#include <unordered_map>

namespace opc::sim {

class L2 {
public:
  explicit L2(const Target &target);

  /// An access to global memory. Returns how many of its bytes L2 has; it has all of them afterwards. Tensors begin
  /// with a line.
  int64_t touch(const SimAccess &access);

private:
  struct Line {
    uint64_t tensor;
    int64_t number;
    bool operator==(const Line &other) const { return tensor == other.tensor && number == other.number; }
  };
  struct Hash {
    size_t operator()(const Line &line) const {
      return size_t(line.tensor * 0x9e3779b97f4a7c15u) ^ size_t(uint64_t(line.number) * 0xff51afd7ed558ccdu);
    }
  };
  bool touchLine(const Line &line);

  const int64_t lineBytes;
  const size_t most;      ///< lines
  std::list<Line> latest; ///< the one that was touched last is the first
  std::unordered_map<Line, std::list<Line>::iterator, Hash> places;
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_L2_H
