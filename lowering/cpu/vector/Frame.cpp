#include "lowering/cpu/vector/Frame.h"

#include "dialect/te/TeDialect.h"
#include "ops/contract/domain/Contraction.h"
#include "ops/contract/domain/Windows.h"
#include "runtime/program/opc_kernel_library.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace opc::cpu {

using Kind = FusedKernel::Kind;

/// Whether the row strides of all tensors are in the tiling data.
static bool hasDistances(Kind kind) {
  return kind == Kind::Gather || kind == Kind::Counted || kind == Kind::Scanned || kind == Kind::Lookup ||
         kind == Kind::Sorted || kind == Kind::Scattered;
}

Frame::Frame(CodeBuilder &b, FusedKernel &kernel, ArrayRef<KernelField> fields) : b(b), kernel(kernel), fields(fields) {
}

Value *Frame::slot(Value *array, Type *type, uint64_t position) {
  return b.CreateAlignedLoad(type, b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), array, position), Align(8));
}

Value *Frame::field(StringRef name, Value *otherwise) {
  const auto *found = find_if(fields, [&](const KernelField &field) { return field.name == name; });
  if (found != fields.end() && found->constant)
    return b.index(*found->constant);
  if (found != fields.end())
    return slot(tiling, b.getInt64Ty(), found - fields.begin());
  if (!otherwise)
    missing.push_back(name.str());
  return otherwise ? otherwise : b.index(1);
}

Value *Frame::loopField(StringRef name, Value *otherwise) {
  return field(name.str() + kernel.suffix, otherwise);
}

// A launch attribute: floats are passed as the bits of an f32, integers as they are.
Value *Frame::launchScalar(mlir::Type type, uint64_t position) {
  Value *bits = slot(tiling, b.getInt64Ty(), position);
  Element element = *Element::of(type, b.getContext());
  if (element.kind == Element::Bool)
    return b.CreateICmpNE(bits, b.index(0));
  if (element.computed->isIntegerTy())
    return b.CreateZExtOrTrunc(bits, element.computed);
  Value *number = b.CreateBitCast(b.CreateTrunc(bits, b.getInt32Ty()), b.getFloatTy());
  if (element.computed->isDoubleTy())
    return b.CreateFPExt(number, element.computed);
  return roundTo(b, number, element);
}

void Frame::readAttributes() {
  for (auto [i, argument] : enumerate(kernel.scalars))
    scalars[argument] = launchScalar(argument.getType(), fields.size() + i);
}

// Computes the scalars that bodies use once, before all loops.
void Frame::computeScalars() {
  for (mlir::Operation &op : kernel.function.front()) {
    bool isScalar = op.getNumResults() == 1 && op.getResult(0).getType().isIntOrIndexOrFloat();
    bool isSize = all_of(op.getUsers(), [](mlir::Operation *user) { return mlir::isa<mlir::tensor::EmptyOp>(user); });
    if (isScalar && !isSize)
      scalar(op.getResult(0));
  }
}

void Frame::readScalars(Value *tilingData) {
  tiling = tilingData;
  readAttributes();
  computeScalars();
}

Value *Frame::loopSize(unsigned loop) {
  return sizes.empty() ? loopField("size" + std::to_string(loop), b.index(1)) : sizes[loop];
}

void Frame::readTiling() {
  Value *arguments = b.function->getArg(0);
  static_assert(sizeof(opc_kernel_arguments) == 56);
  Value *pointers = slot(arguments, b.getPtrTy(), 0), *counts = slot(arguments, b.getPtrTy(), 1);
  tiling = slot(arguments, b.getPtrTy(), 2);
  streamThreshold = slot(arguments, b.getInt64Ty(), 4);
  const bool isProduct = kernel.kind == Kind::Contraction;
  if (isProduct) {
    packed = slot(arguments, b.getPtrTy(), 5);
    packing = slot(arguments, b.getInt64Ty(), 6);
  }
  for (const KernelTensor &tensor : kernel.tensors) {
    tensors.push_back(slot(pointers, b.getPtrTy(), tensor.number));
    elements.push_back(slot(counts, b.getInt64Ty(), tensor.number));
    if (!tensor.isPart)
      continue;
    // A part is a tensor that begins inside of its own. An offset outside of that is invalid for any size.
    Value *at = field(tensor.name + "_at", b.index(0)), *&first = tensors.back(), *&size = elements.back();
    Value *isInside = b.CreateICmpULE(at, size);
    size = b.CreateSelect(isInside, b.CreateSub(size, at), b.index(-1));
    first = b.at(first, tensor.element.memory, b.CreateSelect(isInside, at, b.index(0)));
  }
  readAttributes();
  for (unsigned loop = 0; loop < kernel.loops; ++loop)
    sizes.push_back(loopField("size" + std::to_string(loop), nullptr));
  bool batched = any_of(fields, [&](const KernelField &field) { return field.name == "batch0" + kernel.suffix; });
  if (batched) {
    batch[0] = loopField("batch0", nullptr);
    batch[1] = loopField("batch1", b.index(1));
    for (unsigned run = 0; run < kernel.batchRuns && kernel.batchRuns > 1; ++run)
      batchRuns.push_back(loopField("batch0_r" + std::to_string(run), nullptr));
  }
  if (isProduct && kernel.isStretched)
    for (unsigned loop = 2; loop < kMostBatches; ++loop)
      moreBatches.push_back(field("batch" + std::to_string(loop), nullptr));
  if (isProduct)
    for (unsigned loop = 0; loop < 2; ++loop)
      tileSize[loop] = field(loop == 0 ? "tile_m" : "tile_n", nullptr);
  if (kernel.windowed) {
    auto read = [&](unsigned number, Value *&in, Value *&of, Value *&out) {
      in = loopField("window_in" + std::to_string(number), nullptr);
      of = loopField("window_of" + std::to_string(number), nullptr);
      out = loopField("window_out" + std::to_string(number), nullptr);
    };
    const bool hasDepth = kernel.tensors[*kernel.windowed].depth.has_value();
    if (hasDepth)
      read(0, window.inDepth, window.ofDepth, window.outDepth);
    for (unsigned axis = 0; axis < 2; ++axis)
      read(axis + unsigned(hasDepth), window.in[axis], window.of[axis], window.out[axis]);
  }
  bool isNest = kernel.kind == Kind::SplitRows || kernel.kind == Kind::Columns || kernel.kind == Kind::Windows;
  const bool isGather = hasDistances(kernel.kind);
  bool hasOuter = isNest || kernel.kind == Kind::ReduceRows || kernel.kind == Kind::ReduceColumns;
  for (unsigned run = 0; run < kernel.outerRuns && kernel.outerRuns > 1; ++run)
    runs.push_back(loopField("size0_r" + std::to_string(run), nullptr));
  for (KernelTensor &tensor : kernel.tensors) {
    std::array<Value *, 2> steps = {nullptr, nullptr};
    gathered.push_back({nullptr, nullptr, nullptr});
    if (tensor.indices || tensor.sorted)
      gathered.back() = {field(tensor.name + "_count", nullptr), field(tensor.name + "_step", nullptr),
                         field(tensor.name + "_n", nullptr)};
    if (isGather) {
      outer.emplace_back();
      middle.push_back(field(tensor.name + "_m", b.index(0)));
      strides.push_back({field(tensor.name + "_s0", b.index(0)), field(tensor.name + "_s1", b.index(0))});
      continue;
    }
    if (batched)
      steps = {batchRuns.empty() ? field(tensor.name + "_s0", nullptr) : nullptr,
               field(tensor.name + "_s1", b.index(0))};
    strides.push_back(steps);
    batchOuter.emplace_back();
    for (size_t run = 0; run < batchRuns.size(); ++run)
      batchOuter.back().push_back(field(tensor.name + "_b" + std::to_string(run), nullptr));
    moreStrides.emplace_back();
    for (unsigned loop = 2; loop < moreBatches.size() + 2; ++loop)
      moreStrides.back().push_back(field(tensor.name + "_s" + std::to_string(loop), nullptr));
    outer.emplace_back();
    for (unsigned run = 0; run < kernel.outerRuns && hasOuter && tensor.dims.size() == 3; ++run)
      outer.back().push_back(field(tensor.name + "_r" + std::to_string(run), run == 0 ? b.index(-1) : nullptr));
    middle.push_back(isNest || isProduct ? field(tensor.name + "_m", nullptr) : nullptr);
  }
}

Values Frame::batchLoops() const {
  Values loops;
  if (batch[0])
    loops = {batch[1]};
  if (batch[0] && batchRuns.empty())
    loops.push_back(batch[0]);
  loops.append(batchRuns);
  loops.append(moreBatches);
  return loops;
}

Values Frame::batchSteps(unsigned tensor) const {
  Values steps;
  if (batch[0])
    steps = {strides[tensor][1]};
  if (batch[0] && batchRuns.empty())
    steps.push_back(strides[tensor][0]);
  if (!batchRuns.empty())
    steps.append(batchOuter[tensor]);
  if (!moreBatches.empty())
    steps.append(moreStrides[tensor]);
  return steps;
}

Values Frame::tripsOf(Value *trip, ArrayRef<Value *> ofRuns) {
  Values trips;
  for (size_t run = 0; run + 1 < ofRuns.size(); ++run) {
    trips.push_back(b.CreateURem(trip, ofRuns[run]));
    trip = b.CreateUDiv(trip, ofRuns[run]);
  }
  trips.push_back(trip);
  return trips;
}

Value *Frame::outerOffset(unsigned i, ArrayRef<Value *> trips) {
  Value *offset = nullptr;
  for (auto [trip, step] : zip_equal(trips, outer[i])) {
    Value *distance = b.CreateMul(trip, step);
    offset = offset ? b.CreateAdd(offset, distance) : distance;
  }
  return offset;
}

Value *Frame::stride(unsigned tensor, unsigned loop) {
  if (loop == 1 && middle[tensor])
    return middle[tensor];
  Value *product = nullptr;
  for (int dim : kernel.tensors[tensor].dims)
    if (dim > int(loop))
      product = product ? b.CreateMul(product, sizes[dim]) : sizes[dim];
  return product ? product : b.index(1);
}

// Sizes of windows match those of the loops: k ends with the elements of a window, and n or K runs over its positions.
// No size is so large that an offset overflows.
void Frame::checkWindows() {
  auto require = [&](Value *condition) { ok = b.CreateAnd(ok, condition); };
  constexpr int64_t kLargest = int64_t(1) << 32;
  for (Value *size : {window.in[0], window.in[1], window.of[0], window.of[1], window.out[0], window.out[1],
                      window.inDepth, window.ofDepth, window.outDepth})
    if (size) {
      require(b.CreateICmpSGE(size, b.index(0)));
      require(b.CreateICmpSLE(size, b.index(kLargest)));
    }
  const bool isProduct = kernel.kind == Kind::Contraction;
  Value *positions = b.checkedMul(window.of[0], window.of[1], ok);
  Value *places = b.checkedMul(window.out[0], window.out[1], ok);
  if (window.inDepth) {
    positions = b.checkedMul(positions, window.ofDepth, ok);
    places = b.checkedMul(places, window.outDepth, ok);
  }
  Value *columns = sizes[isProduct ? 1 : 2];
  require(b.CreateOr(b.CreateICmpEQ(columns, b.index(0)), b.CreateICmpEQ(columns, places)));
  if (isProduct) {
    require(b.CreateICmpEQ(b.CreateSRem(sizes[2], b.max(positions, b.index(1))), b.index(0)));
    return;
  }
  require(b.CreateICmpEQ(sizes[1], positions));
  require(b.CreateICmpEQ(sizes[0], b.index(1)));
  // The elements that a window covers are in a buffer.
  const WindowSteps &steps = (*kernel.tensors[*kernel.windowed].windows)[1];
  require(b.CreateICmpSLE(b.checkedMul(window.of[1], b.index(steps.dilation), ok), b.index(kLongestWindow)));
}

// The extent of an input with windows: planes of the dimensions over which they move; a batch has as many planes as k
// has windows.
Value *Frame::reachOfWindows() {
  const unsigned i = *kernel.windowed;
  Value *plane = b.checkedMul(window.in[0], window.in[1], ok);
  if (window.inDepth)
    plane = b.checkedMul(plane, window.inDepth, ok);
  Value *reach = plane, *met = plane;
  auto addTrips = [&](Value *trips, Value *step) {
    ok = b.CreateAnd(ok, b.CreateICmpSGE(step, b.index(0)));
    Value *last = b.max(b.CreateSub(trips, b.index(1)), b.index(0));
    reach = b.checkedAdd(reach, b.checkedMul(last, step, ok), ok);
    met = b.checkedMul(met, trips, ok);
  };
  if (kernel.kind == Kind::Contraction) {
    Value *positions = b.checkedMul(window.of[0], window.of[1], ok);
    if (window.ofDepth)
      positions = b.checkedMul(positions, window.ofDepth, ok);
    addTrips(b.CreateSDiv(sizes[2], b.max(positions, b.index(1))), middle[i]);
  }
  for (unsigned loop = 0; loop < 2; ++loop)
    if (batch[loop])
      addTrips(batch[loop], strides[i][loop]);
  return b.CreateSelect(b.CreateICmpEQ(met, b.index(0)), b.index(0), reach);
}

Frame::Table Frame::table(unsigned i) {
  const KernelTensor &tensor = kernel.tensors[i];
  Table table;
  for (size_t number = 0; number < tensor.places.size(); ++number) {
    table.counts.push_back(field(tensor.name + "_count" + std::to_string(number), nullptr));
    table.steps.push_back(field(tensor.name + "_step" + std::to_string(number), nullptr));
  }
  table.column = field(tensor.name + "_n", nullptr);
  return table;
}

// The extent of a gathered tensor. An empty dimension has nothing to gather from. Offsets of computed indices have
// 32 bits.
Value *Frame::reachOfGather(unsigned i) {
  const KernelTensor &tensor = kernel.tensors[i];
  Value *reach = b.index(1), *met = b.index(1), *zero = b.index(0);
  auto addTrips = [&](Value *trips, Value *step) {
    ok = b.CreateAnd(ok, b.CreateICmpSGE(step, zero));
    Value *last = b.max(b.CreateSub(trips, b.index(1)), zero);
    reach = b.checkedAdd(reach, b.checkedMul(last, step, ok), ok);
  };
  const Table looked = tensor.places.empty() ? Table() : table(i);
  Value *column = looked.column ? looked.column : gathered[i][2] ? columnDistance(i) : b.index(1);
  // Indexed rows are read and written contiguously, regardless of the column stride.
  if (tensor.indices && !tensor.across && !is_contained(kernel.tensors[*tensor.indices].dims, 1)) {
    ok = b.CreateAnd(ok, b.CreateICmpSGE(column, zero));
    column = b.max(column, b.index(1));
  }
  for (int dim : tensor.dims)
    if (dim >= 0) {
      met = b.checkedMul(met, sizes[dim], ok);
      addTrips(sizes[dim], dim == 0 ? middle[i] : column);
    }
  for (unsigned loop = 0; loop < 2; ++loop)
    if (batch[loop]) {
      met = b.checkedMul(met, batch[loop], ok);
      addTrips(batch[loop], strides[i][loop]);
    }
  Value *isEmpty = b.CreateICmpEQ(met, zero);
  // Without items nothing is read, for example with empty indices, which have only a batch loop. Indices vary along
  // loops that a table does not have: if such a loop is empty, nothing is looked up.
  for (auto [loop, size] : enumerate(sizes))
    if (!tensor.places.empty() || loop == kernel.itemLoop())
      isEmpty = b.CreateOr(isEmpty, b.CreateICmpEQ(size, zero));
  if (tensor.sorted) {
    // The results of a line are some of its elements, whose indices are i32.
    Value *fits = b.CreateAnd(
        b.CreateICmpSLE(sizes[kernel.scanned], places(i)),
        b.CreateAnd(b.CreateICmpSGT(placeDistance(i), zero), b.CreateICmpSLE(places(i), b.index(INT32_MAX))));
    ok = b.CreateAnd(ok, b.CreateOr(isEmpty, fits));
    addTrips(places(i), placeDistance(i));
  }
  if (tensor.indices) {
    ok = b.CreateAnd(ok, b.CreateOr(isEmpty, b.CreateICmpSGT(places(i), zero)));
    addTrips(places(i), placeDistance(i));
  }
  for (auto [count, step] : zip(looked.counts, looked.steps)) {
    ok = b.CreateAnd(ok, b.CreateOr(isEmpty, b.CreateICmpSGT(count, zero)));
    addTrips(count, step);
  }
  if (!looked.counts.empty())
    ok = b.CreateAnd(ok, b.CreateOr(isEmpty, b.CreateICmpSLE(reach, b.index(INT32_MAX))));
  return b.CreateSelect(isEmpty, zero, reach);
}

// The index of the last element that the loops access in a tensor, plus 1; 0 if they access none.
Value *Frame::reachOf(unsigned i) {
  if (kernel.windowed == i)
    return reachOfWindows();
  if (hasDistances(kernel.kind))
    return reachOfGather(i);
  const KernelTensor &tensor = kernel.tensors[i];
  Value *reach = b.index(1), *met = b.index(1);
  int outerLoop = outer[i].empty() ? -1 : tensor.dims[0];
  const bool isProduct = kernel.kind == Kind::Contraction;
  for (int dim : tensor.dims)
    if (dim >= 0) {
      met = b.checkedMul(met, sizes[dim], ok);
      // In a matrix product, only the last dimension is dense.
      bool isApart = isProduct ? dim != tensor.dims.back() : middle[i] && dim == 1;
      if (dim != outerLoop && !isApart)
        reach = b.checkedMul(reach, sizes[dim], ok);
    }
  auto addTrips = [&](Value *trips, Value *step) {
    ok = b.CreateAnd(ok, b.CreateICmpSGE(step, b.index(0)));
    Value *last = b.max(b.CreateSub(trips, b.index(1)), b.index(0));
    reach = b.checkedAdd(reach, b.checkedMul(last, step, ok), ok);
  };
  if (outerLoop >= 0 && runs.empty()) {
    // Without a field of its own, the outer loop is row-major like the others.
    Value *&step = outer[i].front();
    Value *given = b.CreateICmpSGE(step, b.index(0));
    step = b.CreateSelect(given, step, reach);
    addTrips(sizes[outerLoop], step);
  }
  for (size_t run = 0; run < runs.size() && outerLoop >= 0; ++run)
    addTrips(runs[run], outer[i][run]);
  if (isProduct && tensor.dims.front() >= 0)
    addTrips(sizes[tensor.dims.front()], middle[i]);
  else if (!isProduct && middle[i] && is_contained(tensor.dims, 1))
    addTrips(sizes[1], middle[i]);
  for (auto [trips, step] : zip_equal(batchLoops(), batchSteps(i))) {
    met = b.checkedMul(met, trips, ok);
    addTrips(trips, step);
  }
  return b.CreateSelect(b.CreateICmpEQ(met, b.index(0)), b.index(0), reach);
}

/// Runs have as many places together as their loop has trips.
void Frame::requireProduct(ArrayRef<Value *> ofRuns, Value *trips) {
  Value *all = b.index(1);
  for (Value *count : ofRuns) {
    ok = b.CreateAnd(ok, b.CreateICmpSGE(count, b.index(0)));
    all = b.checkedMul(all, count, ok);
  }
  ok = b.CreateAnd(ok, b.CreateICmpEQ(all, trips));
}

// All products that are used later are computed and checked for overflow here.
void Frame::checkSizes() {
  auto require = [&](Value *condition) { ok = b.CreateAnd(ok, condition); };
  ok = b.getTrue();
  Value *work = b.index(1);
  SmallVector<Value *> trips(sizes);
  trips.append(batchLoops());
  for (Value *count : trips) {
    require(b.CreateICmpSGE(count, b.index(0)));
    work = b.checkedMul(work, count, ok);
  }
  if (!runs.empty())
    requireProduct(runs, sizes[0]);
  if (!batchRuns.empty())
    requireProduct(batchRuns, batch[0]);
  if (kernel.windowed)
    checkWindows();
  Value *largest = b.index(0), *pairs = b.index(1), *fits = b.getTrue();
  for (unsigned i = 0; i < kernel.tensors.size(); ++i) {
    require(b.CreateICmpSLE(reachOf(i), elements[i]));
    largest = b.max(largest, elements[i]);
    pairs = b.checkedMul(pairs, b.max(elements[i], b.index(1)), fits);
  }
  // Where no tensor has all loops, each of them is one of some tensor.
  if (kernel.function->hasAttr(te::TeDialect::kOfPairsAttr))
    largest = b.CreateSelect(fits, pairs, b.index(INT64_MAX));
  if (kernel.kind == Kind::Scattered) {
    const unsigned output = unsigned(kernel.tensors.size()) - 1;
    require(b.CreateICmpSLE(elements[output], elements[*kernel.begunAs]));
  }
  if (kernel.kind == Kind::Contraction) {
    checkWork();
    return divideResults();
  }
  // Each element is visited once. More iterations than elements are an error in the tiling data and would take
  // practically forever. For windows, the input that contains their elements and kLongestWindow bound the work.
  if (kernel.kind != Kind::Windows)
    require(b.CreateICmpSLE(work, largest));

  items = b.index(1);
  for (Value *trips : batch)
    if (trips)
      items = b.checkedMul(items, trips, ok);
  items = b.checkedMul(items, sizes[kernel.itemLoop()], ok);
  // A reduction over nothing still writes its output, so outputs bound the number of items: the largest output, since
  // others lack the reduced elements.
  Value *written = b.index(0);
  for (unsigned output = kernel.firstOutput(); output < kernel.tensors.size(); ++output)
    written = b.max(written, elements[output]);
  items = b.min(items, written);
}

// A matrix product computes each result once, from at most as many products as its operands have elements along k.
// Larger sizes, such as rows with a stride of 0, are an error in the tiling data.
void Frame::checkWork() {
  auto require = [&](Value *a, Value *b2, Value *most) {
    ok = b.CreateAnd(ok, b.CreateICmpSLE(b.checkedMul(a, b2, ok), most));
  };
  if (kernel.reducesRows()) // the kernel keeps whole rows, and one of this length on its stack
    ok = b.CreateAnd(ok, b.CreateICmpSLE(sizes[1], b.index(kLongestProductRow)));
  require(sizes[0], sizes[2], elements[kernel.leftOperand]);
  if (!kernel.windowed)
    require(sizes[2], sizes[1], elements[kernel.rightOperand]);
  Value *rows = sizes[0];
  for (Value *trips : batchLoops())
    rows = b.checkedMul(rows, trips, ok);
  for (unsigned output = kernel.firstOutput(); output < kernel.tensors.size(); ++output)
    require(rows, kernel.isAlong(output, 1) ? sizes[1] : b.index(1), elements[output]);
}

// Items are the tiles of all batches, row by row of tiles.
void Frame::divideResults() {
  items = b.index(1);
  for (unsigned loop = 0; loop < 2; ++loop) {
    Value *size = b.max(sizes[loop], b.index(0)), *one = b.index(1);
    // Rows that are reduced are whole, whatever tiling data says, and a row of nothing has a result, too.
    const bool isWhole = loop == 1 && kernel.reducesRows();
    tileSize[loop] = isWhole ? b.max(size, one) : b.max(b.min(tileSize[loop], b.max(size, one)), one);
    tileCount[loop] = isWhole ? one : b.CreateUDiv(b.CreateAdd(size, b.CreateSub(tileSize[loop], one)), tileSize[loop]);
    items = b.checkedMul(items, tileCount[loop], ok);
  }
  for (Value *trips : batchLoops())
    items = b.checkedMul(items, trips, ok);
}

void Frame::splitBlocks() {
  Value *length = b.max(loopField("block_length", b.index(INT64_MAX)), b.index(1));
  length = b.min(length, b.max(items, b.index(1)));
  // Both are at most the number of elements of a tensor, so the sum does not overflow.
  Value *blocks = b.CreateUDiv(b.CreateAdd(items, b.CreateSub(length, b.index(1))), length);
  auto place = [&](Value *block) {
    Value *bounded = b.max(b.min(block, blocks), b.index(0));
    return b.min(b.CreateMul(bounded, length), items);
  };
  begin = place(b.function->getArg(1));
  end = place(b.function->getArg(2));
}

Frame::Place Frame::placeOf(Value *item, Value *count) {
  if (!batch[0])
    return {item, nullptr, nullptr};
  Value *number = b.CreateUDiv(item, count);
  return {b.CreateURem(item, count), b.CreateUDiv(number, batch[1]), b.CreateURem(number, batch[1])};
}

Value *Frame::elementAt(unsigned i, const Place &place, unsigned loop) {
  Value *offset = b.index(0);
  if (is_contained(kernel.tensors[i].dims, int(loop)))
    offset = b.CreateMul(place.item, stride(i, loop));
  if (place.outer) {
    if (batchRuns.empty())
      offset = b.CreateAdd(offset, b.CreateMul(place.outer, strides[i][0]));
    else
      for (auto [trip, step] : zip_equal(tripsOf(place.outer, batchRuns), batchOuter[i]))
        offset = b.CreateAdd(offset, b.CreateMul(trip, step));
    offset = b.CreateAdd(offset, b.CreateMul(place.inner, strides[i][1]));
  }
  return b.at(tensors[i], kernel.tensors[i].element.memory, offset);
}

Value *Frame::scalar(mlir::Value value) {
  if (auto found = scalars.find(value); found != scalars.end())
    return found->second;
  mlir::Operation *op = value.getDefiningOp();
  Value *result = nullptr;
  if (auto dim = mlir::dyn_cast_or_null<mlir::tensor::DimOp>(op)) {
    std::optional<int64_t> position = dim.getConstantIndex();
    std::optional<unsigned> tensor = kernel.tensorOf(dim.getSource());
    int loop = position && tensor && *position >= 0 && *position < int64_t(kernel.tensors[*tensor].dims.size())
                   ? kernel.tensors[*tensor].dims[*position]
                   : -1;
    result = loop >= 0 ? loopSize(loop) : b.index(1);
  } else {
    SmallVector<Lane, 3> operands;
    for (mlir::Value operand : op->getOperands())
      operands.push_back({scalar(operand), false});
    Payload payload(b, 0, [&](mlir::Value value) { return scalar(value); });
    Lane lane = payload.apply(*op, operands);
    result = lane.rounds ? roundTo(b, lane.value, *Element::of(value.getType(), b.getContext())) : lane.value;
  }
  scalars[value] = result;
  return result;
}

bool Frame::build(function_ref<Value *()> body) {
  readTiling();
  checkSizes();
  splitBlocks();
  if (!missing.empty()) {
    kernel.function.emitOpError("[cpu_c7] expects a tiling function with the fields '") << join(missing, "', '") << "'";
    return false;
  }
  Values status = b.ifElse(
      ok,
      [&]() -> Values {
        computeScalars();
        return {body()};
      },
      [&]() -> Values { return {b.getInt32(OPC_KERNEL_OUTSIDE_TENSOR)}; });
  b.CreateRet(status.front());
  return true;
}

} // namespace opc::cpu
