#include "lowering/cpu/vector/planes/Move.h"

#include "lowering/cpu/vector/Evaluator.h"

using namespace llvm;

namespace opc::cpu {

// Shorter rows lose by non-temporal stores, because most of their lines are lines at an end.
static constexpr int64_t kLeastStreamBytes = 256;
// A cache line, half of one, and the bytes of an iteration.
static constexpr unsigned kLine = 64, kHalf = 32, kTurn = 256;

/// The input whose elements the output has; nullopt if there is none.
static std::optional<unsigned> movedInput(FusedKernel &kernel) {
  mlir::linalg::GenericOp generic = kernel.generics.front();
  mlir::Value value = generic.getBody()->getTerminator()->getOperand(0);
  // Halves whose elements are plain numbers are moved by way of f32 (FusedKernel::movesHalves).
  while (mlir::Operation *op = value.getDefiningOp()) {
    if (!mlir::isa<mlir::arith::ExtFOp, mlir::arith::TruncFOp>(op) || op->getBlock() != generic.getBody() ||
        !kernel.tensors.back().element.memory->isIntegerTy(16))
      return std::nullopt;
    value = op->getOperand(0);
  }
  auto argument = mlir::dyn_cast<mlir::BlockArgument>(value);
  if (!argument || argument.getOwner() != generic.getBody() || argument.getArgNumber() >= generic.getInputs().size())
    return std::nullopt;
  std::optional<unsigned> input = kernel.tensorOf(generic.getInputs()[argument.getArgNumber()]);
  if (!input)
    return std::nullopt;
  const Element &from = kernel.tensors[*input].element, &to = kernel.tensors.back().element;
  const bool isEqual = from.kind == Element::Plain && to.kind == Element::Plain && from.memory == to.memory;
  return isEqual ? input : std::nullopt;
}

/// Whether all elements of the output are one value that no tensor has.
static bool fills(FusedKernel &kernel) {
  mlir::linalg::GenericOp generic = kernel.generics.front();
  return generic.getInputs().empty() && generic.getBody()->getArgument(0).use_empty();
}

bool onlyMoves(FusedKernel &kernel) {
  if ((kernel.kind != FusedKernel::Kind::Elementwise && kernel.kind != FusedKernel::Kind::Gather) ||
      kernel.stored.size() != 1 || kernel.generics.size() != 1 ||
      kernel.stored.front() != kernel.generics.front().getResult(0) || kernel.generics.front().getNumResults() != 1)
    return false;
  return movedInput(kernel) || fills(kernel);
}

namespace {

class MovePlane {
public:
  MovePlane(CodeBuilder &b, FusedKernel &kernel, Frame &frame)
      : b(b), kernel(kernel), frame(frame), element(kernel.tensors.back().element),
        vectorBytes(b.level.vectorBits / 8) {}

  void emit(ArrayRef<bool> still);

private:
  Value *argument(Value *array, Type *type, unsigned i) {
    return b.CreateAlignedLoad(type, b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), array, i), Align(8));
  }
  Value *byteAt(Value *pointer, Value *byte) { return b.at(pointer, b.getInt8Ty(), byte); }
  Type *typeOf(unsigned bytes) { return bytes > 8 ? withLanes(b.getInt64Ty(), bytes / 8) : b.getIntNTy(bytes * 8); }
  void setValue(Value *scalar);
  Value *read(unsigned bytes, Value *i);
  void put(unsigned bytes, Value *i) { b.CreateAlignedStore(read(bytes, i), byteAt(to, i), Align(element.bytes)); }
  void moveFew(Value *i, Value *bytes, unsigned most);
  void ask(Value *i, unsigned bytes);
  void each(Value *begin, Value *end, unsigned turn, function_ref<void(Value *)> move);
  void lines(Value *begin, Value *bytes, unsigned size, bool streams);
  void choose(Value *condition, function_ref<void()> yes, function_ref<void()> no);
  void ordinary(Value *bytes, Value *begin);
  void streaming(Value *bytes, Value *begin);
  void row(Value *bytes, Value *streams);
  void elements(Value *rows, Value *toStep, Value *fromStep);

  CodeBuilder &b;
  FusedKernel &kernel;
  Frame &frame;
  const Element &element;
  const unsigned vectorBytes;
  Value *to = nullptr, *from = nullptr, *ahead = nullptr; ///< of this row
  Value *value = nullptr; ///< a vector of elements, if the row has a single value; else null
};

} // namespace

void MovePlane::setValue(Value *scalar) {
  Value *splat = b.CreateVectorSplat(kLine / element.bytes, scalar);
  value = b.CreateBitCast(splat, withLanes(b.getInt8Ty(), kLine));
}

/// A vector or a number of `bytes` bytes of the row.
Value *MovePlane::read(unsigned bytes, Value *i) {
  if (value)
    return b.CreateBitCast(lanesAt(b, value, 0, bytes), typeOf(bytes));
  return b.CreateAlignedLoad(typeOf(bytes), byteAt(from, i), Align(element.bytes));
}

/// Moves `bytes` bytes from `i` on, fewer than `most`, which is a power of two. Two pieces of one size overlap.
void MovePlane::moveFew(Value *i, Value *bytes, unsigned most) {
  if (most <= element.bytes)
    return;
  const unsigned half = most / 2;
  b.ifElse(
      b.CreateICmpSGE(bytes, b.index(half)),
      [&]() -> Values {
        Value *last = b.CreateSub(b.CreateAdd(i, bytes), b.index(half));
        Value *first = read(half, i), *second = read(half, last);
        b.CreateAlignedStore(first, byteAt(to, i), Align(element.bytes));
        b.CreateAlignedStore(second, byteAt(to, last), Align(element.bytes));
        return {};
      },
      [&]() -> Values {
        moveFew(i, bytes, half);
        return {};
      });
}

/// Prefetches as many bytes as an iteration moves.
void MovePlane::ask(Value *i, unsigned bytes) {
  const Element byte{Element::Plain, b.getInt8Ty(), b.getInt8Ty(), 1};
  if (!value)
    prefetch(b, ahead, i, byte, std::max(bytes, 1u), 0);
}

/// Iterations of `turn` bytes as long as they fit.
void MovePlane::each(Value *begin, Value *end, unsigned turn, function_ref<void(Value *)> move) {
  b.loop(begin, b.CreateSub(end, b.index(turn - 1)), b.index(turn), [&](Value *i) {
    ask(i, turn);
    move(i);
  });
}

/// The whole cache lines of a row from `begin` on, which is the first, `size` bytes at once.
void MovePlane::lines(Value *begin, Value *bytes, unsigned size, bool streams) {
  const Element word{Element::Plain, b.getInt64Ty(), b.getInt64Ty(), 8};
  auto move = [&](unsigned count) {
    return [=, this](Value *i) {
      SmallVector<Value *> moved;
      auto placeOf = [&](unsigned number) { return b.CreateAdd(i, b.index(int64_t(number) * size)); };
      for (unsigned number = 0; number < count / size; ++number)
        moved.push_back(read(size, placeOf(number)));
      for (auto [number, vector] : enumerate(moved)) {
        Value *there = byteAt(to, placeOf(unsigned(number)));
        if (streams)
          stream(b, vector, there, b.index(0), word);
        else
          b.CreateAlignedStore(vector, there, Align(size));
      }
    };
  };
  each(begin, bytes, kTurn, move(kTurn));
  Value *turns = b.CreateAnd(b.CreateSub(bytes, begin), b.index(-int64_t(kTurn)));
  each(b.CreateAdd(begin, turns), bytes, kLine, move(kLine));
}

void MovePlane::choose(Value *condition, function_ref<void()> yes, function_ref<void()> no) {
  b.ifElse(
      condition,
      [&]() -> Values {
        yes();
        return {};
      },
      [&]() -> Values {
        no();
        return {};
      });
}

/// A row of at least kLeastStreamBytes.
void MovePlane::streaming(Value *bytes, Value *begin) {
  Value *zero = b.index(0), *rest = b.CreateAnd(b.CreateSub(bytes, begin), b.index(kLine - 1));
  auto part = [&](Value *i, Value *count) {
    b.ifThen(b.CreateICmpNE(count, zero), [&] {
      ask(i, 1);
      moveFew(i, count, kLine);
    });
  };
  part(zero, begin);
  lines(begin, bytes, vectorBytes, true);
  part(b.CreateSub(bytes, rest), rest);
}

/// A row of at least a line. Where it begins or ends inside of a line, halves of a line overlap the whole lines.
void MovePlane::ordinary(Value *bytes, Value *begin) {
  Value *zero = b.index(0), *rest = b.CreateAnd(b.CreateSub(bytes, begin), b.index(kLine - 1));
  b.ifThen(b.CreateICmpNE(begin, zero), [&] {
    put(kHalf, zero);
    put(kHalf, b.index(kHalf));
  });
  // At an odd address every load of 64 bytes touches two lines, and every second one of 32.
  if (vectorBytes > kHalf)
    choose(
        b.CreateICmpEQ(b.CreateAnd(b.CreatePtrToInt(byteAt(from, begin), b.getInt64Ty()), b.index(kLine - 1)), zero),
        [&] { lines(begin, bytes, vectorBytes, false); }, [&] { lines(begin, bytes, kHalf, false); });
  else
    lines(begin, bytes, vectorBytes, false);
  b.ifThen(b.CreateICmpNE(rest, zero), [&] {
    put(kHalf, b.CreateSub(bytes, b.index(kLine)));
    put(kHalf, b.CreateSub(bytes, b.index(kHalf)));
  });
}

void MovePlane::row(Value *bytes, Value *streams) {
  // The bytes before the first whole line.
  Value *begin = b.CreateAnd(b.CreateNeg(b.CreatePtrToInt(to, b.getInt64Ty())), b.index(kLine - 1));
  auto withoutStreams = [&] {
    choose(
        b.CreateICmpSGE(bytes, b.index(kLine)), [&] { ordinary(bytes, begin); },
        [&] { moveFew(b.index(0), bytes, kLine); });
  };
  if (streams)
    choose(streams, [&] { streaming(bytes, begin); }, withoutStreams);
  else
    withoutStreams();
}

void MovePlane::elements(Value *rows, Value *toStep, Value *fromStep) {
  Type *type = typeOf(element.bytes);
  b.loop(b.index(0), rows, b.index(1), {to, from}, [&](Value *, ArrayRef<Value *> at) -> Values {
    Value *moved = value ? read(element.bytes, b.index(0)) : b.CreateAlignedLoad(type, at[1], Align(element.bytes));
    b.CreateAlignedStore(moved, at[0], Align(element.bytes));
    return {byteAt(at[0], toStep), byteAt(at[1], fromStep)};
  });
}

void MovePlane::emit(ArrayRef<bool> still) {
  Value *pointers = b.function->getArg(0), *steps = b.function->getArg(1);
  Value *rows = b.function->getArg(2), *count = b.function->getArg(3);
  const auto tensors = unsigned(kernel.tensors.size());
  const std::optional<unsigned> input = fills(kernel) ? std::nullopt : movedInput(kernel);
  const unsigned source = input.value_or(tensors - 1); // a value that no tensor has is read nowhere
  frame.readScalars(b.function->getArg(5));
  if (!input) {
    auto none = [](mlir::Value) { return Lane(); };
    Value *one = Evaluator(b, frame, 1, none).element(kernel.stored.front()).value;
    setValue(b.CreateExtractElement(toMemory(b, one, element), uint64_t(0)));
  }
  Value *toStep = argument(steps, b.getInt64Ty(), tensors - 1), *fromStep = argument(steps, b.getInt64Ty(), source);
  Value *distance = argument(steps, b.getInt64Ty(), tensors + source);
  Value *bytes = b.CreateMul(count, b.index(element.bytes));
  Value *streams = b.level.streams
                       ? b.CreateAnd(b.function->getArg(4), b.CreateICmpSGE(bytes, b.index(kLeastStreamBytes)))
                       : nullptr;
  Value *first[] = {argument(pointers, b.getPtrTy(), tensors - 1), argument(pointers, b.getPtrTy(), source)};
  b.ifElse(
      b.CreateICmpEQ(count, b.index(1)),
      [&]() -> Values {
        to = first[0], from = first[1];
        elements(rows, toStep, fromStep);
        return {};
      },
      [&]() -> Values {
        b.loop(b.index(0), rows, b.index(1), first, [&](Value *, ArrayRef<Value *> at) -> Values {
          to = at[0], from = at[1];
          ahead = byteAt(from, distance);
          if (input && still[*input])
            setValue(b.CreateAlignedLoad(element.memory, from, Align(element.bytes)));
          row(bytes, streams);
          return {byteAt(at[0], toStep), byteAt(at[1], fromStep)};
        });
        return {};
      });
  b.CreateRetVoid();
}

void emitMovePlane(CodeBuilder &b, FusedKernel &kernel, Frame &frame, ArrayRef<bool> still) {
  MovePlane(b, kernel, frame).emit(still);
}

} // namespace opc::cpu
