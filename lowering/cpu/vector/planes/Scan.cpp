// Kernels that combine elements along a loop:
//
//   along m   for each batch and piece of columns: one call of a plane for all rows, in the order of the scan
//   along n   for each row: one call of a plane for its whole vectors and one for the rest, in the order of the scan
//
// Along m with a single column, whose elements are adjacent, a batch is a row: the launch then takes the planes
// along n. Whether dimensions follow an axis that is counted from the first one is known only at the launch.
//
// Blocks consist of independent columns, or rows. An inner kernel has one body for whole vectors and one for single
// elements; no element is computed twice, since that would combine it twice.

#include "lowering/cpu/vector/planes/Scan.h"

#include "dialect/te/TeOps.h"
#include "lowering/cpu/vector/VectorKernels.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace opc::cpu {

static te::ScanOp scanOf(mlir::Operation *op) {
  return mlir::cast<te::ScanOp>(op);
}

static Element elementOf(CodeBuilder &b, te::ScanOp scan) {
  return *Element::of(scan.getType(), b.getContext());
}

/// Combines two values of a scan; those of 16 bits are rounded.
static Value *combined(CodeBuilder &b, te::ScanOp scan, Value *x, Value *y) {
  const Element element = elementOf(b, scan);
  const bool isFloat = element.computed->isFloatingPointTy();
  auto rounded = [&](Value *value) {
    const bool rounds = element.kind == Element::Half || element.kind == Element::BFloat;
    return rounds ? roundTo(b, value, element) : value;
  };
  switch (scan.getForm()) {
  case te::ScanForm::Sum:
    return isFloat ? rounded(b.CreateFAdd(x, y)) : b.CreateAdd(x, y);
  case te::ScanForm::Product:
    return isFloat ? rounded(b.CreateFMul(x, y)) : b.CreateMul(x, y);
  case te::ScanForm::Max:
    if (isFloat)
      return VectorMath(b).maximum(x, y);
    return b.CreateBinaryIntrinsic(scan.getIsUnsigned() ? Intrinsic::umax : Intrinsic::smax, x, y);
  }
  return nullptr;
}

/// The initial value of a scan.
static Constant *identityOf(CodeBuilder &b, te::ScanOp scan) {
  Type *type = elementOf(b, scan).computed;
  if (scan.getForm() != te::ScanForm::Max)
    return type->isFloatingPointTy()
               ? static_cast<Constant *>(ConstantFP::get(type, scan.getForm() == te::ScanForm::Product))
               : ConstantInt::get(type, scan.getForm() == te::ScanForm::Product);
  if (type->isFloatingPointTy())
    return ConstantFP::getInfinity(type, /*Negative=*/true);
  const unsigned width = type->getScalarSizeInBits();
  return ConstantInt::get(type, scan.getIsUnsigned() ? APInt::getZero(width) : APInt::getSignedMinValue(width));
}

/// The type of running values in memory: that in registers.
static Element inMemory(CodeBuilder &b, te::ScanOp scan) {
  Type *type = elementOf(b, scan).computed;
  return {Element::Plain, type, type, type->getScalarSizeInBits() / 8};
}

bool RunningScans::isReverse() const {
  return scanOf(kernel.scans.front()).getReverse();
}

Value *RunningScans::placeOf(unsigned scan, Value *column) {
  Value *first = b.at(memory, b.getInt8Ty(), b.index(int64_t(scan) * kBytes));
  return b.at(first, inMemory(b, scanOf(kernel.scans[scan])).memory, column);
}

Values RunningScans::begin() {
  Values values;
  for (unsigned scan = 0; scan < kernel.scans.size() && kernel.scanned == 1; ++scan) {
    Value *value = load(b, placeOf(scan, b.index(0)), b.index(0), inMemory(b, scanOf(kernel.scans[scan])), /*lanes=*/0);
    values.push_back(b.CreateVectorSplat(wide, value));
  }
  return values;
}

void RunningScans::end(ArrayRef<Value *> last) {
  for (auto [scan, value] : enumerate(last))
    store(b, b.CreateExtractElement(value, uint64_t(0)), placeOf(unsigned(scan), b.index(0)), b.index(0),
          inMemory(b, scanOf(kernel.scans[scan])));
}

/// Floats of a constant that LLVM does not recognise. It shifts lanes in front of zeros by masked expansions
/// (vexpandps), which take eight times as long as permutations of two vectors on some processors.
static Value *hidden(CodeBuilder &b, Value *lanes) {
  return lanes->getType()->isFPOrFPVectorTy() ? b.CreateArithmeticFence(lanes, lanes->getType()) : lanes;
}

/// Combines the lanes with those before them, and all with the running value before the vector.
Value *RunningScans::along(mlir::Operation &op, Value *value, Value *&carry) {
  te::ScanOp scan = scanOf(&op);
  Value *identity = hidden(b, b.CreateVectorSplat(wide, identityOf(b, scan)));
  // Lane l gets lane l - distance, in reverse l + distance; lanes without such a lane get the identity.
  auto moved = [&](Value *lanes, unsigned distance) {
    SmallVector<int> places;
    for (int lane = 0; lane < int(wide); ++lane) {
      const int from = scan.getReverse() ? lane + int(distance) : lane - int(distance);
      places.push_back(from >= 0 && from < int(wide) ? from : int(wide));
    }
    return b.CreateShuffleVector(lanes, identity, places);
  };
  Value *prefix = value;
  for (unsigned distance = 1; distance < wide; distance *= 2)
    prefix = combined(b, scan, moved(prefix, distance), prefix);
  // The next vector waits for one combination, not for the steps above.
  Value *total = b.CreateShuffleVector(prefix, SmallVector<int>(wide, scan.getReverse() ? 0 : int(wide) - 1));
  Value *result = combined(b, scan, carry, scan.getExclusive() ? moved(prefix, 1) : prefix);
  carry = combined(b, scan, carry, total);
  return result;
}

Value *RunningScans::combine(mlir::Operation &op, Value *value, Value *i) {
  const auto number = unsigned(find(kernel.scans, &op) - kernel.scans.begin());
  if (kernel.scanned == 1)
    return along(op, value, carried[number]);
  te::ScanOp scan = scanOf(&op);
  const Element element = inMemory(b, scan);
  Value *before = load(b, placeOf(number, b.index(0)), i, element, wide);
  Value *behind = combined(b, scan, before, value);
  store(b, behind, placeOf(number, b.index(0)), i, element);
  return scan.getExclusive() ? before : behind;
}

void RunningScans::reset(CodeBuilder &b, FusedKernel &kernel, Value *memory, Value *count) {
  for (auto [number, op] : enumerate(kernel.scans)) {
    const Element element = inMemory(b, scanOf(op));
    Value *first = b.at(memory, b.getInt8Ty(), b.index(int64_t(number) * kBytes)),
          *identity = identityOf(b, scanOf(op));
    b.loop(b.index(0), count, b.index(1), [&](Value *column) { store(b, identity, first, column, element); });
  }
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {

class ScanKernel {
public:
  /// `ofLines`: the planes along a single column; null if there are none (asLines).
  ScanKernel(CodeBuilder &b, FusedKernel &kernel, Frame &frame, const RowPlanes &planes, const RowPlanes *ofLines)
      : b(b), kernel(kernel), frame(frame), planes(planes), ofLines(ofLines) {}

  void emit();

private:
  bool isReverse() const { return scanOf(kernel.scans.front()).getReverse(); }
  Value *startOf(unsigned tensor, const Frame::Place &place, Value *row, Value *column);
  void call(Function *plane, const Frame::Place &place, Value *row, Value *rows, Value *column, Value *count,
            Value *values);
  Value *wholeVectors(Value *count);
  Value *isLine();
  void line(const RowPlanes &of, Value *length, function_ref<void(Function *plane, Value *first, Value *count)> part);
  void columns();
  void lines();
  void rows();

  CodeBuilder &b;
  FusedKernel &kernel;
  Frame &frame;
  const RowPlanes &planes, *ofLines;
  Value *pointers = nullptr, *steps = nullptr, *memory = nullptr;
};

} // namespace

Value *ScanKernel::startOf(unsigned tensor, const Frame::Place &place, Value *row, Value *column) {
  Value *offset = b.index(0);
  if (kernel.isAlong(tensor, 0))
    offset = b.CreateMul(row, frame.rowDistance(tensor));
  if (kernel.isAlong(tensor, 1))
    offset = b.CreateAdd(offset, column);
  if (place.outer) {
    offset = b.CreateAdd(offset, b.CreateMul(place.outer, frame.batchStride(tensor, 0)));
    offset = b.CreateAdd(offset, b.CreateMul(place.inner, frame.batchStride(tensor, 1)));
  }
  return b.at(frame.tensor(tensor), kernel.tensors[tensor].element.memory, offset);
}

/// Calls a plane for `rows` rows from `row` on, of `count` elements from `column` on. `values`: the address of their
/// running values.
void ScanKernel::call(Function *plane, const Frame::Place &place, Value *row, Value *rows, Value *column, Value *count,
                      Value *values) {
  for (unsigned i = 0; i < kernel.tensors.size(); ++i)
    b.CreateAlignedStore(startOf(i, place, row, column), b.CreateConstInBoundsGEP1_64(b.getPtrTy(), pointers, i),
                         Align(8));
  b.CreateAlignedStore(values, b.CreateConstInBoundsGEP1_64(b.getPtrTy(), pointers, kernel.tensors.size()), Align(8));
  b.CreateCall(plane, {pointers, steps, rows, count, b.getFalse(), frame.tilingData()});
}

/// The elements of `count` that are in whole vectors.
Value *ScanKernel::wholeVectors(Value *count) {
  return b.CreateMul(b.CreateUDiv(count, b.index(planes.lanes)), b.index(planes.lanes));
}

/// Runs `part` for the whole vectors of a line and for the elements after them, in the order of the scan.
void ScanKernel::line(const RowPlanes &of, Value *length,
                      function_ref<void(Function *plane, Value *first, Value *count)> part) {
  Value *zero = b.index(0), *whole = wholeVectors(length), *rest = b.CreateSub(length, whole);
  auto elements = [&] { b.ifThen(b.CreateICmpNE(rest, zero), [&] { part(of.narrow, whole, rest); }); };
  RunningScans::reset(b, kernel, memory, b.index(1));
  if (isReverse())
    elements();
  b.ifThen(b.CreateICmpNE(whole, zero), [&] { part(of.wide, zero, whole); });
  if (!isReverse())
    elements();
}

// Items are the columns of all batches.
void ScanKernel::columns() {
  Value *zero = b.index(0), *one = b.index(1), *m = frame.loopSize(0), *n = b.max(frame.loopSize(1), one);
  Value *firstRow = isReverse() ? b.max(b.CreateSub(m, one), zero) : zero;
  for (unsigned i = 0; i < kernel.tensors.size(); ++i) {
    Value *bytes = zero;
    if (kernel.isAlong(i, 0))
      bytes = b.CreateMul(frame.rowDistance(i), b.index(kernel.tensors[i].element.bytes));
    b.CreateAlignedStore(isReverse() ? b.CreateNeg(bytes) : bytes,
                         b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), steps, i), Align(8));
  }
  Value *last = b.CreateUDiv(b.CreateAdd(frame.end, b.CreateSub(n, one)), n);
  b.loop(b.CreateUDiv(frame.begin, n), last, one, [&](Value *batch) {
    Value *base = b.CreateMul(batch, n);
    const Frame::Place place = frame.placeOf(base, n);
    Value *begin = b.max(b.CreateSub(frame.begin, base), zero), *end = b.min(b.CreateSub(frame.end, base), n);
    b.loop(begin, end, b.index(RunningScans::kPiece), [&](Value *column) {
      Value *count = b.min(b.CreateSub(end, column), b.index(RunningScans::kPiece));
      Value *whole = wholeVectors(count), *rest = b.CreateSub(count, whole);
      RunningScans::reset(b, kernel, memory, count);
      b.ifThen(b.CreateICmpNE(whole, zero), [&] { call(planes.wide, place, firstRow, m, column, whole, memory); });
      // Its first running value is at the start of the memory, as for any plane.
      b.ifThen(b.CreateICmpNE(rest, zero), [&] {
        RunningScans::reset(b, kernel, memory, rest);
        call(planes.narrow, place, firstRow, m, b.CreateAdd(column, whole), rest, memory);
      });
    });
  });
}

/// Whether there is one column, and its elements are adjacent in each tensor.
Value *ScanKernel::isLine() {
  Value *one = b.index(1), *is = b.CreateICmpEQ(frame.loopSize(1), one);
  for (unsigned i = 0; i < kernel.tensors.size(); ++i)
    if (kernel.isAlong(i, 0))
      is = b.CreateAnd(is, b.CreateICmpEQ(frame.rowDistance(i), one));
  return is;
}

// Items are batches, each of one column.
void ScanKernel::lines() {
  Value *zero = b.index(0), *one = b.index(1), *m = frame.loopSize(0);
  b.loop(frame.begin, frame.end, one, [&](Value *item) {
    const Frame::Place place = frame.placeOf(item, one);
    line(*ofLines, m,
         [&](Function *plane, Value *first, Value *count) { call(plane, place, first, one, zero, count, memory); });
  });
}

// Items are the rows of all batches.
void ScanKernel::rows() {
  Value *one = b.index(1), *n = frame.loopSize(1), *rowsOfBatch = b.max(frame.loopSize(0), one);
  b.loop(frame.begin, frame.end, one, [&](Value *item) {
    const Frame::Place place = frame.placeOf(item, rowsOfBatch);
    line(planes, n, [&](Function *plane, Value *first, Value *count) {
      call(plane, place, place.item, one, first, count, memory);
    });
  });
}

void ScanKernel::emit() {
  const unsigned tensors = kernel.tensors.size();
  pointers = b.buffer(b.getPtrTy(), tensors + 1);
  steps = b.buffer(b.getInt64Ty(), 2 * tensors);
  memory = b.buffer(b.getInt8Ty(), kernel.scans.size() * RunningScans::kBytes);
  for (unsigned i = 0; i < 2 * tensors; ++i)
    b.CreateAlignedStore(b.index(0), b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), steps, i), Align(8));
  if (kernel.scanned == 1)
    return rows();
  if (!ofLines)
    return columns();
  Value *is = isLine();
  b.ifThen(is, [&] { lines(); });
  b.ifThen(b.CreateNot(is), [&] { columns(); });
}

/// A kernel along m as one along n, for launches with one column: what varies along m varies along n, and nothing else
/// varies. None if an output does not vary along m: a plane writes a whole row of each output.
static std::optional<FusedKernel> asLines(const FusedKernel &kernel) {
  if (kernel.scanned != 0)
    return std::nullopt;
  FusedKernel lines = kernel;
  lines.scanned = 1;
  for (unsigned i = 0; i < kernel.tensors.size(); ++i) {
    if (kernel.tensors[i].output && !kernel.isAlong(i, 0))
      return std::nullopt;
    for (int &dim : lines.tensors[i].dims)
      dim = dim == 0 ? 1 : -1;
  }
  return lines;
}

bool emitScan(Module &module, CodeBuilder &b, FusedKernel &kernel, Frame &frame, ArrayRef<KernelField> fields) {
  const RowPlanes planes(module, kernel, fields, b.level);
  std::optional<FusedKernel> lines = asLines(kernel);
  std::optional<RowPlanes> ofLines;
  if (lines)
    ofLines.emplace(module, *lines, fields, b.level);
  ScanKernel(b, kernel, frame, planes, ofLines ? &*ofLines : nullptr).emit();
  return true;
}

} // namespace opc::cpu
