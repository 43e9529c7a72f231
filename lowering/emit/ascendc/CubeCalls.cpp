// Emits the calls of the cube and of its copies. The loops, casts and parameter structures around a call are in
// helpers; sizes are passed as numbers.

#include "lowering/emit/ascendc/KernelClass.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opc;

static int64_t fractalWidth(Value tile) {
  const Type element = cast<MemRefType>(tile.getType()).getElementType();
  return kFractalRowBytes / elementSize(*aicore::elementTypeOf(element));
}

Value KernelClassBuilder::sizeOf(Value size) {
  return valueOf(Polynomial::of(OpFoldResult(size)));
}

/// A size in whole units, rounded up.
Value KernelClassBuilder::unitsOf(Value size, int64_t unit) {
  Value units = literal(b.getI64Type(), llvm::Twine(unit));
  return call(kernel.getLoc(), b.getI64Type(), helpers.need(Helper::CeilDiv), {sizeOf(size), units});
}

LogicalResult KernelClassBuilder::emitLoadNz(aicore::LoadNzOp load) {
  FailureOr<TilePlace> rows = placeOf(load, load.getSource());
  FailureOr<Value> tile = tileOf(load, load.getDestination());
  if (failed(rows) || failed(tile))
    return failure();
  if (rows->buffer || rows->sizes.size() != 2)
    return load.emitOpError("[ascendc_c3] expects rows of a tensor, found ") << load.getSource().getType();
  SmallVector<Value> operands = {*tile};
  const Helper helper = load.getPacked() ? Helper::FractalsToTile : Helper::RowsToFractals;
  std::string text = helpers.need(helper).str() + "({}, " + lowerCamel(interface.tensors[rows->tensor].name) + "Gm[" +
                     textOf(rows->offset, operands) + "], ";
  text += textOf(rows->sizes[0], operands) + ", ";
  text += textOf(rows->sizes[1], operands) + ", ";
  text += textOf(rows->strides[0], operands) + ", ";
  text += textOf(Polynomial::of(OpFoldResult(load.getHeight())), operands) + ");";
  markPlace(b, originOf(load->getLoc()));
  verbatim(load->getLoc(), text, operands);
  return success();
}

LogicalResult KernelClassBuilder::emitLoadFractals(aicore::LoadFractalsOp load) {
  FailureOr<Value> to = tileOf(load, load.getDestination()), from = tileOf(load, load.getSource());
  if (failed(to) || failed(from))
    return failure();
  auto flag = [&](bool value) { return emitc::OpaqueAttr::get(b.getContext(), value ? "true" : "false"); };
  SmallVector<Value> operands = {*to, *from, unitsOf(load.getRows(), load.rowUnit()),
                                 unitsOf(load.getColumns(), load.columnUnit()),
                                 unitsOf(load.getHeight(), load.hasSquares() ? load.rowUnit() : kFractalRows)};
  if (load.hasBands()) {
    emitCall(load, helpers.need(Helper::LoadBands), operands, {},
             b.getArrayAttr({flag(aicore::spaceOf(load.getDestination()) == aicore::Space::L0A)}));
    return success();
  }
  if (load.hasSquares()) {
    emitCall(load, helpers.need(Helper::LoadSquares), operands);
    return success();
  }
  emitCall(load, helpers.need(Helper::LoadFractals), operands, {},
           b.getArrayAttr({flag(load.getTranspose()), flag(load.isContiguous())}));
  return success();
}

/// Extensions are whole fractals, starts are multiples of them by rule.
LogicalResult KernelClassBuilder::emitLoadIm2col(aicore::LoadIm2colOp load) {
  FailureOr<Value> to = tileOf(load, load.getDestination()), from = tileOf(load, load.getSource());
  if (failed(to) || failed(from))
    return failure();
  const int64_t width = load.blockChannels();
  SmallVector<Value> operands = {*to,
                                 *from,
                                 unitsOf(load.getRows(), kFractalRows),
                                 sizeOf(load.getFirstRow()),
                                 unitsOf(load.getColumns(), width),
                                 sizeOf(load.getFirstColumn()),
                                 unitsOf(load.getChannels(), width),
                                 use(load.getPad())};
  for (Value number : load.getImage())
    operands.push_back(sizeOf(number));
  emitCall(load, helpers.need(Helper::LoadIm2col), operands);
  return success();
}

LogicalResult KernelClassBuilder::emitFixpipe(aicore::FixpipeOp fixpipe) {
  FailureOr<Value> from = tileOf(fixpipe, fixpipe.getSource());
  FailureOr<TilePlace> to = placeOf(fixpipe, fixpipe.getDestination());
  if (failed(from) || failed(to))
    return failure();
  SmallVector<Value> scale;
  if (fixpipe.getScale()) {
    FailureOr<Value> tile = tileOf(fixpipe, fixpipe.getScale());
    if (failed(tile))
      return failure();
    scale.push_back(*tile);
  }
  const llvm::StringRef helper = helpers.need(fixpipe.getScale() ? Helper::FixpipeScaled : Helper::FixpipeRows);
  const std::string relu = fixpipe.getRelu() ? "true" : "false", nz = fixpipe.getNz() ? "true" : "false";
  if (to->buffer) {
    FailureOr<Value> tile = tileOf(fixpipe, fixpipe.getDestination());
    if (failed(tile))
      return failure();
    SmallVector<Value> operands = {*tile, *from};
    operands.append(scale);
    operands.append(
        {sizeOf(fixpipe.getM()), sizeOf(fixpipe.getN()), sizeOf(fixpipe.getRowStride()), literal(b.getI1Type(), relu)});
    if (fixpipe.getHeight())
      operands.push_back(sizeOf(fixpipe.getHeight()));
    emitCall(fixpipe, helper, operands, {}, b.getArrayAttr({emitc::OpaqueAttr::get(b.getContext(), nz)}));
    return success();
  }
  SmallVector<Value> operands;
  std::string text = helper.str() + "<" + nz + ">(" + lowerCamel(interface.tensors[to->tensor].name) + "Gm[" +
                     textOf(to->offset, operands) + "], {}, ";
  operands.push_back(*from);
  if (!scale.empty()) {
    text += "{}, ";
    operands.append(scale);
  }
  text += textOf(Polynomial::of(OpFoldResult(fixpipe.getM())), operands) + ", ";
  text += textOf(Polynomial::of(OpFoldResult(fixpipe.getN())), operands) + ", ";
  text += textOf(to->strides[0], operands) + ", " + relu;
  if (fixpipe.getHeight())
    text += ", " + textOf(Polynomial::of(OpFoldResult(fixpipe.getHeight())), operands);
  text += ");";
  markPlace(b, originOf(fixpipe->getLoc()));
  verbatim(fixpipe->getLoc(), text, operands);
  return success();
}

LogicalResult KernelClassBuilder::emitCube(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](aicore::LoadNzOp load) { return emitLoadNz(load); })
      .Case([&](aicore::LoadFractalsOp load) { return emitLoadFractals(load); })
      .Case([&](aicore::LoadIm2colOp load) { return emitLoadIm2col(load); })
      .Case([&](aicore::LoadBiasOp load) -> LogicalResult {
        FailureOr<Value> from = tileOf(load, load.getSource()), to = tileOf(load, load.getDestination());
        if (failed(from) || failed(to))
          return failure();
        emitCall(load, helpers.need(Helper::LoadBias), {*to, *from, unitsOf(load.getCount(), kBiasUnitBytes / 4)});
        return success();
      })
      .Case([&](aicore::StoreNzOp store) -> LogicalResult {
        FailureOr<Value> from = tileOf(store, store.getSource()), to = tileOf(store, store.getDestination());
        if (failed(from) || failed(to))
          return failure();
        emitCall(store, helpers.need(Helper::TileToFractals),
                 {*to, *from, sizeOf(store.getRows()),
                  unitsOf(store.getColumns(), fractalWidth(store.getDestination())), sizeOf(store.getRowStride()),
                  sizeOf(store.getHeight())});
        return success();
      })
      .Case([&](aicore::FillOp fill) -> LogicalResult {
        FailureOr<Value> tile = tileOf(fill, fill.getDestination());
        if (failed(tile))
          return failure();
        emitCall(fill, helpers.need(Helper::FillBlocks),
                 {*tile, sizeOf(fill.getAt()), sizeOf(fill.getRows()), sizeOf(fill.getBlocks()),
                  sizeOf(fill.getStride()), use(fill.getValue())});
        return success();
      })
      .Case([&](aicore::MmadOp mmad) -> LogicalResult {
        FailureOr<Value> result = tileOf(mmad, mmad.getResult()), lhs = tileOf(mmad, mmad.getLhs()),
                         rhs = tileOf(mmad, mmad.getRhs());
        if (failed(result) || failed(lhs) || failed(rhs))
          return failure();
        SmallVector<Value> operands = {*result, *lhs, *rhs};
        if (mmad.getBias()) {
          FailureOr<Value> bias = tileOf(mmad, mmad.getBias());
          if (failed(bias))
            return failure();
          operands.push_back(*bias);
        }
        operands.append({sizeOf(mmad.getM()), sizeOf(mmad.getK()), sizeOf(mmad.getN()), use(mmad.getInit())});
        emitCall(mmad, helpers.need(mmad.getBias() ? Helper::MultiplyWithBias : Helper::Multiply), operands);
        return success();
      })
      .Case([&](aicore::FixpipeOp fixpipe) { return emitFixpipe(fixpipe); })
      .Default([](Operation *) { return failure(); });
}
