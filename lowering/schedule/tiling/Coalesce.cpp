#include "lowering/schedule/tiling/Coalesce.h"

using namespace mlir;

namespace opc {

CoalescedLoops coalesce(TilingMath &math, ArrayRef<Value> sizes, ArrayRef<Value> classes, unsigned most) {
  Value zero = math.constant(0), one = math.constant(1);
  CoalescedLoops loops;
  loops.count = zero;
  for (unsigned loop = 0; loop < kMaxLoops; ++loop) {
    loops.size[loop] = one;
    loops.type[loop] = zero;
  }
  Value current = math.constant(-1); // the class of the outermost loop so far
  unsigned seen = 0;                 // dimensions, each of which starts at most one loop
  for (auto [size, type] : llvm::zip_equal(sizes, classes)) {
    ++seen;
    Value opens = math.selectEqual(size, one, zero, math.selectEqual(type, current, zero, one));
    loops.count = math.add(loops.count, opens);
    current = math.selectEqual(size, one, current, type);
    for (unsigned loop = 0; loop < std::min(most, seen); ++loop) {
      Value number = math.constant(loop + 1);
      // A dimension of size 1 multiplies the current loop by 1.
      loops.size[loop] = math.mul(loops.size[loop], math.selectEqual(loops.count, number, size, one));
      loops.type[loop] = math.selectEqual(loops.count, number, current, loops.type[loop]);
    }
  }
  return loops;
}

} // namespace opc
