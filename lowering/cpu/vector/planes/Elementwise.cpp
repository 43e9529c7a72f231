// Elementwise kernels: the computation on the elements that the driver loop, the walk, visits (Walk.h).
//
//   flat   the items of a range of blocks form one row
//   grid   rows of n elements
//   any    the elements of the launch, in pieces that form a row each
//
// A plane is the inner kernel. It processes rows of `n` elements, `wide` at a time; an operand that is constant along
// a row is broadcast to a vector once per row:
//
//   ordinary        one loop; in a long row its second iteration begins where stores are aligned, and its last
//                   iteration is moved back to end with the row: both compute some elements a second time, with the
//                   same result. A row that overwrites an input has whole iterations and begins with the first
//                   element, so each element is computed once (RowsPart::callPlane)
//   streaming       if the tensors exceed the launch's stream threshold: non-temporal stores in the aligned middle,
//                   with loads prefetched; the ordinary loop handles the two ends
//
// So a plane contains two copies of the body, at any level, and no masks. A body of functions is large, and a branch
// costs nothing beside it: there one loop contains both kinds of stores (choosesStores). A kernel that computes nothing
// has a plane of its own (Move.h).

#include "dialect/te/TeOps.h"
#include "lowering/cpu/vector/Evaluator.h"
#include "lowering/cpu/vector/VectorKernels.h"
#include "lowering/cpu/vector/code/Walk.h"
#include "lowering/cpu/vector/planes/Lookup.h"
#include "lowering/cpu/vector/planes/Move.h"
#include "lowering/cpu/vector/planes/Scan.h"
#include "runtime/program/opc_kernel_library.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Transforms/Utils/FunctionComparator.h"

#include <cstddef>

using namespace llvm;

namespace opc::cpu {

namespace {

// The two ends of a row are written by ordinary stores, into cache lines that may just have been written by
// non-temporal stores. Shorter rows lose by that.
constexpr int64_t kLeastStream = 2048;
// From this number of iterations on, aligned stores are worth the elements that are computed twice for them.
constexpr int64_t kLeastAlignedTurns = 16;
// Rows up to this length are short. Spreading an element along a row costs a store per vector; if a row has more than
// a few vectors, processing it separately costs less.
constexpr int64_t kShortRow = 1024, kShortSpreadRow = 64;
// The bytes of a short row of a kernel that only moves: it has no use for buffers, which cost a second copy.
constexpr int64_t kShortMove = 256;
// In the key `any`: the number of inputs with a plane in which the input is a scalar. The same inputs have flat keys
// that share these planes (ops/contract/domain/ShapeKeys.cpp).
constexpr unsigned kStillPlanes = 4;
// The most tensors of a kernel that works on four vectors of each in an iteration.
constexpr size_t kFewTensors = 6;
// In the key `any`: the elements of a piece, and the bytes of a piece in all buffers, which stay in the L2 cache. With
// more inputs pieces are shorter.
constexpr int64_t kMostPiece = 4096, kLeastPiece = 512, kPieceBytes = 65536;

// Prefetch distance for loops with functions or conversions, at any level.
constexpr int64_t kBusyAhead = 4096;

/// An operand of a row: a pointer that moves along the row, or a vector that is constant along it.
struct Operand {
  Value *pointer = nullptr;
  Value *splat = nullptr;
  Value *ahead = nullptr; ///< address that is prefetched together with the first element
};

/// The plane of a kernel. The inputs `still` have one element per row.
class Plane {
public:
  Plane(CodeBuilder &b, FusedKernel &kernel, Frame &frame, unsigned wide, ArrayRef<bool> still)
      : b(b), kernel(kernel), frame(frame), wide(wide), still(still),
        choosesStores(kernel.cost.usesFunctions || kernel.cost.innerBits), positions(kernel) {}

  void emit();

private:
  void row(ArrayRef<Operand> operands, Value *count, Value *streams);
  void scannedRow(ArrayRef<Operand> operands, Value *count);
  void turn(ArrayRef<Operand> operands, Value *i, Value *streams);
  void computeOfRow();
  Lane computedBefore(mlir::Operation &op, Value *i);
  Value *overwrites(ArrayRef<Operand> operands);
  Value *untilAligned(ArrayRef<Operand> operands);
  void streamMiddle(ArrayRef<Operand> operands, Value *count);
  bool mayStream() const { return b.level.streams && kernel.stored.size() == 1; }

  CodeBuilder &b;
  FusedKernel &kernel;
  Frame &frame;
  unsigned wide;
  ArrayRef<bool> still;
  const bool choosesStores;          ///< iterations of one loop stream or do not
  std::optional<RunningScans> scans; ///< of Scanned
  PositionValues positions;          ///< of Counted and Lookup: values that are not computed at each position
  std::optional<Lookup> tables;      ///< of Lookup
  Value *sortedPlaces = nullptr;     ///< of Sorted: the original indices of the row's elements
  // Of Counted and Lookup, after the pointers of the tensors: the position of the row along m, the first column of the
  // piece, and the buffers of columns. Then: the results of operations for the row, or the offset of a te.gather.
  Value *rowNumber = nullptr, *firstColumn = nullptr;
  SmallVector<Value *> buffers;
  DenseMap<mlir::Operation *, Lane> ofRow;
};

} // namespace

/// Computes the values that are equal in all columns of a row, before its loop.
void Plane::computeOfRow() {
  for (mlir::linalg::GenericOp generic : kernel.generics) {
    Payload payload(b, wide, [&](mlir::Value value) { return frame.scalar(value); });
    payload.position = [&](std::optional<unsigned>) { return b.numbers(rowNumber, wide); };
    const Lane none{PoisonValue::get(b.getInt32Ty())};
    payload.before = [&](mlir::Operation &op) {
      const bool isHere = mlir::isa<te::GatherOp>(op) || positions.isOfRow(op.getResult(0));
      return isHere ? std::nullopt : std::optional(none);
    };
    payload.lookUp = [&](mlir::Operation &op, ArrayRef<Value *> places) {
      ofRow[&op].value = tables->ofRow(op, places);
      return none.value;
    };
    SmallVector<Lane> arguments(generic.getBody()->getNumArguments()), results;
    payload.run(*generic.getBody(), arguments, results);
    for (mlir::Operation &op : generic.getBody()->without_terminator())
      if (!mlir::isa<te::GatherOp>(op) && positions.isOfRow(op.getResult(0)))
        ofRow[&op] = payload.result(op.getResult(0));
  }
}

/// The result of an operation in a kernel with positions, if it is known before the payload runs; else null.
Lane Plane::computedBefore(mlir::Operation &op, Value *i) {
  if (mlir::isa<te::GatherOp>(op))
    return {};
  if (Lane known = ofRow.lookup(&op); known.value)
    return known;
  if (std::optional<unsigned> buffer = positions.bufferOf(op))
    return {load(b, buffers[*buffer], i, PositionValues::elementOf(op, b.getContext()), wide), false};
  // Operations that only values of rows and of buffers use have no reader.
  return positions.isNeeded(op) ? Lane() : Lane{PoisonValue::get(b.getInt32Ty()), false};
}

// Whether the output begins where an input does. A row whose inputs are copies is not one of these.
Value *Plane::overwrites(ArrayRef<Operand> operands) {
  Value *found = b.getFalse();
  for (unsigned input = 0; kernel.stored.size() == 1 && input < kernel.firstOutput(); ++input)
    if (!operands[input].splat)
      found = b.CreateOr(found, b.CreateICmpEQ(operands[input].pointer, operands.back().pointer));
  return found;
}

// Emits one iteration: `wide` elements from `i` on. `streams` (i1) says whether it streams, and is a constant where
// that is known; an iteration that streams is aligned.
void Plane::turn(ArrayRef<Operand> operands, Value *i, Value *streams) {
  auto leaf = [&](mlir::Value value) -> Lane {
    std::optional<unsigned> tensor = kernel.tensorOf(value);
    if (!tensor)
      return {};
    const Operand &operand = operands[*tensor];
    // Elements are looked up when their indices are known.
    if (!kernel.tensors[*tensor].places.empty())
      return {};
    if (operand.splat)
      return {operand.splat, false};
    const Element &element = kernel.tensors[*tensor].element;
    if (streams == b.getTrue())
      prefetch(b, operand.ahead, i, element, wide, 0);
    return {load(b, operand.pointer, i, element, wide), false};
  };
  Evaluator evaluator(b, frame, wide, leaf);
  Value *column = kernel.counts() ? b.CreateAdd(firstColumn, i) : i;
  if (kernel.counts()) {
    evaluator.position = [&, column](std::optional<unsigned>) { return b.numbersFrom(column, wide); };
    evaluator.before = [&, i](mlir::Operation &op) -> std::optional<Lane> {
      Lane lane = computedBefore(op, i);
      return lane.value ? std::optional(lane) : std::nullopt;
    };
  }
  if (tables)
    evaluator.lookUp = [&, i, column](mlir::Operation &op, ArrayRef<Value *> places) {
      std::optional<unsigned> buffer = positions.bufferOf(op);
      Value *ofColumns = buffer ? b.at(buffers[*buffer], b.getInt32Ty(), i) : nullptr;
      return tables->elements(op, places, operands[tables->tensorOf(op)].pointer, column, ofRow.lookup(&op).value,
                              ofColumns);
    };
  if (sortedPlaces)
    evaluator.scan = [&](mlir::Operation &op, Value *value) -> Value * {
      Type *i32 = b.getInt32Ty();
      if (!mlir::cast<te::SortOp>(op).getPlaces())
        return value;
      return load(b, sortedPlaces, i, {Element::Plain, i32, i32, 4}, wide);
    };
  if (scans)
    evaluator.scan = [&](mlir::Operation &op, Value *value) { return scans->combine(op, value, i); };
  SmallVector<Value *> results;
  for (mlir::Value value : kernel.stored)
    results.push_back(evaluator.element(value).value);
  auto storeBy = [&](function_ref<void(CodeBuilder &, Value *, Value *, Value *, const Element &)> one) {
    for (unsigned j = 0; j < results.size(); ++j) {
      const unsigned output = kernel.firstOutput() + j;
      one(b, results[j], operands[output].pointer, i, kernel.tensors[output].element);
    }
  };
  auto streamAll = [&] { storeBy(stream); };
  auto storeAll = [&] { storeBy(store); };
  if (isa<Constant>(streams)) {
    streams == b.getTrue() ? streamAll() : storeAll();
    return;
  }
  auto prefetchAndStream = [&] {
    for (unsigned input = 0; input < kernel.firstOutput(); ++input)
      if (const KernelTensor &tensor = kernel.tensors[input]; !operands[input].splat && tensor.places.empty())
        prefetch(b, operands[input].ahead, i, tensor.element, wide, 0);
    streamAll();
  };
  b.branchRarely(streams, prefetchAndStream, storeAll);
}

// The number of elements before the first store that does not cross a cache line.
Value *Plane::untilAligned(ArrayRef<Operand> operands) {
  unsigned output = kernel.firstOutput();
  const Element &element = kernel.tensors[output].element;
  Value *address = b.CreatePtrToInt(operands[output].pointer, b.getInt64Ty());
  Value *bytes = b.CreateAnd(b.CreateNeg(address), b.index(streamAlignment(element, wide) - 1));
  return b.CreateLShr(bytes, Log2_32(element.bytes));
}

void Plane::streamMiddle(ArrayRef<Operand> operands, Value *count) {
  Value *end = b.CreateSub(count, b.index(wide - 1));
  b.loop(untilAligned(operands), end, b.index(wide), [&](Value *i) { turn(operands, i, b.getTrue()); });
}

void Plane::row(ArrayRef<Operand> operands, Value *count, Value *streams) {
  Value *width = b.index(wide), *last = b.CreateSub(count, width), *zero = b.index(0), *step = width, *end = nullptr;
  // The first iteration would begin before the row and is moved to its start; the second begins where stores are
  // aligned. A row that streams is long, and none of its inputs begins where it does.
  Value *isLong = b.CreateICmpSGE(count, b.index(kLeastAlignedTurns * wide));
  isLong = b.CreateAnd(isLong, b.CreateNot(overwrites(operands)));
  if (streams && choosesStores)
    isLong = b.CreateOr(isLong, streams);
  Value *before = b.CreateSub(width, untilAligned(operands));
  Value *begin = b.CreateSelect(isLong, b.CreateNeg(b.CreateAnd(before, b.index(wide - 1))), zero);
  if (streams && choosesStores) {
    // One comparison finds iterations that were not moved: without a sign, a negative i is larger than any other.
    end = b.CreateSelect(streams, b.CreateAdd(last, b.index(1)), zero);
  } else if (streams) {
    b.ifThen(streams, [&] { streamMiddle(operands, count); });
    // Only the first and the last iteration remain.
    step = b.CreateSelect(streams, last, width);
    begin = b.CreateSelect(streams, zero, begin);
  }
  b.loop(begin, count, step,
         [&](Value *i) { turn(operands, b.max(b.min(i, last), zero), end ? b.CreateICmpULT(i, end) : b.getFalse()); });
}

// Each element once, in the order of the scan; `count` is a multiple of the width.
void Plane::scannedRow(ArrayRef<Operand> operands, Value *count) {
  Values last = b.loop(b.index(0), count, b.index(wide), scans->begin(), [&](Value *i, ArrayRef<Value *> carried) {
    scans->carried.assign(carried.begin(), carried.end());
    turn(operands, scans->isReverse() ? b.CreateSub(b.CreateSub(count, b.index(wide)), i) : i, b.getFalse());
    return scans->carried;
  });
  scans->end(last);
}

void Plane::emit() {
  Value *pointers = b.function->getArg(0), *steps = b.function->getArg(1);
  Value *rows = b.function->getArg(2), *count = b.function->getArg(3);
  frame.readScalars(b.function->getArg(5));
  auto get = [&](Value *array, Type *type, unsigned i) {
    Value *place = b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), array, i);
    return b.CreateAlignedLoad(type, place, Align(8));
  };
  SmallVector<Value *> first, distances, ahead;
  for (unsigned i = 0; i < kernel.tensors.size(); ++i) {
    first.push_back(get(pointers, b.getPtrTy(), i));
    distances.push_back(get(steps, b.getInt64Ty(), i));
    ahead.push_back(get(steps, b.getInt64Ty(), kernel.tensors.size() + i));
  }
  if (kernel.kind == FusedKernel::Kind::Lookup)
    tables.emplace(b, kernel, frame, positions, wide);
  if (kernel.counts()) {
    unsigned at = unsigned(kernel.tensors.size());
    rowNumber = get(pointers, b.getInt64Ty(), at++);
    firstColumn = get(pointers, b.getInt64Ty(), at++);
    for (size_t i = 0; i < positions.buffered().size(); ++i)
      buffers.push_back(get(pointers, b.getPtrTy(), at++));
    computeOfRow();
  }
  if (kernel.kind == FusedKernel::Kind::Scanned)
    scans.emplace(b, kernel, wide, get(pointers, b.getPtrTy(), unsigned(kernel.tensors.size())));
  // In Sorted, indices change from row to row too.
  if (kernel.kind == FusedKernel::Kind::Sorted) {
    first.push_back(get(pointers, b.getPtrTy(), unsigned(kernel.tensors.size())));
    distances.push_back(get(steps, b.getInt64Ty(), 2 * unsigned(kernel.tensors.size())));
  }
  Value *streams = nullptr;
  if (mayStream()) {
    Value *least = b.index(std::max(kLeastStream, 4 * int64_t(wide)));
    streams = b.CreateAnd(b.function->getArg(4), b.CreateICmpSGE(count, least));
  }
  auto oneRow = [&](Value *, ArrayRef<Value *> carried) -> Values {
    SmallVector<Operand> operands;
    Values next;
    for (auto [i, pointer] : enumerate(carried)) {
      if (i == kernel.tensors.size()) {
        sortedPlaces = pointer;
        next.push_back(b.at(pointer, b.getInt8Ty(), distances[i]));
        continue;
      }
      Operand &operand = operands.emplace_back();
      operand.pointer = pointer;
      operand.ahead = b.at(pointer, b.getInt8Ty(), ahead[i]);
      if (still[i] && kernel.tensors[i].places.empty()) {
        Value *scalar = load(b, pointer, b.index(0), kernel.tensors[i].element, 0);
        operand.splat = b.CreateVectorSplat(wide, scalar);
      }
      next.push_back(b.at(pointer, b.getInt8Ty(), distances[i]));
    }
    if (scans)
      scannedRow(operands, count);
    else
      row(operands, count, streams);
    return next;
  };
  b.loop(b.index(0), rows, b.index(1), first, oneRow);
  b.CreateRetVoid();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {

/// A kernel of a module: its planes, its description and its entry.
class Elementwise {
public:
  Elementwise(Module &module, FusedKernel &kernel, ArrayRef<KernelField> fields, const CpuLevel &level)
      : module(module), kernel(kernel), fields(fields), level(level) {
    unsigned lanes = level.vectorBits / std::max(kernel.cost.widestBits, kernel.cost.innerBits);
    // Many streams keep the loads busy without further vectors, and code for them is what compiling takes.
    const unsigned vectors = kernel.tensors.size() > kFewTensors ? 2 : 4;
    wide = lanes * (kernel.cost.usesFunctions ? level.functionVectors() : vectors);
    // A long row must have at least one full iteration, so that no row is copied for being too narrow.
    if (kernel.loops > 1 && !kernel.ofLaunch && wide > kShortSpreadRow)
      wide = lanes * std::min(2u, wide / lanes);
    moves = onlyMoves(kernel);
    if (moves)
      wide = 1;
  }

  /// nullptr after an error (cpu_c7).
  Function *entry();

private:
  // A flat kernel has one row.
  bool alongM(unsigned tensor) const { return kernel.loops == 2 && kernel.isAlong(tensor, 0); }
  bool alongN(unsigned tensor) const { return kernel.isAlong(tensor, int(kernel.loops) - 1); }
  Function *plane(function_ref<bool(unsigned)> moves) { return addPlane(module, kernel, fields, level, wide, moves); }
  Constant *description();
  void push(int64_t value) { slots.push_back(b.getInt64(value)); }
  void pushField(const std::string &name, std::optional<int64_t> otherwise);
  void pushLaunch();
  Function *jump(Constant *description);
  Function *sharedFrom(Function &entry, Function *plane);
  Function *sharedEntry(Constant *description);
  // Whether operands differ from the tensors of a launch: they are parts, or those of a nest.
  bool hasParts() const {
    return !kernel.suffix.empty() || any_of(kernel.tensors, [](const KernelTensor &tensor) { return tensor.isPart; });
  }
  Value *takeParts(CodeBuilder &b, Value *arguments);

  Module &module;
  FusedKernel &kernel;
  ArrayRef<KernelField> fields;
  const CpuLevel &level;
  unsigned wide;
  bool moves; ///< computes nothing
  IRBuilder<> b{module.getContext()};
  SmallVector<Constant *> slots;
  std::vector<std::string> missing;
};

} // namespace

Function *addPlane(Module &module, FusedKernel &kernel, ArrayRef<KernelField> fields, const CpuLevel &level,
                   unsigned wide, function_ref<bool(unsigned)> moves) {
  SmallVector<bool> still;
  for (unsigned i = 0; i < kernel.tensors.size(); ++i)
    still.push_back(!kernel.tensors[i].output && !moves(i));
  CodeBuilder b(newFunction(module, "plane", planeType(module.getContext()), level), level);
  Frame frame(b, kernel, fields);
  if (onlyMoves(kernel))
    emitMovePlane(b, kernel, frame, still);
  else
    Plane(b, kernel, frame, wide, still).emit();
  GlobalNumberState numbers;
  for (Function &other : module)
    if (&other != b.function && other.getName().starts_with("plane") &&
        FunctionComparator(b.function, &other, &numbers).compare() == 0) {
      b.function->eraseFromParent();
      return &other;
    }
  return b.function;
}

RowPlanes::RowPlanes(Module &module, FusedKernel &kernel, ArrayRef<KernelField> fields, const CpuLevel &level)
    : lanes(level.vectorBits / kernel.cost.widestBits) {
  auto moves = [&](unsigned tensor) { return is_contained(kernel.tensors[tensor].dims, 1); };
  wide = addPlane(module, kernel, fields, level, lanes, moves);
  narrow = addPlane(module, kernel, fields, level, 1, moves);
}

void Elementwise::pushField(const std::string &name, std::optional<int64_t> otherwise) {
  const auto *found = find_if(fields, [&](const KernelField &field) { return field.name == name; });
  bool given = found != fields.end();
  if (!given && !otherwise)
    missing.push_back(name);
  std::optional<int64_t> constant = given ? found->constant : otherwise;
  push(given && !constant ? found - fields.begin() : -1);
  push(constant.value_or(0));
}

// Pushes the data of a kernel of the key `any` after its tensors.
void Elementwise::pushLaunch() {
  int64_t bytes = 0, piece = kMostPiece;
  for (const KernelTensor &tensor : kernel.tensors)
    bytes += tensor.ofLaunch ? tensor.element.bytes : 0;
  while (piece > kLeastPiece && piece * bytes > kPieceBytes)
    piece /= 2;
  push(piece);
  push(kernel.tensors.size() == 2 && kernel.copiedInput());
  for (const char *size : {"size1", "size0", "batch1", "batch0", "batch2", "batch3", "batch4", "batch5"})
    pushField(size, std::nullopt);
  unsigned stillPlanes = 0;
  for (unsigned number = 0; number < kernel.tensors.size(); ++number) {
    const KernelTensor &tensor = kernel.tensors[number];
    push(tensor.ofLaunch);
    push(tensor.across);
    bool hasStill = tensor.ofLaunch && stillPlanes < kStillPlanes;
    stillPlanes += hasStill;
    slots.push_back(hasStill ? static_cast<Constant *>(plane([&](unsigned i) { return i != number && alongN(i); }))
                             : ConstantPointerNull::get(b.getPtrTy()));
    for (const char *field :
         {tensor.across ? "_n" : "_along_n", "_along_m", "_m", "_s1", "_s0", "_s2", "_s3", "_s4", "_s5"})
      pushField(tensor.name + field, tensor.ofLaunch ? std::nullopt : std::optional<int64_t>(0));
  }
}

Constant *Elementwise::description() {
  bool spreads = false, differs = false;
  for (unsigned i = 0; i < kernel.tensors.size(); ++i) {
    spreads |= alongM(i) && !alongN(i);
    differs |= alongM(i) != alongN(i);
  }
  bool grid = kernel.loops == 2;
  Function *longRows = plane([&](unsigned i) { return alongN(i); });
  unsigned tensors = kernel.tensors.size();
  auto part = [&](WalkPart which) { return walkPart(module, level, tensors, which); };
  bool across = any_of(kernel.tensors, [](const KernelTensor &tensor) { return tensor.across; });
  WalkPart ofLaunch = across ? WalkPart::AcrossRows : WalkPart::AnyRows;
  WalkPart ofLong = kernel.ofLaunch ? ofLaunch : grid ? WalkPart::LongRows : WalkPart::Flat;
  WalkPart ofShort = kernel.ofLaunch ? ofLaunch : grid ? WalkPart::ShortRows : WalkPart::Flat;
  slots = {part(ofLong), part(ofShort), longRows,
           grid && differs ? plane([&](unsigned i) { return alongM(i) || alongN(i); }) : longRows};
  push(wide);
  push(level.streams && kernel.stored.size() == 1);
  bool converts =
      any_of(kernel.tensors, [](const KernelTensor &tensor) { return tensor.element.kind != Element::Plain; });
  push(kernel.cost.usesFunctions || converts ? kBusyAhead : level.streamAhead);
  const int64_t shortRow = moves ? kShortMove / kernel.tensors.back().element.bytes : kShortRow;
  push(!grid || kernel.strided ? 0 : spreads ? std::min(shortRow, kShortSpreadRow) : shortRow);
  push(spreads);
  push(!grid);
  push(kernel.strided);
  push(kernel.partBits());
  auto pushLoop = [&](const char *name, std::optional<int64_t> otherwise) {
    pushField(name + kernel.suffix, otherwise);
  };
  if (grid)
    pushLoop("size0", std::nullopt);
  else
    slots.append({b.getInt64(-1), b.getInt64(1)});
  pushLoop(grid ? "size1" : "size0", std::nullopt);
  bool batched = any_of(fields, [&](const KernelField &field) { return field.name == "batch0" + kernel.suffix; });
  pushLoop("batch0", 1);
  pushLoop("batch1", 1);
  pushLoop("block_length", INT64_MAX);
  for (auto [i, tensor] : enumerate(kernel.tensors)) {
    push(tensor.element.bytes);
    push(alongM(i) ? -1 : 0);
    push(alongN(i) ? -1 : 0);
    push(tensor.output);
    // A scalar of the contract has no strides.
    bool moves = any_of(tensor.dims, [](int dim) { return dim >= 0; });
    pushField(tensor.name + "_s0", batched && moves ? std::nullopt : std::optional<int64_t>(0));
    pushField(tensor.name + "_s1", 0);
    pushField(tensor.name + "_m", kernel.strided && moves ? std::nullopt : std::optional<int64_t>(0));
    const std::string begin = tensor.name + "_at";
    bool isKnown = any_of(fields, [&](const KernelField &field) { return field.name == begin; });
    if (tensor.isPart && !isKnown)
      missing.push_back(begin);
  }
  if (kernel.ofLaunch)
    pushLaunch();
  return ConstantStruct::getAnon(slots);
}

// The arguments of a launch with each part as a tensor: it begins inside of its tensor and has the elements from
// there on. Whether to stream depends on the whole tensors: the launch touches their other parts too, and a nest that
// writes a range of an output does not read what is written to the others. So the output counts twice at least.
Value *Elementwise::takeParts(CodeBuilder &b, Value *arguments) {
  Type *i64 = b.getInt64Ty(), *pointer = b.getPtrTy();
  constexpr unsigned kSlots = sizeof(opc_kernel_arguments) / 8;
  auto slot = [&](Value *array, Type *type, unsigned i) {
    return b.CreateAlignedLoad(type, b.CreateConstInBoundsGEP1_64(i64, array, i), Align(8));
  };
  auto set = [&](Value *array, unsigned i, Value *value) {
    b.CreateAlignedStore(value, b.CreateConstInBoundsGEP1_64(i64, array, i), Align(8));
  };
  Value *copy = b.buffer(i64, kSlots);
  Value *pointers = b.buffer(i64, kernel.tensors.size()), *sizes = b.buffer(i64, kernel.tensors.size());
  Value *ofPointers = slot(arguments, pointer, 0), *ofSizes = slot(arguments, pointer, 1);
  Value *tiling = slot(arguments, pointer, 2), *touched = b.index(0), *written = b.index(0);
  for (auto [i, tensor] : enumerate(kernel.tensors)) {
    Value *first = slot(ofPointers, pointer, tensor.number), *size = slot(ofSizes, i64, tensor.number);
    Value *bytes = b.CreateMul(size, b.index(tensor.element.bytes));
    touched = b.CreateAdd(touched, bytes);
    if (tensor.output)
      written = b.CreateAdd(written, bytes);
    if (tensor.isPart) {
      const std::string begin = tensor.name + "_at";
      const auto *field = find_if(fields, [&](const KernelField &each) { return each.name == begin; });
      Value *at = field->constant ? b.index(*field->constant) : slot(tiling, i64, unsigned(field - fields.begin()));
      // An offset outside of the tensor is invalid for any size.
      Value *inside = b.CreateICmpULE(at, size);
      size = b.CreateSelect(inside, b.CreateSub(size, at), b.index(-1));
      at = b.CreateSelect(inside, at, b.index(0));
      first = b.at(first, b.getInt8Ty(), b.CreateMul(at, b.index(tensor.element.bytes)));
    }
    set(pointers, unsigned(i), first);
    set(sizes, unsigned(i), size);
  }
  set(copy, 0, pointers);
  set(copy, 1, sizes);
  for (unsigned i = 2; i < kSlots; ++i)
    set(copy, i, slot(arguments, i64, i));
  constexpr unsigned kThreshold = offsetof(opc_kernel_arguments, stream_threshold) / 8;
  Value *threshold = slot(arguments, i64, kThreshold);
  touched = b.max(touched, b.CreateShl(written, 1));
  set(copy, kThreshold, b.CreateSelect(b.CreateICmpUGT(touched, threshold), b.index(0), threshold));
  return copy;
}

/// The call of a walk that is inlined into an entry, which it consists of; null for other functions.
static CallInst *inlinedWalk(Function &function) {
  auto *call = function.isDeclaration() ? nullptr : dyn_cast<CallInst>(&function.front().front());
  return call && call->hasFnAttr(Attribute::AlwaysInline) && call->arg_size() == 4 ? call : nullptr;
}

/// Whether two descriptions differ in their planes alone.
static bool differInPlane(Constant *one, Constant *other) {
  if (one->getType() != other->getType() || one == other)
    return false;
  for (unsigned slot = 0; slot < one->getNumOperands(); ++slot)
    if (slot != described::LongPlane && slot != described::ShortPlane &&
        one->getOperand(slot) != other->getOperand(slot))
      return false;
  return true;
}

static void callWithPlane(Function &entry, Function *shared, Value *plane) {
  IRBuilder<> b(BasicBlock::Create(entry.getContext(), "", &entry));
  CallInst *call = b.CreateCall(shared, {entry.getArg(0), entry.getArg(1), entry.getArg(2), plane});
  call->setTailCall();
  b.CreateRet(call);
}

/// Moves the code of an entry of a flat kernel to a function that takes the plane as an argument.
Function *Elementwise::sharedFrom(Function &entry, Function *plane) {
  SmallVector<Type *> types(entry.getFunctionType()->params());
  types.push_back(b.getPtrTy());
  Function *shared = newFunction(module, "flat_entry", FunctionType::get(b.getInt32Ty(), types, false), level);
  shared->splice(shared->begin(), &entry);
  for (unsigned i = 0; i < entry.arg_size(); ++i)
    entry.getArg(i)->replaceAllUsesWith(shared->getArg(i));
  shared->addFnAttr(kTakesPlane, plane->getName());
  callWithPlane(entry, shared, plane);
  return shared;
}

/// An earlier entry whose description differs in the plane alone, as a function that takes the plane: types of one
/// width that are converted differently have such entries. Null if there is none.
Function *Elementwise::sharedEntry(Constant *description) {
  for (Function &function : module) {
    CallInst *call = inlinedWalk(function);
    auto *global = call ? dyn_cast<GlobalVariable>(call->getArgOperand(3)) : nullptr;
    if (!global || !global->hasInitializer())
      continue;
    Constant *other = global->getInitializer();
    const bool takesPlane = function.hasFnAttribute(kTakesPlane);
    if (takesPlane && (other == description || differInPlane(description, other)))
      return &function;
    if (!takesPlane && differInPlane(description, other))
      return sharedFrom(function, cast<Function>(other->getOperand(described::LongPlane)));
  }
  return nullptr;
}

Function *Elementwise::jump(Constant *description) {
  Type *i64 = b.getInt64Ty();
  auto *type = FunctionType::get(b.getInt32Ty(), {b.getPtrTy(), i64, i64}, false);
  Function *entry = newFunction(module, "entry." + kernel.name + "." + level.shortName, type, level);
  // A launch may take only tens of nanoseconds, so here the cost of the walk itself matters.
  bool inlined = kernel.loops == 1;
  for (unsigned i = 0; i < kernel.tensors.size(); ++i)
    inlined &= alongN(i);
  if (Function *shared = inlined && !hasParts() ? sharedEntry(description) : nullptr) {
    callWithPlane(*entry, shared, description->getOperand(described::LongPlane));
    return entry;
  }
  // Type rows with the same planes, such as int8 and uint8 compared for equality, have one description and one entry.
  GlobalVariable *global = nullptr;
  for (GlobalVariable &earlier : module.globals())
    if (earlier.hasInitializer() && earlier.getInitializer() == description)
      global = &earlier;
  if (!global) {
    global = new GlobalVariable(module, description->getType(), true, GlobalValue::PrivateLinkage, description);
    global->setAlignment(Align(8));
  }
  CodeBuilder b(entry, level);
  Value *arguments = hasParts() ? takeParts(b, entry->getArg(0)) : entry->getArg(0);
  CallInst *call = b.CreateCall(walk(module, level, kernel.tensors.size(), kernel.ofLaunch),
                                {arguments, entry->getArg(1), entry->getArg(2), global});
  call->setTailCall(!hasParts());
  if (inlined)
    call->addFnAttr(Attribute::AlwaysInline);
  b.CreateRet(call);
  return entry;
}

Function *Elementwise::entry() {
  Constant *made = description();
  if (missing.empty())
    return jump(made);
  kernel.function.emitOpError("[cpu_c7] expects a tiling function with the fields '") << join(missing, "', '") << "'";
  return nullptr;
}

Function *addElementwise(Module &module, FusedKernel &kernel, ArrayRef<KernelField> fields, const CpuLevel &level) {
  return Elementwise(module, kernel, fields, level).entry();
}

} // namespace opc::cpu
