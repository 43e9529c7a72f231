// Which numbers of a kernel the rest of a body depends on, and how: a loop whose body takes its slot by
// (i * n + j) mod 2 does the same for i = 0 and i = 2.
//
// A number is demanded as it is, or up to a divisor: where it is only added to and multiplied by other numbers, none of
// them negative, until the remainder is taken. Places in tensors demand nothing (TensorPlaces.h).

#ifndef OPC_LOWERING_AICORE_VERIFY_ORDER_DEMANDS_H
#define OPC_LOWERING_AICORE_VERIFY_ORDER_DEMANDS_H

#include "lowering/aicore/verify/order/KernelProgram.h"

#include <vector>

namespace opc::aicore::proof {

class Demands {
public:
  /// By slot, the divisor, or 0 for the number as it is. The trip count of a loop that divides a tile into rows has the
  /// number of slots plus that of the loop.
  using Live = std::vector<std::pair<Slot, int64_t>>;

  explicit Demands(const KernelProgram &program);

  /// What the body of a loop depends on, its counter included.
  const Live &ofBody(unsigned loop) const { return bodies[loop]; }
  /// What a loop depends on, its bound included.
  const Live &ofLoop(unsigned loop) const { return loops[loop]; }
  /// What the steps of the kernel from one on depend on.
  const Live &ofRest(size_t step) const { return rests[step]; }
  /// What a single step of the kernel depends on; nothing if the result of a computation is not demanded.
  const Live &ofStep(size_t step) const { return steps[step]; }

private:
  using Found = llvm::DenseMap<Slot, int64_t>;
  void demand(Found &live, Slot slot, int64_t divisor) const;
  void operands(Found &live, const Step &step, int64_t divisor) const;
  void instruction(Found &live, const Instruction &instruction) const;
  void step(Found &live, const Step &step);
  void body(Found &live, const Body &body);
  void findSigns(const Body &body);

  const KernelProgram &program;
  std::vector<char> varies, isNatural; ///< by slot: whether a step sets it; whether it is never negative
  std::vector<Live> bodies, loops, rests, steps;
};

} // namespace opc::aicore::proof

#endif // OPC_LOWERING_AICORE_VERIFY_ORDER_DEMANDS_H
