// Instructions for the pipes, with their operands and registers. Kinds are derived from op interfaces, never from
// names.

#include "lowering/emit/simulator/Emitter.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opc;

FailureOr<uint16_t> SimulatorEmitter::place(Operation *op) {
  Origin origin = originOf(op->getLoc());
  auto same = [&origin](const ProgramLocation &location) {
    return location.file == origin.file && location.line == origin.line && location.column == origin.column;
  };
  auto found = llvm::find_if(program.locations, same);
  if (found != program.locations.end())
    return static_cast<uint16_t>(found - program.locations.begin());
  if (program.locations.size() + 1 >= kNoRegister)
    return op->emitOpError("[simulator_c5] expects at most 65534 places");
  program.locations.push_back({origin.file, origin.line, origin.column});
  return static_cast<uint16_t>(program.locations.size() - 1);
}

FailureOr<ProgramOperand> SimulatorEmitter::operandOf(Operation *op, Value tile) {
  FailureOr<const View *> view = viewOf(op, tile);
  if (failed(view))
    return failure();
  ProgramOperand operand;
  operand.space = (*view)->space;
  operand.type = (*view)->type;
  (operand.space == ProgramOperand::UB ? operand.buffer : operand.tensor) = (*view)->owner;
  operand.address = code.registerOf((*view)->offset);
  return operand;
}

LogicalResult SimulatorEmitter::fillCopy(Operation *op, Value from, Value to, PipeInstruction &instruction) {
  FailureOr<ProgramOperand> source = operandOf(op, from), destination = operandOf(op, to);
  if (failed(source) || failed(destination))
    return failure();
  auto load = dyn_cast<aicore::LoadOp>(op);
  Value rowStride = load ? load.getRowStride() : cast<aicore::StoreOp>(op).getRowStride();
  if (rowStride) {
    const View &tensor = views[load ? from : to], &tile = views[load ? to : from];
    Term inTile = code.multiply(term(rowStride), tile.strides.back());
    (load ? *source : *destination).stride = code.registerOf(tensor.strides[0]);
    (load ? *destination : *source).stride = code.registerOf(inTile);
    instruction.rows = code.registerOf(*tensor.sizes[0]);
    instruction.count = code.registerOf(*tensor.sizes[1]);
    instruction.sources[0] = *source;
    instruction.destination = *destination;
    return success();
  }
  const View &onChip = views[load ? to : from];
  if (llvm::is_contained(onChip.sizes, std::nullopt))
    return op->emitOpError("[simulator_c4] expects a tile with a size");
  if (onChip.sizes.size() == 2) {
    source->stride = code.registerOf(views[from].strides[0]);
    destination->stride = code.registerOf(views[to].strides[0]);
    instruction.rows = code.registerOf(*onChip.sizes[0]);
  }
  instruction.count = code.registerOf(*onChip.sizes.back());
  instruction.sources[0] = *source;
  instruction.destination = *destination;
  return success();
}

LogicalResult SimulatorEmitter::fillVector(aicore::VectorOpInterface op, PipeInstruction &instruction) {
  instruction.kind = PipeInstruction::Vector;
  instruction.intrinsic = op.getIntrinsic();
  instruction.rounding = aicore::toTarget(op.getRoundingMode());
  instruction.compare = aicore::toTarget(op.getComparisonMode());
  FailureOr<ProgramOperand> destination = operandOf(op, op.getDestinationTile());
  if (failed(destination))
    return failure();
  instruction.destination = *destination;
  instruction.pattern = aicore::toTarget(op.getKeep());
  const IntrinsicForm form = intrinsicInfo(instruction.intrinsic).form;
  auto lengthOf = [&](Value tile) { return code.registerOf(*views[tile].sizes.front()); };
  if (form == IntrinsicForm::Scatter)
    instruction.destination.length = lengthOf(op.getDestinationTile());
  for (auto [index, tile] : llvm::enumerate(op.getSourceTiles())) {
    FailureOr<ProgramOperand> source = operandOf(op, tile);
    if (failed(source))
      return failure();
    instruction.sources[index] = *source;
    if (form == IntrinsicForm::Merge || (form == IntrinsicForm::Gather && index == 0) || (op.takesRows() && index == 1))
      instruction.sources[index].length = lengthOf(tile);
  }
  if (Value scratch = op.getScratchTile()) {
    FailureOr<ProgramOperand> operand = operandOf(op, scratch);
    if (failed(operand))
      return failure();
    instruction.scratch = *operand;
  }
  if (Value scalar = op.getScalarOperand())
    instruction.scalar = registerOf(scalar);
  if (SmallVector<Value, 2> extent = op.getReducedRows(); !extent.empty()) {
    instruction.rows = registerOf(extent[0]);
    instruction.count = registerOf(extent[1]);
    instruction.sources[0].length = lengthOf(op.getSourceTiles().front());
    instruction.destination.length = lengthOf(op.getDestinationTile());
    return success();
  }
  if (form != IntrinsicForm::Merge)
    instruction.count = lengthOf(op.getCountedTile());
  return success();
}

LogicalResult SimulatorEmitter::fillScalarAccess(Operation *op, Value tile, Value index, ProgramOperand &operand) {
  FailureOr<ProgramOperand> found = operandOf(op, tile);
  if (failed(found))
    return failure();
  const View &view = views[tile];
  operand = *found;
  operand.address = code.registerOf(code.add(view.offset, code.multiply(term(index), view.strides[0])));
  return success();
}

LogicalResult SimulatorEmitter::emitPipeOp(aicore::PipeOpInterface op) {
  PipeInstruction instruction;
  instruction.pipe = aicore::toTarget(op.getPipe());
  FailureOr<uint16_t> location = place(op);
  if (failed(location))
    return failure();
  instruction.location = *location;

  if (auto load = dyn_cast<aicore::LoadFractalsOp>(op.getOperation()))
    return emitLoadFractals(load, instruction);
  if (auto store = dyn_cast<aicore::StoreNzOp>(op.getOperation()))
    return emitStoreNz(store, instruction);
  LogicalResult filled =
      TypeSwitch<Operation *, LogicalResult>(op.getOperation())
          .Case([&](aicore::LoadOp load) {
            instruction.kind = PipeInstruction::Load;
            if (load.getPad())
              instruction.pad = registerOf(load.getPad());
            return fillCopy(load, load.getSource(), load.getDestination(), instruction);
          })
          .Case([&](aicore::StoreOp store) {
            instruction.kind = PipeInstruction::Store;
            instruction.atomicAdd = store.getAtomicAdd();
            return fillCopy(store, store.getSource(), store.getDestination(), instruction);
          })
          .Case<aicore::LoadNzOp, aicore::FillOp, aicore::LoadIm2colOp, aicore::LoadBiasOp, aicore::MmadOp,
                aicore::FixpipeOp>([&](Operation *cube) { return fillCube(cube, instruction); })
          .Case([&](aicore::VectorOpInterface vector) { return fillVector(vector, instruction); })
          .Case([&](aicore::SetFlagOp flag) {
            instruction.kind = PipeInstruction::SetFlag;
            instruction.other = aicore::toTarget(flag.getTo());
            instruction.flagId = registerOf(flag.getId());
            return success();
          })
          .Case([&](aicore::WaitFlagOp flag) {
            instruction.kind = PipeInstruction::WaitFlag;
            instruction.other = aicore::toTarget(flag.getFrom());
            instruction.flagId = registerOf(flag.getId());
            return success();
          })
          .Case([&](aicore::PipeBarrierOp) {
            instruction.kind = PipeInstruction::Barrier;
            return success();
          })
          .Case([&](aicore::ScalarReadOp read) {
            instruction.kind = PipeInstruction::ScalarRead;
            return fillScalarAccess(read, read.getTile(), read.getIndex(), instruction.sources[0]);
          })
          .Case([&](aicore::ScalarWriteOp write) {
            instruction.kind = PipeInstruction::ScalarWrite;
            instruction.scalar = registerOf(write.getValue());
            return fillScalarAccess(write, write.getTile(), write.getIndex(), instruction.destination);
          })
          .Default([](Operation *other) {
            return other->emitOpError("[simulator_c1] expects ops that the scalar unit and the "
                                      "pipes have, found '")
                   << other->getName() << "'";
          });
  if (failed(filled))
    return failure();

  auto index = static_cast<int64_t>(program.instructions.size());
  program.instructions.push_back(instruction);
  if (auto read = dyn_cast<aicore::ScalarReadOp>(op.getOperation()))
    define(read.getValue(), Term::inRegister(code.compute(ScalarOp::Read, 0, 0, index)));
  else
    code.append(ScalarOp::Issue, 0, 0, 0, index);
  return success();
}
