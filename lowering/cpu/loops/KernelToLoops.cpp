// The frame of a kernel's function, and the conversion of the ops in its body.
//
//   entry    arguments become views; fields of the tiling data are read and compared with their stated ranges
//   blocks   a loop over first .. last; its variable replaces aicore.block_idx
//   body     in program order: control flow and scalar arithmetic are copied, tiles become views,
//            LoopEmitter emits all other ops

#include "lowering/cpu/loops/KernelToLoops.h"

#include "lowering/cpu/Passes.h"
#include "lowering/cpu/loops/Lanes.h"
#include "runtime/program/opc_kernel_library.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opc::aicore;

namespace opc::cpu {

// Four times the UB of an AI Core, since kernels whose buffers share bytes may name more than one UB.
static constexpr int64_t kMaxBufferBytes = int64_t(1) << 20;

static Value index(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

//===----------------------------------------------------------------------===//
// Frame
//===----------------------------------------------------------------------===//

LogicalResult KernelToLoops::checkArguments() {
  for (auto [position, type] : llvm::enumerate(kernel.getArgumentTypes()))
    if (!elementTypeOf(getElementTypeOrSelf(type)))
      return kernel.emitOpError("[cpu_c2] expects tensors and scalars of element types that memory has; argument ")
             << position << " is " << type;
  return success();
}

LogicalResult KernelToLoops::collectBuffers() {
  int64_t bytes = 0;
  kernel.walk([&](Operation *op) {
    if (auto buffer = dyn_cast<BufferOp>(op)) {
      buffers.push_back(buffer);
      bytes += buffer.getBytes();
    }
    if (auto store = dyn_cast<StoreOp>(op))
      inOrder |= store.getAtomicAdd();
  });
  // The source of a reduction is in a single buffer, any of them.
  bool reduces =
      kernel
          .walk([](VectorOpInterface op) {
            return LoopEmitter::needsPartials(op.getIntrinsic()) ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
  if (reduces)
    for (BufferOp buffer : buffers)
      partials = std::max(partials, (buffer.getSlots() * buffer.getCapacity() + 1) / 2);
  bytes += partials * 4;
  if (bytes > kMaxBufferBytes)
    return kernel.emitOpError("[cpu_c3] expects buffers of at most ")
           << kMaxBufferBytes << " bytes together, found " << bytes;
  return success();
}

func::FuncOp KernelToLoops::createFunction() {
  MLIRContext *context = b.getContext();
  SmallVector<Type> arguments;
  int64_t tensors = 0;
  for (Type type : kernel.getArgumentTypes())
    if (auto memref = dyn_cast<MemRefType>(type)) {
      Type element = storageTypeOf(*elementTypeOf(memref.getElementType()), context);
      arguments.push_back(MemRefType::get({ShapedType::kDynamic}, element));
      ++tensors;
    }
  arguments.push_back(MemRefType::get({ShapedType::kDynamic}, b.getI64Type()));
  arguments.append({b.getIndexType(), b.getIndexType(), b.getIndexType()});
  SmallVector<int64_t> bytes;
  for (BufferOp buffer : buffers) {
    Type element = storageTypeOf(*elementTypeOf(buffer.getType().getElementType()), context);
    arguments.push_back(MemRefType::get({buffer.getSlots() * buffer.getCapacity()}, element));
    bytes.push_back(buffer.getBytes());
  }
  if (partials) {
    arguments.push_back(MemRefType::get({partials}, b.getF32Type()));
    bytes.push_back(partials * 4);
  }
  b.setInsertionPoint(kernel);
  auto function = func::FuncOp::create(b, kernel.getName(), b.getFunctionType(arguments, {b.getI32Type()}));
  function->setAttr(kTensorsAttr, b.getI64IntegerAttr(tensors));
  function->setAttr(kBuffersAttr, b.getDenseI64ArrayAttr(bytes));
  if (inOrder)
    function->setAttr(kInOrderAttr, b.getUnitAttr());
  return function;
}

static FlatView flatView(ImplicitLocOpBuilder &b, Value root, ElementType type) {
  FlatView view;
  view.root = root;
  view.type = type;
  view.offset = index(b, 0);
  view.rootSize = b.createOrFold<memref::DimOp>(root, index(b, 0));
  view.sizes = {view.rootSize};
  view.strides = {index(b, 1)};
  return view;
}

// The arguments are: tensors, tiling data, first, last, step limit, buffers.
void KernelToLoops::bindArguments(func::FuncOp function) {
  Block *entry = function.addEntryBlock();
  b.setInsertionPointToStart(entry);
  unsigned next = 0;
  for (BlockArgument argument : kernel.getArguments())
    if (auto memref = dyn_cast<MemRefType>(argument.getType())) {
      FlatView view = flatView(b, entry->getArgument(next++), *elementTypeOf(memref.getElementType()));
      view.global = true;
      views[argument] = view;
    }
  tiling = entry->getArgument(next++);
  next += 2; // the range of blocks
  state.limit = entry->getArgument(next++);
  for (BufferOp buffer : buffers) {
    FlatView view = flatView(b, entry->getArgument(next++), *elementTypeOf(buffer.getType().getElementType()));
    view.capacity = buffer.getSlots() * buffer.getCapacity();
    if (buffer.getType().getRank() == 2) {
      view.sizes = {index(b, buffer.getSlots()), index(b, buffer.getCapacity())};
      view.strides = {view.sizes[1], index(b, 1)};
    }
    views[buffer.getMemref()] = view;
    bufferOf[view.root] = buffer;
  }
  state.status = memref::AllocaOp::create(b, MemRefType::get({}, b.getI32Type()));
  memref::StoreOp::create(b, arith::ConstantIntOp::create(b, 0, 32), state.status, ValueRange{});
  state.steps = memref::AllocaOp::create(b, MemRefType::get({}, b.getIndexType()));
  if (partials)
    state.partials = entry->getArgument(next);
  emit.emplace(b, state);
}

Value KernelToLoops::slotOfTilingData(int64_t position) {
  return memref::LoadOp::create(b, tiling, ValueRange{index(b, position)});
}

// A launch attribute: floats are passed as the bits of an f32, integers as they are.
Value KernelToLoops::launchScalar(Type type, int64_t position) {
  Value slot = slotOfTilingData(position);
  if (auto integer = dyn_cast<IntegerType>(type)) {
    if (integer.getWidth() == 64)
      return slot;
    if (integer.getWidth() == 1)
      return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, slot, arith::ConstantIntOp::create(b, 0, 64));
    return arith::TruncIOp::create(b, b.getIntegerType(integer.getWidth()), slot);
  }
  Value bits = arith::TruncIOp::create(b, b.getI32Type(), slot);
  Value value = arith::BitcastOp::create(b, b.getF32Type(), bits);
  if (type.isF32())
    return value;
  if (type.isF64())
    return arith::ExtFOp::create(b, type, value);
  return narrow(b, value, *elementTypeOf(type));
}

// Reads all fields once, at the entry. A field outside its stated range is reported and clamped.
LogicalResult KernelToLoops::readTilingData() {
  int64_t position = fields.size();
  for (BlockArgument argument : kernel.getArguments())
    if (!isa<MemRefType>(argument.getType()))
      scalars.map(argument, launchScalar(argument.getType(), position++));

  WalkResult result = kernel.walk([&](TilingDataOp op) {
    const auto *field = llvm::find(fields, StringRef(op.getName()));
    if (field == fields.end()) {
      op.emitOpError("[cpu_c1] expects a result of the tiling function, found \"") << op.getName() << "\"";
      return WalkResult::interrupt();
    }
    b.setLoc(op.getLoc());
    Value slot = slotOfTilingData(field - fields.begin());
    Value low = arith::ConstantIntOp::create(b, op.getLeast(), 64);
    Value high = arith::ConstantIntOp::create(b, op.getMost().value_or(INT64_MAX), 64);
    Value bounded = arith::MaxSIOp::create(b, low, arith::MinSIOp::create(b, high, slot));
    emit->report(arith::CmpIOp::create(b, arith::CmpIPredicate::eq, bounded, slot), OPC_KERNEL_TILING_DATA);
    scalars.map(op.getValue(), arith::IndexCastOp::create(b, b.getIndexType(), bounded));
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

// Removes buffers whose lanes are all kept in registers.
void KernelToLoops::dropUnusedBuffers(func::FuncOp function) {
  SmallVector<int64_t> bytes(function->getAttrOfType<DenseI64ArrayAttr>(kBuffersAttr).asArrayRef());
  unsigned first = function.getNumArguments() - bytes.size();
  llvm::BitVector unused(function.getNumArguments());
  SmallVector<int64_t> kept;
  for (auto [i, size] : llvm::enumerate(bytes)) {
    if (function.getArgument(first + i).use_empty())
      unused.set(first + i);
    else
      kept.push_back(size);
  }
  (void)function.eraseArguments(unused);
  function->setAttr(kBuffersAttr, b.getDenseI64ArrayAttr(kept));
}

LogicalResult KernelToLoops::run() {
  if (failed(checkArguments()) || failed(collectBuffers()))
    return failure();
  func::FuncOp function = createFunction();
  bindArguments(function);
  if (failed(readTilingData())) {
    function.erase();
    return failure();
  }
  b.setLoc(kernel.getLoc());
  if (failed(convertBlocks(function))) {
    function.erase();
    return failure();
  }
  b.setLoc(kernel.getLoc());
  Value result = memref::LoadOp::create(b, state.status, ValueRange{});
  func::ReturnOp::create(b, result);
  dropUnusedBuffers(function);
  // The function replaces the kernel and takes its name.
  function->moveBefore(kernel);
  kernel.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Body
//===----------------------------------------------------------------------===//

LogicalResult KernelToLoops::convertBlocks(func::FuncOp function) {
  unsigned range = function->getAttrOfType<IntegerAttr>(kTensorsAttr).getInt() + 1;
  auto body = [&](Value variable, ValueRange) -> FailureOr<SmallVector<Value>> {
    block = variable;
    emit->startBlock();
    if (failed(convertBlock(kernel.getBody().front())))
      return failure();
    return SmallVector<Value>();
  };
  return emit->kernelLoop(function.getArgument(range), function.getArgument(range + 1), index(b, 1), {},
                          /*isUnsigned=*/false, body);
}

LogicalResult KernelToLoops::convertBlock(Block &body) {
  for (Operation &op : body.without_terminator()) {
    b.setLoc(op.getLoc());
    if (failed(convertOp(op)))
      return failure();
  }
  lanes.emit(*emit, bufferOf);
  return success();
}

LogicalResult KernelToLoops::convertOp(Operation &op) {
  // These were read at the entry, or are decisions for an AI Core.
  if (isa<BufferOp, TilingDataOp, SetFlagOp, WaitFlagOp, PipeBarrierOp>(op))
    return success();
  if (auto idx = dyn_cast<BlockIdxOp>(op)) {
    scalars.map(idx.getValue(), block);
    return success();
  }
  if (LaneStep::isLaneOp(&op))
    return convertLaneOp(op);
  if (isa<memref::SubViewOp, memref::CastOp, memref::ReinterpretCastOp, memref::DimOp>(op))
    return convertView(op);
  if (op.getNumRegions() == 0 && isMemoryEffectFree(&op))
    return convertScalar(op);

  // All other ops access memory or control access to it, so pending lane ops are emitted first.
  lanes.emit(*emit, bufferOf);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return convertLoop(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return convertIf(branch);
  if (auto vector = dyn_cast<VectorOpInterface>(op))
    return convertVector(vector);
  if (auto load = dyn_cast<LoadOp>(op)) {
    FlatView source = viewOf(load.getSource());
    emit->load(source, rowsOf(viewOf(load.getDestination()), source, load.getRowStride()),
               load.getPad() ? lookup(load.getPad()) : Value());
    return success();
  }
  if (auto store = dyn_cast<StoreOp>(op)) {
    FlatView destination = viewOf(store.getDestination());
    emit->store(rowsOf(viewOf(store.getSource()), destination, store.getRowStride()), destination,
                store.getAtomicAdd());
    return success();
  }
  if (isa<LoadNzOp, StoreNzOp, FillOp, LoadFractalsOp, LoadIm2colOp, LoadBiasOp, MmadOp, FixpipeOp>(op))
    return convertCube(op);
  if (auto read = dyn_cast<ScalarReadOp>(op)) {
    scalars.map(read.getValue(), emit->scalarRead(viewOf(read.getTile()), lookup(read.getIndex())));
    return success();
  }
  if (auto write = dyn_cast<ScalarWriteOp>(op)) {
    emit->scalarWrite(lookup(write.getValue()), viewOf(write.getTile()), lookup(write.getIndex()));
    return success();
  }
  return convertScalar(op);
}

FlatView KernelToLoops::rowsOf(const FlatView &tile, const FlatView &rows, Value stride) {
  if (!stride)
    return tile;
  FlatView view = tile;
  view.sizes = rows.sizes;
  view.strides = {lookup(stride), index(b, 1)};
  return view;
}

LogicalResult KernelToLoops::convertCube(Operation &op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](LoadNzOp load) {
        const FlatView from = viewOf(load.getSource()), to = viewOf(load.getDestination());
        load.getPacked() ? emit->loadPacked(from, to, lookup(load.getHeight()))
                         : emit->loadNz(from, to, lookup(load.getHeight()));
        return success();
      })
      .Case([&](StoreNzOp store) {
        FlatView rows = viewOf(store.getSource());
        rows.sizes = {lookup(store.getRows()), lookup(store.getColumns())};
        rows.strides = {lookup(store.getRowStride()), index(b, 1)};
        emit->storeNz(rows, viewOf(store.getDestination()), lookup(store.getHeight()));
        return success();
      })
      .Case([&](FillOp fill) {
        emit->fillBlocks(lookup(fill.getValue()), viewOf(fill.getDestination()), lookup(fill.getAt()),
                         lookup(fill.getRows()), lookup(fill.getBlocks()), lookup(fill.getStride()));
        return success();
      })
      .Case([&](LoadFractalsOp load) {
        emit->loadFractals(viewOf(load.getSource()), viewOf(load.getDestination()),
                           {lookup(load.getRows()), lookup(load.getColumns()), lookup(load.getHeight()),
                            spaceOf(load.getDestination()) == Space::L0A, load.getTranspose()});
        return success();
      })
      .Case([&](LoadIm2colOp load) {
        SmallVector<Value> image;
        for (Value number : load.getImage())
          image.push_back(lookup(number));
        emit->loadIm2col(viewOf(load.getSource()), viewOf(load.getDestination()),
                         {lookup(load.getRows()), lookup(load.getFirstRow()), lookup(load.getColumns()),
                          lookup(load.getFirstColumn()), lookup(load.getChannels()), lookup(load.getPad()),
                          ImageOperands(image)});
        return success();
      })
      .Case([&](LoadBiasOp load) {
        emit->loadBias(viewOf(load.getSource()), viewOf(load.getDestination()), lookup(load.getCount()));
        return success();
      })
      .Case([&](MmadOp mmad) {
        LoopEmitter::Product product{lookup(mmad.getM()), lookup(mmad.getK()), lookup(mmad.getN()),
                                     lookup(mmad.getInit()), std::nullopt};
        if (mmad.getBias())
          product.bias = viewOf(mmad.getBias());
        emit->mmad(viewOf(mmad.getLhs()), viewOf(mmad.getRhs()), viewOf(mmad.getResult()), product);
        return success();
      })
      .Case([&](FixpipeOp fixpipe) {
        FlatView to = viewOf(fixpipe.getDestination());
        Value m = lookup(fixpipe.getM()), n = lookup(fixpipe.getN());
        if (Value stride = fixpipe.getRowStride()) {
          to.sizes = {m, n};
          to.strides = {lookup(stride), index(b, 1)};
        }
        Value height = fixpipe.getHeight() ? lookup(fixpipe.getHeight()) : Value();
        LoopEmitter::Results results{m, n, height, fixpipe.getRelu(), fixpipe.getNz(), std::nullopt};
        if (fixpipe.getScale())
          results.scale = viewOf(fixpipe.getScale());
        emit->fixpipe(viewOf(fixpipe.getSource()), to, results);
        return success();
      })
      .Default([](Operation *other) { return other->emitOpError("[cpu_c2] has no CPU form: expects ops of aicore"); });
}

LogicalResult KernelToLoops::convertView(Operation &op) {
  if (auto view = dyn_cast<memref::SubViewOp>(op)) {
    FlatView source = viewOf(view.getSource());
    views[view.getResult()] = subviewOf(b, view, source, [&](Value value) { return lookup(value); });
    return success();
  }
  if (auto view = dyn_cast<memref::ReinterpretCastOp>(op)) {
    FlatView source = viewOf(view.getSource());
    views[view.getResult()] = reinterpretedView(b, view, source, [&](Value value) { return lookup(value); });
    return success();
  }
  if (auto cast = dyn_cast<memref::CastOp>(op)) {
    auto found = views.find(cast.getSource());
    if (found == views.end() || !isa<MemRefType>(cast.getType()))
      return op.emitOpError("[cpu_c2] expects casts between ranked tiles");
    FlatView source = found->second;
    views[cast.getResult()] = source;
    return success();
  }
  return convertDim(cast<memref::DimOp>(op));
}

// A loop whose step is less than 1 would not advance; it is reported and skipped.
LogicalResult KernelToLoops::convertLoop(scf::ForOp op) {
  for (Value initial : op.getInitArgs())
    if (!scalars.contains(initial))
      return op.emitOpError("[cpu_c2] expects loops to carry scalars, found ") << initial.getType();
  Value lower = lookup(op.getLowerBound()), upper = lookup(op.getUpperBound()), step = lookup(op.getStep());
  APInt known;
  if (!matchPattern(step, m_ConstantInt(&known)) || !known.isStrictlyPositive()) {
    Value zero = arith::ConstantOp::create(b, b.getIntegerAttr(step.getType(), 0));
    Value forward = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, step, zero);
    emit->report(forward, OPC_KERNEL_DIVISION);
  }
  SmallVector<Value> initial;
  for (Value value : op.getInitArgs())
    initial.push_back(lookup(value));
  auto body = [&](Value variable, ValueRange carried) -> FailureOr<SmallVector<Value>> {
    emit->spendTrip();
    scalars.map(op.getInductionVar(), variable);
    scalars.map(ValueRange(op.getRegionIterArgs()), carried);
    if (failed(convertBlock(*op.getBody())))
      return failure();
    return llvm::map_to_vector(op.getBody()->getTerminator()->getOperands(),
                               [&](Value value) { return lookup(value); });
  };
  FailureOr<SmallVector<Value>> results = emit->kernelLoop(lower, upper, step, initial, op.getUnsignedCmp(), body);
  if (failed(results))
    return failure();
  scalars.map(op.getResults(), *results);
  return success();
}

LogicalResult KernelToLoops::convertIf(scf::IfOp op) {
  for (Type type : op.getResultTypes())
    if (isa<MemRefType>(type))
      return op.emitOpError("[cpu_c2] expects branches to yield scalars, found ") << type;
  bool hasElse = !op.getElseRegion().empty();
  auto branch = scf::IfOp::create(b, op.getResultTypes(), lookup(op.getCondition()), hasElse);
  auto convertRegion = [&](Region &from, Region &to) -> LogicalResult {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&to.front());
    if (failed(convertBlock(from.front())))
      return failure();
    if (op.getNumResults() == 0)
      return success();
    SmallVector<Value> yielded;
    for (Value value : from.front().getTerminator()->getOperands())
      yielded.push_back(lookup(value));
    scf::YieldOp::create(b, yielded);
    return success();
  };
  if (failed(convertRegion(op.getThenRegion(), branch.getThenRegion())))
    return failure();
  if (hasElse && failed(convertRegion(op.getElseRegion(), branch.getElseRegion())))
    return failure();
  scalars.map(op.getResults(), branch.getResults());
  return success();
}

LogicalResult KernelToLoops::checkTypes(VectorOpInterface op) {
  FailureOr<TypeRow> types = op.getTypeRow();
  const IntrinsicInfo &info = intrinsicInfo(op.getIntrinsic());
  bool exists = succeeded(types) && llvm::any_of(info.types, [&](const TypeRow &row) {
                  return row.source == types->source && row.destination == types->destination;
                });
  if (!exists)
    return op->emitOpError("[cpu_c4] expects types that the intrinsic has; this row of types is none of '")
           << info.name << "'";
  return success();
}

// The op is pending until an op comes that cannot join its group.
LogicalResult KernelToLoops::convertLaneOp(Operation &op) {
  LaneStep step;
  step.op = &op;
  if (auto vector = dyn_cast<VectorOpInterface>(op)) {
    if (failed(checkTypes(vector)))
      return failure();
    for (Value tile : vector.getSourceTiles())
      step.sources.push_back(viewOf(tile));
    if (Value scalar = vector.getScalarOperand())
      step.scalar = lookup(scalar);
    step.destination = viewOf(vector.getDestinationTile());
    step.accumulates = readsDestination(intrinsicInfo(vector.getIntrinsic()).form);
  } else {
    step.sources.push_back(viewOf(op.getOperand(0)));
    step.destination = viewOf(op.getOperand(1));
  }
  if (!lanes.accepts(step))
    lanes.emit(*emit, bufferOf);
  lanes.add(std::move(step));
  return success();
}

LogicalResult KernelToLoops::convertVector(VectorOpInterface op) {
  if (failed(checkTypes(op)))
    return failure();
  SmallVector<FlatView> sources;
  for (Value tile : op.getSourceTiles())
    sources.push_back(viewOf(tile));
  Value scalar = op.getScalarOperand();
  FlatView destination = viewOf(op.getDestinationTile());
  const auto extent = llvm::map_to_vector<2>(op.getReducedRows(), [&](Value number) { return lookup(number); });
  emit->vector(op, sources, scalar ? lookup(scalar) : Value(), destination, extent);
  return success();
}

LogicalResult KernelToLoops::convertDim(memref::DimOp dim) {
  auto found = views.find(dim.getSource());
  std::optional<int64_t> number = dim.getConstantIndex();
  if (found == views.end() || !number || *number < 0 || *number >= int64_t(found->second.rank()))
    return dim.emitOpError("[cpu_c2] expects a constant dimension of a tensor or a tile");
  scalars.map(dim.getResult(), found->second.sizes[*number]);
  return success();
}

// The second operand of an integer division, or 1 if the division has no result, which is reported.
Value KernelToLoops::guardedDivisor(Operation &op) {
  Value dividend = lookup(op.getOperand(0)), divisor = lookup(op.getOperand(1));
  APInt known;
  if (matchPattern(divisor, m_ConstantInt(&known)) && !known.isZero() && !known.isAllOnes())
    return divisor;
  Type type = divisor.getType();
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  auto constant = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(b, IntegerAttr::get(type, value));
  };
  Value one = constant(APInt(width, 1));
  Value bad = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, divisor, constant(APInt::getZero(width)));
  if (isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp>(op)) {
    Value isMin =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq, dividend, constant(APInt::getSignedMinValue(width)));
    Value minusOne = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, divisor, constant(APInt::getAllOnes(width)));
    bad = arith::OrIOp::create(b, bad, arith::AndIOp::create(b, isMin, minusOne));
  }
  emit->report(arith::XOrIOp::create(b, bad, arith::ConstantIntOp::create(b, 1, 1)), OPC_KERNEL_DIVISION);
  return arith::SelectOp::create(b, bad, one, divisor);
}

static bool isScalarType(Type type) {
  return type.isIntOrIndexOrFloat();
}

LogicalResult KernelToLoops::convertScalar(Operation &op) {
  bool scalar = isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op.getDialect()) && op.getNumRegions() == 0 &&
                llvm::all_of(op.getOperandTypes(), isScalarType) && llvm::all_of(op.getResultTypes(), isScalarType);
  if (!scalar)
    return op.emitOpError("[cpu_c2] has no CPU form: expects ops of aicore, arith on scalars, scf.for, scf.if and "
                          "views of tiles");
  Operation *copy;
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
          arith::FloorDivSIOp>(op)) {
    Value divisor = guardedDivisor(op);
    copy = b.clone(op, scalars);
    copy->setOperand(1, divisor);
  } else {
    copy = b.clone(op, scalars);
  }
  return success();
}

} // namespace opc::cpu
