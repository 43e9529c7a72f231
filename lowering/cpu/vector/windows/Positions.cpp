#include "lowering/cpu/vector/windows/Positions.h"

using namespace llvm;

namespace opc::cpu {

ValidRange validRange(CodeBuilder &b, Value *start, int64_t step, Value *size, Value *count) {
  auto stepsUpTo = [&](Value *distance) {
    Value *rounded = b.CreateAdd(b.max(distance, b.index(0)), b.index(step - 1));
    return step == 1 ? rounded : b.CreateUDiv(rounded, b.index(step));
  };
  Value *behind = b.min(stepsUpTo(b.CreateSub(size, start)), count);
  return {b.min(stepsUpTo(b.CreateNeg(start)), behind), behind};
}

Value *loadStrided(CodeBuilder &b, Value *pointer, Value *i, const Element &element, unsigned lanes, int64_t stride) {
  if (stride == 1 || lanes == 0)
    return load(b, pointer, i, element, lanes);
  if (stride == kVectorStride) {
    // With two vectors, the second one ends with the last needed element.
    Value *low = load(b, pointer, i, element, lanes);
    Value *high = load(b, pointer, b.CreateAdd(i, b.index(int64_t(lanes) - 1)), element, lanes);
    SmallVector<int> mask;
    for (unsigned lane = 0; lane < lanes; ++lane)
      mask.push_back(lane < (lanes + 1) / 2 ? int(2 * lane) : int(2 * lane + 1));
    return b.CreateShuffleVector(low, high, mask);
  }
  Value *vector = PoisonValue::get(withLanes(element.computed, lanes));
  for (unsigned lane = 0; lane < lanes; ++lane)
    vector = b.CreateInsertElement(
        vector, load(b, pointer, b.CreateAdd(i, b.index(int64_t(lane) * stride)), element, 0), uint64_t(lane));
  return vector;
}

} // namespace opc::cpu
