// Instructions of the cube and of its copies. A copy of fractals is an instruction for each row of fractals, or for
// each column if these are fewer, like the vendor's call, in a loop of the scalar unit; a copy from UB to L1 is an
// instruction for each column of fractals.

#include "lowering/emit/simulator/Emitter.h"

#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opc;

/// `size` in whole units, rounded up.
Term SimulatorEmitter::wholeUnits(Value size, int64_t unit) {
  const Term elements = term(size);
  if (elements.known)
    return Term::constant((*elements.known + unit - 1) / unit);
  return Term::inRegister(code.compute(ScalarOp::CeilDiv, elements.reg, code.constant(unit)));
}

/// Elements in a row of a fractal of operands.
static int64_t fractalWidth(Value tile) {
  const Type element = cast<MemRefType>(tile.getType()).getElementType();
  return kFractalRowBytes / elementSize(*aicore::elementTypeOf(element));
}

LogicalResult SimulatorEmitter::fillCube(Operation *op, PipeInstruction &instruction) {
  auto operand = [&](Value memref, ProgramOperand &place) -> LogicalResult {
    FailureOr<ProgramOperand> found = operandOf(op, memref);
    if (succeeded(found))
      place = *found;
    return found;
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](aicore::LoadNzOp load) -> LogicalResult {
        instruction.kind = PipeInstruction::LoadNz;
        instruction.packed = load.getPacked();
        if (failed(operand(load.getSource(), instruction.sources[0])) ||
            failed(operand(load.getDestination(), instruction.destination)))
          return failure();
        const View &rows = views[load.getSource()];
        if (rows.sizes.size() != 2 || !rows.sizes[0] || !rows.sizes[1])
          return op->emitOpError("[simulator_c4] expects rows with sizes");
        instruction.rows = code.registerOf(*rows.sizes[0]);
        instruction.count = code.registerOf(*rows.sizes[1]);
        instruction.sources[0].stride = code.registerOf(rows.strides[0]);
        instruction.destination.stride =
            code.registerOf(code.multiply(term(load.getHeight()), Term::constant(kFractalRowBytes)));
        return success();
      })
      .Case([&](aicore::FillOp fill) -> LogicalResult {
        instruction.kind = PipeInstruction::Fill;
        if (failed(operand(fill.getDestination(), instruction.destination)))
          return failure();
        const Term block = Term::constant(kFractalRowBytes);
        instruction.destination.address =
            code.registerOf(code.add(views[fill.getDestination()].offset, code.multiply(term(fill.getAt()), block)));
        instruction.destination.stride = code.registerOf(code.multiply(term(fill.getStride()), block));
        instruction.rows = registerOf(fill.getRows());
        instruction.count = registerOf(fill.getBlocks());
        if (instruction.destination.type != ElementType::Int8) {
          instruction.scalar = registerOf(fill.getValue());
          return success();
        }
        // The vendor's call does not support elements of 8 bits: two of them form one of 16.
        llvm::APInt value;
        if (!matchPattern(fill.getValue(), m_ConstantInt(&value)))
          return op->emitOpError("[simulator_c4] expects a constant to fill bytes with");
        instruction.destination.type = ElementType::Int16;
        instruction.scalar = code.registerOf(Term::constant(int16_t(value.extractBitsAsZExtValue(8, 0) * 257)));
        return success();
      })
      .Case([&](aicore::LoadIm2colOp load) -> LogicalResult {
        if (failed(operand(load.getSource(), instruction.sources[0])) ||
            failed(operand(load.getDestination(), instruction.destination)))
          return failure();
        fillImage(load, instruction);
        return success();
      })
      .Case([&](aicore::LoadBiasOp load) -> LogicalResult {
        instruction.kind = PipeInstruction::LoadBias;
        instruction.count = code.registerOf(wholeUnits(load.getCount(), kBiasUnitBytes / 4));
        return failure(failed(operand(load.getSource(), instruction.sources[0])) ||
                       failed(operand(load.getDestination(), instruction.destination)));
      })
      .Case([&](aicore::MmadOp mmad) -> LogicalResult {
        instruction.kind = PipeInstruction::Mmad;
        instruction.rows = registerOf(mmad.getM());
        instruction.count = registerOf(mmad.getN());
        instruction.depth = registerOf(mmad.getK());
        instruction.scalar = registerOf(mmad.getInit());
        if (mmad.getBias() && failed(operand(mmad.getBias(), instruction.sources[2])))
          return failure();
        return failure(failed(operand(mmad.getLhs(), instruction.sources[0])) ||
                       failed(operand(mmad.getRhs(), instruction.sources[1])) ||
                       failed(operand(mmad.getResult(), instruction.destination)));
      })
      .Case([&](aicore::FixpipeOp fixpipe) -> LogicalResult {
        instruction.kind = PipeInstruction::Fixpipe;
        instruction.relu = fixpipe.getRelu();
        instruction.packed = fixpipe.getNz();
        instruction.rows = registerOf(fixpipe.getM());
        instruction.count = registerOf(fixpipe.getN());
        if (failed(operand(fixpipe.getSource(), instruction.sources[0])) ||
            failed(operand(fixpipe.getDestination(), instruction.destination)) ||
            (fixpipe.getScale() && failed(operand(fixpipe.getScale(), instruction.sources[1]))))
          return failure();
        Value height = fixpipe.getHeight() ? fixpipe.getHeight() : fixpipe.getM();
        const Term columns = code.multiply(wholeUnits(height, kFractalRows), Term::constant(kResultFractalBytes));
        instruction.sources[0].stride = code.registerOf(columns);
        const View &to = views[fixpipe.getDestination()];
        Value stride = fixpipe.getRowStride();
        instruction.destination.stride =
            code.registerOf(stride ? code.multiply(term(stride), to.strides.back()) : to.strides[0]);
        return success();
      })
      .Default([](Operation *) { return failure(); });
}

/// The part of the matrix of windows in whole fractals, and the image.
void SimulatorEmitter::fillImage(aicore::LoadIm2colOp load, PipeInstruction &instruction) {
  const int64_t width = load.blockChannels();
  auto whole = [&](Value size, int64_t unit) {
    return code.registerOf(code.multiply(wholeUnits(size, unit), Term::constant(unit)));
  };
  instruction.kind = PipeInstruction::LoadIm2col;
  instruction.rows = whole(load.getRows(), kFractalRows);
  instruction.count = whole(load.getColumns(), width);
  instruction.pad = registerOf(load.getPad());
  const aicore::ImageOperands image = load.getImageOperands();
  using N = ImageNumber;
  for (auto [number, value] : {std::pair(N::FirstRow, Value(load.getFirstRow())),
                               {N::FirstColumn, load.getFirstColumn()},
                               {N::Height, image.height},
                               {N::Width, image.width},
                               {N::Top, image.top},
                               {N::Bottom, image.bottom},
                               {N::Left, image.left},
                               {N::Right, image.right},
                               {N::FilterHeight, image.filterHeight},
                               {N::FilterWidth, image.filterWidth},
                               {N::StrideHeight, image.strideHeight},
                               {N::StrideWidth, image.strideWidth},
                               {N::DilationHeight, image.dilationHeight},
                               {N::DilationWidth, image.dilationWidth}})
    instruction.imageRegister(number) = registerOf(value);
  instruction.imageRegister(N::Channels) = whole(load.getChannels(), width);
}

/// Issues an instruction for each of `trips` pieces; both operands advance by a stride in bytes.
void SimulatorEmitter::issueInLoop(PipeInstruction instruction, Value source, Value destination, Term trips, Term along,
                                   Term across) {
  const uint16_t upper = code.registerOf(trips), from = code.newRegister(), to = code.newRegister(),
                 counter = code.newRegister();
  code.copy(from, code.registerOf(views[source].offset));
  code.copy(to, code.registerOf(views[destination].offset));
  code.copy(counter, code.constant(0));
  const uint16_t step = code.registerOf(along), one = code.constant(1), rowBytes = code.registerOf(across);
  instruction.sources[0].address = from;
  instruction.destination.address = to;
  ScalarCode::Label head = code.newLabel(), end = code.newLabel();
  code.place(head);
  code.jumpIfZero(code.compute(ScalarOp::Lt, counter, upper), end);
  auto index = static_cast<int64_t>(program.instructions.size());
  program.instructions.push_back(instruction);
  code.append(ScalarOp::Issue, 0, 0, 0, index);
  code.append(ScalarOp::Add, from, from, step);
  code.append(ScalarOp::Add, to, to, rowBytes);
  code.append(ScalarOp::Add, counter, counter, one);
  code.jump(head);
  code.place(end);
}

/// Rows of UB, an instruction for each column of fractals.
LogicalResult SimulatorEmitter::emitStoreNz(aicore::StoreNzOp store, PipeInstruction instruction) {
  instruction.kind = PipeInstruction::LoadNz;
  FailureOr<ProgramOperand> source = operandOf(store, store.getSource());
  FailureOr<ProgramOperand> destination = operandOf(store, store.getDestination());
  if (failed(source) || failed(destination))
    return failure();
  instruction.sources[0] = *source;
  instruction.destination = *destination;
  const int64_t width = fractalWidth(store.getDestination());
  const Term block = Term::constant(kFractalRowBytes), height = code.multiply(term(store.getHeight()), block);
  instruction.rows = registerOf(store.getRows());
  instruction.count = code.constant(width);
  instruction.sources[0].stride =
      code.registerOf(code.multiply(term(store.getRowStride()), views[store.getSource()].strides[0]));
  issueInLoop(instruction, store.getSource(), store.getDestination(), wholeUnits(store.getColumns(), width), block,
              height);
  return success();
}

LogicalResult SimulatorEmitter::emitLoadFractals(aicore::LoadFractalsOp load, PipeInstruction instruction) {
  instruction.kind = PipeInstruction::LoadFractals;
  instruction.transposed = load.getTranspose();
  FailureOr<ProgramOperand> source = operandOf(load, load.getSource());
  FailureOr<ProgramOperand> destination = operandOf(load, load.getDestination());
  if (failed(source) || failed(destination))
    return failure();
  instruction.sources[0] = *source;
  instruction.destination = *destination;
  const Term rows = wholeUnits(load.getRows(), load.rowUnit()),
             columns = wholeUnits(load.getColumns(), load.columnUnit());
  // A square of bytes or of f32 is two fractals; so a column of squares of bytes has half as many, and a band of f32 as
  // many as it has columns in 16.
  const Term fractal = Term::constant(instruction.repeatBytes());
  const int64_t perHeight = load.hasBands() ? instruction.repeatBytes() : kFractalBytes;
  const Term height = code.multiply(wholeUnits(load.getHeight(), kFractalRows), Term::constant(perHeight));
  // Between neighbours in a row of fractals, and from one row to the next, in the source.
  const Term along = load.isContiguous() ? fractal : height, across = load.isContiguous() ? height : fractal;
  const Term row = code.multiply(columns, fractal); // of the destination
  // Squares of f32 are taken apart on the way to L0B, where the second fractals follow the first ones of a row.
  const bool isSplit = load.hasBands() && aicore::spaceOf(load.getDestination()) == aicore::Space::L0B;
  // An instruction copies a column of fractals if there are fewer columns than rows.
  Term byColumns = Term::constant(0);
  if (!isSplit)
    byColumns = columns.known && rows.known
                    ? Term::constant(*columns.known < *rows.known)
                    : Term::inRegister(code.compute(ScalarOp::Lt, code.registerOf(columns), code.registerOf(rows)));
  auto choose = [&](Term ofColumns, Term ofRows) {
    if (byColumns.known)
      return *byColumns.known ? ofColumns : ofRows;
    return Term::inRegister(
        code.compute(ScalarOp::Select, byColumns.reg, code.registerOf(ofColumns), code.registerOf(ofRows)));
  };
  instruction.rows = code.registerOf(choose(rows, columns));
  instruction.sources[0].stride = code.registerOf(choose(across, along));
  instruction.destination.stride = code.registerOf(isSplit ? Term::constant(kFractalBytes) : choose(row, fractal));
  issueInLoop(instruction, load.getSource(), load.getDestination(), choose(columns, rows), choose(along, across),
              choose(fractal, row));
  return success();
}
