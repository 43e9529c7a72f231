// The numbers of a kernel on which the rest of a body depends, and how: a loop whose body chooses its slot by (i * n +
// j) mod 2 behaves the same for i = 0 and i = 2.
//
// A number is demanded exactly, or modulo a divisor: the latter if it is only added to and multiplied by non-negative
// numbers before the remainder is taken. Offsets in tensors demand nothing (TensorPlaces.h).

#ifndef OPC_LOWERING_AICORE_VERIFY_ORDER_DEMANDS_H
#define OPC_LOWERING_AICORE_VERIFY_ORDER_DEMANDS_H

#include "lowering/aicore/verify/order/program/KernelProgram.h"

#include <vector>

namespace opc::aicore::proof {

class Demands {
public:
  /// Pairs of a slot and its divisor, or 0 for the exact number. The trip count of a loop that divides a tile into rows
  /// has the slot number of slots plus that of the loop.
  using Live = std::vector<std::pair<Slot, int64_t>>;

  /// Instructions without a loop, branch or bound between them.
  struct Segment {
    unsigned number; ///< among the segments of the kernel
    Live live;       ///< the numbers on which the instructions depend, as of the first one
  };

  explicit Demands(const KernelProgram &program);

  /// The numbers on which the body of a loop depends, its counter included.
  const Live &ofBody(unsigned loop) const { return bodies[loop]; }
  /// The numbers on which a loop depends, its bound included.
  const Live &ofLoop(unsigned loop) const { return loops[loop]; }
  /// The numbers on which the steps of the kernel from one on depend.
  const Live &ofRest(size_t step) const { return rests[step]; }
  /// The numbers on which a single step of the kernel depends; none if the result of a computation is not demanded.
  const Live &ofStep(size_t step) const { return steps[step]; }

  /// The segment that begins with an instruction: the first of its body, or the first after a loop, branch or bound.
  const Segment &ofSegment(const Step &first) const { return segments.find(&first)->second; }

private:
  using Found = llvm::DenseMap<Slot, int64_t>;
  void demand(Found &live, Slot slot, int64_t divisor) const;
  void operands(Found &live, const Step &step, int64_t divisor) const;
  void instruction(Found &live, const Instruction &instruction) const;
  void step(Found &live, const Step &step);
  void body(Found &live, const Body &body);
  void findSigns(const Body &body);
  void findSegments(const Body &body);

  const KernelProgram &program;
  std::vector<char> varies, isNatural; ///< by slot: whether a step sets it; whether it is never negative
  std::vector<Live> bodies, loops, rests, steps;
  llvm::DenseMap<const Step *, Segment> segments;
};

} // namespace opc::aicore::proof

#endif // OPC_LOWERING_AICORE_VERIFY_ORDER_DEMANDS_H
