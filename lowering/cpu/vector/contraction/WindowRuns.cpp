#include "lowering/cpu/vector/contraction/WindowRuns.h"

using namespace llvm;

namespace opc::cpu {

Windows::Windows(CodeBuilder &b, const WindowedMatrix &matrix, unsigned first)
    : b(b), element(matrix.element), down(matrix.steps[0]), along(matrix.steps[1]), lanes(b.level.vectorBits / 32),
      from(b.function->getArg(first)), channelStep(b.function->getArg(first + 1)), deep(matrix.depth) {
  for (unsigned axis = 0; axis < 2; ++axis) {
    in[axis] = b.function->getArg(first + 2 + axis);
    of[axis] = b.function->getArg(first + 4 + axis);
    out[axis] = b.function->getArg(first + 6 + axis);
  }
  if (deep) {
    inDepth = b.function->getArg(first + 8);
    ofDepth = b.max(b.function->getArg(first + 9), b.index(1));
    firstPlane = b.function->getArg(first + 10);
  }
}

SmallVector<Value *> Windows::argumentsOf(const WindowedMatrix &matrix) {
  const Frame::WindowSizes &sizes = matrix.sizes;
  SmallVector<Value *> arguments = {matrix.from, matrix.channelStep, sizes.in[0],  sizes.in[1],
                                    sizes.of[0], sizes.of[1],        sizes.out[0], sizes.out[1]};
  if (matrix.depth)
    arguments.append({sizes.inDepth, sizes.ofDepth, matrix.depth->firstPlane});
  return arguments;
}

std::string Windows::nameOf(StringRef what, const WindowedMatrix &matrix) {
  std::string name = ("windows." + what + "." + panelName({nullptr, nullptr, matrix.element})).str();
  for (const WindowSteps &steps : matrix.steps)
    for (int64_t each : {steps.stride, steps.dilation, steps.padBegin})
      name += "." + std::to_string(each);
  if (matrix.depth)
    name += ".deep." + std::to_string(matrix.depth->steps.dilation);
  return name;
}

Values Windows::channelAt(Value *number) {
  if (!deep)
    return {b.CreateMul(number, channelStep)};
  return {b.CreateMul(b.CreateUDiv(number, ofDepth), channelStep), b.CreateURem(number, ofDepth)};
}

Values Windows::nextChannel(ArrayRef<Value *> channel) {
  if (!deep)
    return {b.CreateAdd(channel[0], channelStep)};
  Value *next = b.CreateAdd(channel[1], b.index(1)), *isEnd = b.CreateICmpSGE(next, ofDepth);
  return {b.CreateAdd(channel[0], b.CreateSelect(isEnd, channelStep, b.index(0))),
          b.CreateSelect(isEnd, b.index(0), next)};
}

Value *Windows::planeNumber(ArrayRef<Value *> channel) {
  return b.CreateAdd(firstPlane, b.CreateMul(channel[1], b.index(deep->steps.dilation)));
}

Value *Windows::hasPlane(ArrayRef<Value *> channel) {
  return deep ? b.CreateICmpULT(planeNumber(channel), inDepth) : nullptr;
}

Value *Windows::planeOf(ArrayRef<Value *> channel) {
  Value *offset = channel[0];
  if (deep) {
    Value *number = b.CreateSelect(hasPlane(channel), planeNumber(channel), b.index(0));
    offset = b.CreateAdd(offset, b.CreateMul(number, b.CreateMul(in[0], in[1])));
  }
  return b.at(from, element.memory, offset);
}

void Windows::forRuns(Value *column, Value *columns, function_ref<void(Value *, Value *, Value *, Value *)> each) {
  Values start = {b.CreateUDiv(column, out[1]), b.CreateURem(column, out[1])};
  b.whileBefore(b.index(0), columns, start, [&](Value *at, ArrayRef<Value *> place) -> Values {
    Value *count = b.min(b.CreateSub(out[1], place[1]), b.CreateSub(columns, at));
    each(at, place[0], place[1], count);
    return {b.CreateAdd(at, count), b.CreateAdd(place[0], b.index(1)), b.index(0)};
  });
}

void Windows::zeros(Value *to, Value *begin, Value *end) {
  b.loop(begin, end, b.index(lanes),
         [&](Value *i) { storeFloats(Constant::getNullValue(withLanes(b.getFloatTy(), lanes)), to, i); });
}

void Windows::copy(Value *to, Value *row, Value *start, Value *count, Value *behindStart) {
  auto move = [&](Value *i, unsigned lanes) {
    Value *at = b.CreateAdd(start, b.CreateMul(i, b.index(along.stride)));
    storeFloats(loadStrided(b, row, at, element, lanes, along.stride), to, i);
  };
  auto each = [&]() -> Values {
    b.loop(b.index(0), count, b.index(1), [&](Value *i) { move(i, 0); });
    return {};
  };
  if (along.stride > kVectorStride) {
    each();
    return;
  }
  b.ifElse(
      b.CreateICmpSGE(count, b.index(lanes)),
      [&]() -> Values {
        Value *last = b.CreateSub(count, b.index(lanes));
        b.loop(b.index(0), count, b.index(lanes), [&](Value *i) { move(b.min(i, last), lanes); });
        return {};
      },
      [&]() -> Values {
        if (along.stride != 1) {
          // A vector may read elements of the next rows, which no result uses.
          Value *reach = b.index(int64_t(lanes - 1) * along.stride);
          return b.ifElse(
              b.CreateICmpSLT(reach, behindStart),
              [&]() -> Values {
                move(b.index(0), lanes);
                return {};
              },
              each);
        }
        b.ifThen(b.CreateICmpSGT(count, b.index(0)),
                 [&] { storeFloats(loadPart(b, row, start, count, element, lanes), to, b.index(0)); });
        return {};
      });
}

void Windows::run(Value *to, Value *plane, Value *row, Value *start, Value *count) {
  ValidRange range = validRange(b, start, along.stride, in[1], count);
  Value *isInside = b.CreateICmpULT(row, in[0]), *zero = b.index(0);
  range = {b.CreateSelect(isInside, range.first, zero), b.CreateSelect(isInside, range.behind, zero)};
  zeros(to, zero, range.first);
  b.ifThen(b.CreateICmpSLT(range.first, range.behind), [&] {
    Value *first = b.CreateAdd(start, b.CreateMul(range.first, b.index(along.stride)));
    Value *behind = b.CreateSub(b.CreateMul(b.CreateSub(in[0], row), in[1]), first);
    copy(floatAt(to, range.first), rowAt(plane, row), first, b.CreateSub(range.behind, range.first), behind);
  });
  zeros(to, range.behind, count);
}

} // namespace opc::cpu
