#include "lowering/cpu/vector/code/Walk.h"

#include "lowering/cpu/vector/code/Memory.h"
#include "runtime/program/opc_kernel_library.h"

using namespace llvm;

namespace opc::cpu {

Function *newFunction(Module &module, const Twine &name, FunctionType *type, const CpuLevel &level) {
  Function *function = Function::Create(type, GlobalValue::InternalLinkage, name, module);
  function->addFnAttr("target-cpu", level.cpu);
  function->addFnAttr("target-features", level.features);
  function->addFnAttr("prefer-vector-width", std::to_string(level.vectorBits));
  return function;
}

void takePlane(Function &entry) {
  Function *plane = entry.getParent()->getFunction(entry.getFnAttribute(kTakesPlane).getValueAsString());
  plane->replaceUsesWithIf(entry.getArg(entry.arg_size() - 1), [&](Use &use) {
    auto *user = dyn_cast<Instruction>(use.getUser());
    return user && user->getFunction() == &entry;
  });
}

FunctionType *planeType(LLVMContext &context) {
  Type *pointer = PointerType::getUnqual(context), *i64 = Type::getInt64Ty(context);
  return FunctionType::get(Type::getVoidTy(context), {pointer, pointer, i64, i64, Type::getInt1Ty(context), pointer},
                           false);
}

FunctionType *partType(LLVMContext &context) {
  Type *pointer = PointerType::getUnqual(context), *i64 = Type::getInt64Ty(context);
  return FunctionType::get(Type::getVoidTy(context), {pointer, pointer, pointer, i64, i64, Type::getInt1Ty(context)},
                           false);
}

//===----------------------------------------------------------------------===//
// Descriptions and positions
//===----------------------------------------------------------------------===//

Value *Described::slotOf(Value *part, uint64_t position, Type *type) {
  return b.CreateAlignedLoad(type, b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), part, position), Align(8));
}

Value *Described::fieldOf(Value *part, uint64_t position) {
  Value *number = slotOf(part, position);
  Value *constant = b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), part, position + 1);
  Value *address = b.CreateSelect(b.CreateICmpSLT(number, b.index(0)), constant, b.at(tiling, b.getInt64Ty(), number));
  return b.CreateAlignedLoad(b.getInt64Ty(), address, Align(8));
}

Value *Described::tensor(Value *t) {
  Value *first = b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), description, described::Tensors);
  return b.at(first, ArrayType::get(b.getInt64Ty(), described::TensorSlots), t);
}

Value *Described::launch(unsigned tensors) {
  return b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), description,
                                      described::Tensors + tensors * uint64_t(described::TensorSlots));
}

Value *Described::launchTensor(unsigned tensors, Value *t) {
  Value *first = b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), launch(tensors), described::LaunchSlots);
  return b.at(first, ArrayType::get(b.getInt64Ty(), described::LaunchTensorSlots), t);
}

Value *Described::rowDistance(Value *tensor, Value *n) {
  Value *alongN = b.CreateIsNotNull(slotOf(tensor, described::AlongN));
  Value *dense = b.CreateSelect(alongN, n, b.index(1));
  return b.CreateSelect(b.CreateIsNotNull(slot(described::Strided)), fieldOf(tensor, described::RowDistance), dense);
}

WalkPlace WalkPlace::of(CodeBuilder &b, Value *row, Value *m, Value *batch1) {
  Value *number = b.CreateUDiv(row, m);
  return {b.CreateURem(row, m), b.CreateUDiv(number, batch1), b.CreateURem(number, batch1)};
}

// Divisions would cost as much as a short row.
WalkPlace WalkPlace::after(CodeBuilder &b, Value *rows, Value *m, Value *batch1) const {
  Value *zero = b.index(0), *next = b.CreateAdd(item, rows);
  Value *ends = b.CreateICmpEQ(next, m);
  Value *following = b.CreateAdd(inner, b.CreateZExt(ends, b.getInt64Ty()));
  Value *wraps = b.CreateICmpEQ(following, batch1);
  return {b.CreateSelect(ends, zero, next), b.CreateAdd(outer, b.CreateZExt(wraps, b.getInt64Ty())),
          b.CreateSelect(wraps, zero, following)};
}

Value *offsetAt(CodeBuilder &b, Described &described, Value *tensor, const WalkPlace &place, Value *n, Value *column) {
  Value *alongM = described.slotOf(tensor, described::AlongM);
  Value *alongN = described.slotOf(tensor, described::AlongN);
  Value *row = b.CreateMul(place.item, described.rowDistance(tensor, n));
  Value *offset = b.CreateAdd(b.CreateAnd(row, alongM), b.CreateAnd(column, alongN));
  Value *outer = b.CreateMul(place.outer, described.fieldOf(tensor, described::Step0));
  Value *inner = b.CreateMul(place.inner, described.fieldOf(tensor, described::Step1));
  offset = b.CreateAdd(offset, b.CreateAdd(outer, inner));
  return b.CreateMul(offset, described.slotOf(tensor, described::Bytes));
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

namespace {

class Walk {
public:
  Walk(CodeBuilder &b, const CpuLevel &level, unsigned tensors, bool ofLaunch)
      : b(b), level(level), tensors(tensors), ofLaunch(ofLaunch), arguments(b.function->getArg(0)),
        description(b.function->getArg(3)), tiling(slot(arguments, b.getPtrTy(), 2)),
        described(b, description, tiling) {}

  void emit();

private:
  Value *slot(Value *array, Type *type, uint64_t position) {
    return b.CreateAlignedLoad(type, b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), array, position), Align(8));
  }
  void checkSizes();
  void readSizes();
  Value *reachOf(Value *tensor);
  Value *reachInLaunch(Value *t, Value *tensor);
  Value *lastOf(Value *trips, Value *step);
  void walkBlocks();

  CodeBuilder &b;
  const CpuLevel &level;
  unsigned tensors;
  bool ofLaunch;
  Value *arguments, *description, *tiling;
  Described described;
  Value *m = nullptr, *n = nullptr, *batch[2] = {};
  Values sizes; ///< trip counts of all loops; in the key `any` innermost first
  Value *ok = nullptr, *items = nullptr, *touched = nullptr;
};

} // namespace

// The distance from the first iteration of a loop to its last, in elements.
Value *Walk::lastOf(Value *trips, Value *step) {
  ok = b.CreateAnd(ok, b.CreateICmpSGE(step, b.index(0)));
  return b.checkedMul(b.max(b.CreateSub(trips, b.index(1)), b.index(0)), step, ok);
}

// The index of the last element that the loops access in a tensor, plus 1; 0 if they access none.
Value *Walk::reachOf(Value *tensor) {
  auto along = [&](described::TensorSlot which, Value *size) {
    Value *moves = b.CreateIsNotNull(described.slotOf(tensor, which));
    return b.CreateSelect(moves, size, b.index(1));
  };
  Value *rows = along(described::AlongM, m), *columns = along(described::AlongN, n);
  Value *reach = b.checkedMul(rows, columns, ok);
  Value *met = reach;
  Value *strided = b.CreateIsNotNull(described.slot(described::Strided));
  Value *apart = b.CreateSelect(strided, described.fieldOf(tensor, described::RowDistance), b.index(0));
  Value *last = b.checkedAdd(lastOf(rows, apart), columns, ok);
  reach = b.CreateSelect(strided, last, reach);
  for (auto [trips, position] : {std::pair(batch[0], described::Step0), std::pair(batch[1], described::Step1)}) {
    met = b.checkedMul(met, trips, ok);
    reach = b.checkedAdd(reach, lastOf(trips, described.fieldOf(tensor, position)), ok);
  }
  return b.CreateSelect(b.CreateICmpEQ(met, b.index(0)), b.index(0), reach);
}

// The same for the key `any`. A tensor whose loops the launch does not decide is one element, or is read in the order
// of its elements.
Value *Walk::reachInLaunch(Value *t, Value *tensor) {
  Value *one = b.index(1), *reach = one, *launch = described.launchTensor(tensors, t);
  auto add = [&](Value *trips, Value *step) { reach = b.checkedAdd(reach, lastOf(trips, step), ok); };
  Value *alongN = described.fieldOf(launch, described::LaunchN);
  Value *alongM = described.fieldOf(launch, described::LaunchM);
  Value *row = described.fieldOf(launch, described::RowStep);
  Value *across = b.CreateIsNotNull(described.slotOf(launch, described::Across));
  ok = b.CreateAnd(ok, b.CreateOr(across, b.CreateICmpULE(alongN, one)));
  ok = b.CreateAnd(ok, b.CreateICmpULE(alongM, one));
  ok = b.CreateAnd(ok, b.CreateICmpSGE(row, b.index(0)));
  add(sizes[0], alongN);
  add(sizes[1], b.CreateMul(alongM, row));
  for (unsigned loop = 2; loop < sizes.size(); ++loop)
    add(sizes[loop], described.fieldOf(launch, described::LaunchSteps + 2 * (loop - 2)));
  Value *moves = b.CreateIsNotNull(described.slotOf(tensor, described::AlongN));
  Value *decided = b.CreateIsNotNull(described.slotOf(launch, described::OfLaunch));
  reach = b.CreateSelect(decided, reach, b.CreateSelect(moves, items, one));
  return b.CreateSelect(b.CreateICmpEQ(items, b.index(0)), b.index(0), reach);
}

void Walk::readSizes() {
  m = described.field(described::M);
  n = described.field(described::N);
  batch[0] = described.field(described::Batch0);
  batch[1] = described.field(described::Batch1);
  sizes = {m, n, batch[0], batch[1]};
  if (!ofLaunch)
    return;
  sizes.clear();
  Value *launch = described.launch(tensors);
  for (unsigned loop = 0; loop < described::kLaunchLoops; ++loop)
    sizes.push_back(described.fieldOf(launch, described::Sizes + 2 * loop));
}

// As in Frame::checkSizes: all products that are used later are computed and checked for overflow here, and each
// element must be visited once.
void Walk::checkSizes() {
  readSizes();
  ok = b.getTrue();
  items = b.index(1);
  for (Value *trips : sizes) {
    ok = b.CreateAnd(ok, b.CreateICmpSGE(trips, b.index(0)));
    items = b.checkedMul(items, trips, ok);
  }
  Value *one = b.CreateICmpEQ(b.CreateMul(batch[0], batch[1]), b.index(1));
  Value *many = b.CreateICmpEQ(described.slot(described::Single), b.index(0));
  ok = b.CreateAnd(ok, b.CreateOr(one, many));

  Value *counts = slot(arguments, b.getPtrTy(), 1);
  auto turn = [&](Value *t, ArrayRef<Value *> carried) -> Values {
    ok = carried[0];
    Value *tensor = described.tensor(t);
    Value *elements = b.CreateAlignedLoad(b.getInt64Ty(), b.at(counts, b.getInt64Ty(), t), Align(8));
    Value *reach = ofLaunch ? reachInLaunch(t, tensor) : reachOf(tensor);
    ok = b.CreateAnd(ok, b.CreateICmpSLE(reach, elements));
    // The bytes of a tensor fit its address space.
    Value *bytes = b.CreateMul(elements, described.slotOf(tensor, described::Bytes));
    return {ok, b.CreateAdd(carried[1], bytes), b.max(carried[2], elements)};
  };
  Values seen = b.loop(b.index(0), b.index(tensors), b.index(1), {ok, b.index(0), b.index(0)}, turn);
  // More iterations than elements are an error in the tiling data and would take practically forever.
  ok = b.CreateAnd(seen[0], b.CreateICmpSLE(items, seen[2]));
  touched = seen[1];
}

void Walk::walkBlocks() {
  Value *length = b.max(described.field(described::BlockLength), b.index(1));
  length = b.min(length, b.max(items, b.index(1)));
  // Both are at most the number of elements of a tensor, so the sum does not overflow.
  Value *blocks =
      b.ifElse(
           b.CreateICmpEQ(items, length), [&]() -> Values { return {b.index(1)}; },
           [&]() -> Values { return {b.CreateUDiv(b.CreateAdd(items, b.CreateSub(length, b.index(1))), length)}; })
          .front();
  Value *bits = described.slot(described::PartBits), *parts = b.CreateShl(blocks, bits);
  auto place = [&](unsigned argument) {
    Value *bounded = b.max(b.min(b.function->getArg(argument), parts), b.index(0));
    return b.min(b.CreateLShr(b.CreateMul(bounded, length), bits), items);
  };
  Value *begin = place(1), *end = place(2);
  b.ifThen(b.CreateICmpSLT(begin, end), [&] {
    Value *stream = b.getFalse();
    if (level.streams) {
      Value *exceedsCache = b.CreateICmpUGT(touched, slot(arguments, b.getInt64Ty(), 4));
      stream = b.CreateAnd(exceedsCache, b.CreateIsNotNull(described.slot(described::Streams)));
    }
    Value *pointers = slot(arguments, b.getPtrTy(), 0);
    Value *values[] = {description, pointers, tiling, begin, end, stream};
    Value *isShort = b.CreateICmpSLE(n, described.slot(described::LongestShort));
    Value *part =
        b.CreateSelect(isShort, described.function(described::ShortPart), described.function(described::LongPart));
    // Inlined where the walk is inlined into an entry, whose description is known.
    b.CreateCall(partType(b.getContext()), part, values)->addFnAttr(Attribute::AlwaysInline);
    // A single fence for all planes, after the last of them.
    if (level.streams)
      b.ifThen(stream, [&] { endStreams(b); });
  });
}

void Walk::emit() {
  checkSizes();
  Values status = b.ifElse(
      ok,
      [&]() -> Values {
        walkBlocks();
        return {b.getInt32(0)};
      },
      [&]() -> Values { return {b.getInt32(OPC_KERNEL_OUTSIDE_TENSOR)}; });
  b.CreateRet(status.front());
}

Function *walk(Module &module, const CpuLevel &level, unsigned tensors, bool ofLaunch) {
  std::string name = (ofLaunch ? "walk_any." : "walk.") + std::to_string(tensors);
  if (Function *known = module.getFunction(name))
    return known;
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context), *i64 = Type::getInt64Ty(context);
  auto *type = FunctionType::get(Type::getInt32Ty(context), {pointer, i64, i64, pointer}, false);
  CodeBuilder b(newFunction(module, name, type, level), level);
  Walk(b, level, tensors, ofLaunch).emit();
  return b.function;
}

} // namespace opc::cpu
