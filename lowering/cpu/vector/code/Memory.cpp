#include "lowering/cpu/vector/code/Memory.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace opc::cpu {

std::optional<Element> Element::of(mlir::Type type, LLVMContext &context) {
  Element element;
  Type *f32 = Type::getFloatTy(context);
  if (type.isF16() || type.isBF16()) {
    element.kind = type.isF16() ? Half : BFloat;
    element.memory = Type::getInt16Ty(context);
    element.computed = f32;
    element.bytes = 2;
    return element;
  }
  if (type.isInteger(1)) {
    element.kind = Bool;
    element.memory = Type::getInt8Ty(context);
    element.computed = Type::getInt1Ty(context);
    element.bytes = 1;
    return element;
  }
  if (type.isF32())
    element.memory = f32;
  else if (type.isF64())
    element.memory = Type::getDoubleTy(context);
  else if (type.isIndex())
    element.memory = Type::getInt64Ty(context);
  else if (auto integer = mlir::dyn_cast<mlir::IntegerType>(type);
           integer && is_contained({8u, 16u, 32u, 64u}, integer.getWidth()))
    element.memory = Type::getIntNTy(context, integer.getWidth());
  else
    return std::nullopt;
  element.computed = element.memory;
  element.bytes = element.memory->getScalarSizeInBits() / 8;
  return element;
}

Value *lanesAt(CodeBuilder &b, Value *vector, unsigned first, unsigned count) {
  SmallVector<int> positions(count);
  for (unsigned i = 0; i < count; ++i)
    positions[i] = int(first + i);
  return b.CreateShuffleVector(vector, positions);
}

Value *joined(CodeBuilder &b, ArrayRef<Value *> parts) {
  if (parts.size() == 1)
    return parts.front();
  // Concatenates halves first: a tree of pairs, which matches how registers are combined.
  Value *first = joined(b, parts.take_front(parts.size() / 2));
  Value *second = joined(b, parts.drop_front(parts.size() / 2));
  unsigned lanes = lanesOf(first->getType()) + lanesOf(second->getType());
  SmallVector<int> positions(lanes);
  for (unsigned i = 0; i < lanes; ++i)
    positions[i] = int(i);
  return b.CreateShuffleVector(first, second, positions);
}

//===----------------------------------------------------------------------===//
// f16 and bf16
//===----------------------------------------------------------------------===//

// bfloat16 is the upper half of an f32.
static Value *fromBFloat(CodeBuilder &b, Value *value) {
  unsigned lanes = lanesOf(value->getType());
  Value *word = b.CreateZExt(value, withLanes(b.getInt32Ty(), lanes));
  return b.CreateBitCast(b.CreateShl(word, 16), withLanes(b.getFloatTy(), lanes));
}

// To nearest even: add half a unit minus one, and one more if the kept part is odd.
static Value *toBFloat(CodeBuilder &b, Value *value) {
  unsigned lanes = lanesOf(value->getType());
  Type *words = withLanes(b.getInt32Ty(), lanes);
  auto number = [&](uint32_t n) { return ConstantInt::get(words, n); };
  Value *bits = b.CreateBitCast(value, words);
  Value *odd = b.CreateAnd(b.CreateLShr(bits, 16), number(1));
  Value *rounded = b.CreateAdd(bits, b.CreateAdd(odd, number(0x7fff)));
  Value *quiet = b.CreateOr(bits, number(0x400000));
  Value *chosen = b.CreateSelect(b.CreateFCmpUNO(value, value), quiet, rounded);
  return b.CreateTrunc(b.CreateLShr(chosen, 16), withLanes(b.getInt16Ty(), lanes));
}

// The instruction's result is an integer vector. As a half vector, LLVM would lose the non-temporal flag of stores.
static Value *toHalf(CodeBuilder &b, Value *value) {
  unsigned lanes = lanesOf(value->getType());
  unsigned piece = b.level.vectorBits / 32;
  if (!b.level.isX86() || lanes == 0 || lanes % piece != 0) {
    Value *half = b.CreateFPTrunc(value, withLanes(b.getHalfTy(), lanes));
    return b.CreateBitCast(half, withLanes(b.getInt16Ty(), lanes));
  }
  SmallVector<Value *> parts;
  constexpr uint32_t toNearestEven = 0;
  for (unsigned i = 0; i < lanes; i += piece) {
    Value *part = lanesAt(b, value, i, piece);
    if (b.level.vectorBits == 512) {
      Value *nothing = Constant::getNullValue(withLanes(b.getInt16Ty(), piece));
      parts.push_back(b.CreateIntrinsic(Intrinsic::x86_avx512_mask_vcvtps2ph_512, {},
                                        {part, b.getInt32(toNearestEven), nothing, b.getInt16(0xffff)}));
    } else {
      parts.push_back(b.CreateIntrinsic(Intrinsic::x86_vcvtps2ph_256, {}, {part, b.getInt32(toNearestEven)}));
    }
  }
  return joined(b, parts);
}

Value *fromMemory(CodeBuilder &b, Value *value, const Element &element) {
  unsigned lanes = lanesOf(value->getType());
  switch (element.kind) {
  case Element::Plain:
    return value;
  case Element::Half:
    return b.CreateFPExt(b.CreateBitCast(value, withLanes(b.getHalfTy(), lanes)), withLanes(b.getFloatTy(), lanes));
  case Element::BFloat:
    return fromBFloat(b, value);
  case Element::Bool:
    return b.CreateICmpNE(value, Constant::getNullValue(value->getType()));
  }
  return value;
}

Value *toMemory(CodeBuilder &b, Value *value, const Element &element) {
  switch (element.kind) {
  case Element::Plain:
    return value;
  case Element::Half:
    return toHalf(b, value);
  case Element::BFloat:
    return toBFloat(b, value);
  case Element::Bool:
    return b.CreateZExt(value, withLanes(b.getInt8Ty(), lanesOf(value->getType())));
  }
  return value;
}

Value *roundTo(CodeBuilder &b, Value *value, const Element &element) {
  if (element.kind != Element::Half && element.kind != Element::BFloat)
    return value;
  return fromMemory(b, toMemory(b, value, element), element);
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

Value *load(CodeBuilder &b, Value *pointer, Value *i, const Element &element, unsigned lanes) {
  Value *place = b.at(pointer, element.memory, i);
  Value *value = b.CreateAlignedLoad(withLanes(element.memory, lanes), place, Align(element.bytes));
  return fromMemory(b, value, element);
}

// The conversion produces halves in half registers. Joining them would cost more than separate stores.
static unsigned storedLanes(CodeBuilder &b, Value *value, const Element &element) {
  unsigned lanes = lanesOf(value->getType()), piece = b.level.vectorBits / 32;
  bool splits = element.kind == Element::Half && b.level.isX86() && lanes > piece;
  return splits ? piece : lanes;
}

static void storePieces(CodeBuilder &b, Value *value, Value *pointer, Value *i, const Element &element,
                        function_ref<void(Value *, Value *)> storeOne) {
  Value *place = b.at(pointer, element.memory, i);
  unsigned lanes = lanesOf(value->getType()), piece = storedLanes(b, value, element);
  if (piece == lanes) {
    storeOne(toMemory(b, value, element), place);
    return;
  }
  for (unsigned first = 0; first < lanes; first += piece)
    storeOne(toMemory(b, lanesAt(b, value, first, piece), element), b.at(place, element.memory, b.index(first)));
}

void store(CodeBuilder &b, Value *value, Value *pointer, Value *i, const Element &element) {
  storePieces(b, value, pointer, i, element,
              [&](Value *stored, Value *place) { b.CreateAlignedStore(stored, place, Align(element.bytes)); });
}

unsigned streamAlignment(const Element &element, unsigned lanes) {
  return std::min(64u, lanes * element.bytes);
}

void stream(CodeBuilder &b, Value *value, Value *pointer, Value *i, const Element &element) {
  Align alignment(streamAlignment(element, storedLanes(b, value, element)));
  storePieces(b, value, pointer, i, element, [&](Value *stored, Value *place) {
    StoreInst *store = b.CreateAlignedStore(stored, place, alignment);
    store->setMetadata(LLVMContext::MD_nontemporal,
                       MDNode::get(b.getContext(), ConstantAsMetadata::get(b.getInt32(1))));
  });
}

void endStreams(CodeBuilder &b) {
  b.CreateIntrinsic(b.getVoidTy(), Intrinsic::x86_sse_sfence, {});
}

void copyElements(CodeBuilder &b, Value *from, Value *to, Value *count, const Element &element) {
  b.loop(b.index(0), count, b.index(1), [&](Value *i) {
    Value *value = b.CreateAlignedLoad(element.memory, b.at(from, element.memory, i), Align(element.bytes));
    b.CreateAlignedStore(value, b.at(to, element.memory, i), Align(element.bytes));
  });
}

// AVX2 has masked loads and stores for 32 and 64 bits only.
bool hasMasks(const CodeBuilder &b, const Element &element) {
  return b.level.masks || (b.level.isX86() && element.bytes >= 4);
}

Value *loadPart(CodeBuilder &b, Value *pointer, Value *i, Value *count, const Element &element, unsigned lanes) {
  Value *place = b.at(pointer, element.memory, i);
  Type *type = withLanes(element.memory, lanes);
  if (hasMasks(b, element)) {
    Value *value = b.CreateMaskedLoad(type, place, Align(element.bytes), b.lanesBefore(lanes, count),
                                      Constant::getNullValue(type));
    return fromMemory(b, value, element);
  }
  Value *copy = b.buffer(element.memory, lanes);
  b.CreateAlignedStore(Constant::getNullValue(type), copy, Align(64));
  copyElements(b, place, copy, count, element);
  return fromMemory(b, b.CreateAlignedLoad(type, copy, Align(64)), element);
}

Value *loadMasked(CodeBuilder &b, Value *pointer, Value *mask, const Element &element) {
  Type *type = withLanes(element.memory, lanesOf(mask->getType()));
  Value *value = b.CreateMaskedLoad(type, pointer, Align(element.bytes), mask, Constant::getNullValue(type));
  return fromMemory(b, value, element);
}

Value *loadWithin(CodeBuilder &b, Value *pointer, Value *begin, Value *end, const Element &element, unsigned lanes) {
  Value *mask = b.CreateAnd(b.lanesBefore(lanes, end), b.CreateNot(b.lanesBefore(lanes, begin)));
  return loadMasked(b, pointer, mask, element);
}

void storePart(CodeBuilder &b, Value *value, Value *pointer, Value *i, Value *count, const Element &element) {
  Value *place = b.at(pointer, element.memory, i);
  Value *stored = toMemory(b, value, element);
  unsigned lanes = lanesOf(stored->getType());
  if (hasMasks(b, element)) {
    b.CreateMaskedStore(stored, place, Align(element.bytes), b.lanesBefore(lanes, count));
    return;
  }
  Value *copy = b.buffer(element.memory, lanes);
  b.CreateAlignedStore(stored, copy, Align(64));
  copyElements(b, copy, place, count, element);
}

void prefetch(CodeBuilder &b, Value *pointer, Value *i, const Element &element, unsigned lanes, int64_t ahead,
              bool write, unsigned level) {
  constexpr unsigned kLine = 64;
  Value *place = b.at(pointer, element.memory, i);
  for (unsigned byte = 0; byte < lanes * element.bytes; byte += kLine)
    b.CreateIntrinsic(Intrinsic::prefetch, {b.getPtrTy()},
                      {b.CreateGEP(b.getInt8Ty(), place, b.index(ahead + byte)), b.getInt32(write),
                       b.getInt32(4 - level), b.getInt32(1)});
}

} // namespace opc::cpu
