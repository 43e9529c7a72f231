// Emits copies, intrinsics, flags, barriers and scalar accesses as calls, and tiles as LocalTensors at planned
// addresses.

#include "lowering/emit/ascendc/KernelClass.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opc;

void KernelClassBuilder::verbatim(Location loc, const llvm::Twine &text, ValueRange operands) {
  emitc::VerbatimOp::create(b, loc, b.getStringAttr(text.str()), operands);
}

//===----------------------------------------------------------------------===//
// Offsets and tiles
//===----------------------------------------------------------------------===//

std::string KernelClassBuilder::textOf(const Polynomial &polynomial, SmallVectorImpl<Value> &operands) {
  std::string text;
  if (polynomial.constant != 0 || polynomial.isConstant())
    text = std::to_string(polynomial.constant);
  for (const Polynomial::Term &term : polynomial.terms) {
    text += text.empty() ? "" : " + ";
    for (auto [i, value] : llvm::enumerate(term.values)) {
      text += i == 0 ? "{}" : " * {}";
      operands.push_back(use(value));
    }
    if (term.factor != 1)
      text += " * " + std::to_string(term.factor);
  }
  return text;
}

// The operand of a call: a literal, a value of the kernel, or a sum on a line of its own.
Value KernelClassBuilder::valueOf(const Polynomial &polynomial) {
  Location loc = kernel.getLoc();
  Type type = b.getI64Type();
  Value total;
  for (const Polynomial::Term &term : polynomial.terms) {
    Value product;
    for (Value value : term.values)
      product = product ? emitc::MulOp::create(b, loc, type, product, use(value)).getResult() : use(value);
    if (term.factor != 1)
      product = emitc::MulOp::create(b, loc, type, product, literal(type, llvm::Twine(term.factor)));
    total = total ? emitc::AddOp::create(b, loc, type, total, product).getResult() : product;
  }
  if (!total)
    return literal(type, llvm::Twine(polynomial.constant));
  if (polynomial.constant == 0)
    return total;
  return emitc::AddOp::create(b, loc, type, total, literal(type, llvm::Twine(polynomial.constant)));
}

/// The field with the bytes of a memory.
static StringRef memoryField(aicore::Space space) {
  return aicore::stringifySpace(space);
}

FailureOr<Value> KernelClassBuilder::tileOf(Operation *user, Value memref) {
  // Reuse a tile that was made in this block or in a block around it.
  for (Value made : tiles[memref])
    if (made.getParentRegion()->isAncestor(b.getInsertionBlock()->getParent()))
      return made;
  FailureOr<TilePlace> place = placeOf(user, memref);
  if (failed(place))
    return failure();
  if (!place->buffer)
    return user->emitOpError("[ascendc_c3] expects a tile of a buffer, found ") << memref.getType();

  int64_t bytes = elementSize(place->type);
  Polynomial address = Polynomial::of(*place->buffer.getAddress()) + place->offset * Polynomial::of(bytes);
  Polynomial length = Polynomial::of(place->buffer.getCapacity());
  if (!place->startsSlot)
    length = place->sizes.size() == 2 ? place->sizes[0] * place->strides[0] : place->sizes[0];
  // A buffer owns its blocks of 32 bytes. A LocalTensor has at least one block, because ReduceMax and ReduceMin read
  // a second element of a destination with one element.
  if (length.isConstant() && (place->startsSlot || (address.isConstant() && address.constant % 32 == 0)))
    length.constant = std::max(length.constant, 32 / bytes);
  StringRef type = ascendCTypeName(place->type).data();
  std::string tensor = ("AscendC::LocalTensor<" + type + ">").str();
  std::string name = methodNames.take(lowerCamel(place->buffer.getName()) + "Local");
  SmallVector<Value> operands;
  std::string arguments = textOf(length, operands) + ", ";
  arguments += textOf(address, operands);
  verbatim(kernel.getLoc(),
           tensor + " " + name + " = " + memoryField(place->buffer.getSpace()) + ".GetWithOffset<" + type + ">(" +
               arguments + ");",
           operands);
  Value tile = literal(emitc::OpaqueType::get(b.getContext(), tensor), name);
  tiles[memref].push_back(tile);
  return tile;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

LogicalResult KernelClassBuilder::emitCopy(Operation *op, Value from, Value to) {
  auto load = dyn_cast<aicore::LoadOp>(op);
  FailureOr<TilePlace> onChip = placeOf(op, load ? to : from), global = placeOf(op, load ? from : to);
  FailureOr<Value> tile = tileOf(op, load ? to : from);
  if (failed(onChip) || failed(global) || failed(tile))
    return failure();
  if (global->buffer)
    return op->emitOpError("[ascendc_c3] expects a view of a tensor, found ") << (load ? from : to).getType();

  // Operands are collected in the order of their placeholders.
  std::string type(ascendCTypeName(onChip->type));
  Polynomial bytes = Polynomial::of(elementSize(onChip->type)), rowBytes = onChip->sizes.back() * bytes;
  SmallVector<Value> operands;
  auto tensor = [&] {
    return lowerCamel(interface.tensors[global->tensor].name) + "Gm[" + textOf(global->offset, operands) + "]";
  };
  Value rowStride = load ? load.getRowStride() : cast<aicore::StoreOp>(op).getRowStride();
  if (rowStride) {
    // The tile is flat; the number and the length of rows are those of the tensor.
    rowBytes = global->sizes.back() * bytes;
    onChip->sizes = {global->sizes.front(), global->sizes.back()};
    onChip->strides = {Polynomial::of(OpFoldResult(rowStride)), Polynomial::of(1)};
  }
  auto rows = [&] {
    if (onChip->sizes.size() != 2)
      return helpers.need(Helper::Row).str() + "(" + textOf(rowBytes, operands) + ")";
    std::string text = helpers.need(load ? Helper::RowsIn : Helper::RowsOut).str() + "(";
    text += textOf(onChip->sizes[0], operands) + ", ";
    text += textOf(rowBytes, operands) + ", ";
    text += textOf((load ? global : onChip)->strides[0] * bytes, operands) + ", ";
    return text + textOf((load ? onChip : global)->strides[0] * bytes, operands) + ")";
  };

  if (auto store = dyn_cast<aicore::StoreOp>(op)) {
    std::string text = "AscendC::DataCopyPad(" + tensor() + ", {}, ";
    operands.push_back(*tile);
    text += rows() + ");";
    if (store.getAtomicAdd())
      verbatim(op->getLoc(), "AscendC::SetAtomicAdd<" + type + ">();");
    markPlace(b, originOf(op->getLoc()));
    verbatim(op->getLoc(), text, operands);
    if (store.getAtomicAdd())
      verbatim(op->getLoc(), "AscendC::SetAtomicNone();");
    return success();
  }
  operands.push_back(*tile);
  std::string text = "AscendC::DataCopyPad({}, " + tensor() + ", ";
  text += rows() + ", " + helpers.need(load.getPad() ? Helper::PadRow : Helper::NoPad).str() + "<" + type + ">(";
  if (load.getPad()) {
    text += textOf(rowBytes, operands) + ", {}";
    operands.push_back(use(load.getPad()));
  }
  markPlace(b, originOf(op->getLoc()));
  verbatim(op->getLoc(), text + "));", operands);
  return success();
}

//===----------------------------------------------------------------------===//
// Intrinsics
//===----------------------------------------------------------------------===//

// The arguments between the operands and the count: a mode, and for Gather the base address.
static std::string modeOf(aicore::VectorOpInterface op, IntrinsicForm form) {
  switch (form) {
  case IntrinsicForm::Cast:
    return "AscendC::RoundMode::" + std::string(ascendCRoundingName(aicore::toTarget(op.getRoundingMode())));
  case IntrinsicForm::Compare:
  case IntrinsicForm::CompareScalar:
    return "AscendC::CMPMODE::" + StringRef(compareModeName(aicore::toTarget(op.getComparisonMode())).data()).upper();
  case IntrinsicForm::Select:
    return "AscendC::SELMODE::VSEL_TENSOR_TENSOR_MODE";
  case IntrinsicForm::SelectScalar:
    return "AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE";
  case IntrinsicForm::Gather:
  case IntrinsicForm::Scatter:
    return "0";
  default:
    return {};
  }
}

// The helper for intrinsics whose call takes other arguments than tiles and a count, or at most 255 repeats.
static std::optional<Helper> helperOf(const IntrinsicInfo &info) {
  switch (info.form) {
  case IntrinsicForm::RepeatReduce:
    return Helper::EachRepeat;
  case IntrinsicForm::BlockReduce:
    return Helper::EachBlock;
  case IntrinsicForm::PairReduce:
    return Helper::EachPair;
  case IntrinsicForm::GatherMask:
    return Helper::KeepMasked;
  case IntrinsicForm::GatherPattern:
    return Helper::KeepPattern;
  case IntrinsicForm::ChannelsLast:
    return Helper::ChannelsLast;
  case IntrinsicForm::Sort:
    return Helper::SortGroups;
  default:
    return info.intrinsic == Intrinsic::vcopy ? std::optional(Helper::CopyElements) : std::nullopt;
  }
}

/// "PartCall::Max" for reductions of repeats, blocks and rows; empty for other intrinsics.
static std::string partCallOf(const IntrinsicInfo &info, bool reducesRows) {
  if (info.form != IntrinsicForm::RepeatReduce && info.form != IntrinsicForm::BlockReduce && !reducesRows)
    return {};
  return "PartCall::" + upperCamel(StringRef(info.name.data()).rsplit('_').second);
}

FailureOr<SmallVector<Value>> KernelClassBuilder::tilesOf(aicore::VectorOpInterface op) {
  SmallVector<Value> tiles;
  SmallVector<Value> memrefs = {op.getDestinationTile()};
  llvm::append_range(memrefs, op.getSourceTiles());
  for (Value memref : memrefs) {
    FailureOr<Value> tile = tileOf(op, memref);
    if (failed(tile))
      return failure();
    tiles.push_back(*tile);
  }
  return tiles;
}

void KernelClassBuilder::emitCall(Operation *op, StringRef callee, ValueRange operands, ArrayAttr order,
                                  ArrayAttr templates) {
  markPlace(b, originOf(op->getLoc()));
  emitc::CallOpaqueOp::create(b, op->getLoc(), TypeRange(), callee, operands, order, templates);
}

// Each list with its length. For missing lists the first one is passed again, with length 0.
LogicalResult KernelClassBuilder::emitMerge(aicore::VectorOpInterface op) {
  FailureOr<SmallVector<Value>> tiles = tilesOf(op);
  if (failed(tiles))
    return failure();
  SmallVector<Value> sources = op.getSourceTiles(),
                     operands = {tiles->front(), literal(b.getI64Type(), llvm::Twine(sources.size()))};
  for (unsigned i = 0; i < kMaxSources; ++i) {
    bool present = i < sources.size();
    operands.push_back((*tiles)[present ? i + 1 : 1]);
    Polynomial length = Polynomial::of(0);
    if (present) {
      FailureOr<TilePlace> place = placeOf(op, sources[i]);
      if (failed(place))
        return failure();
      length = place->sizes.front();
    }
    operands.push_back(valueOf(length));
  }
  emitCall(op, helpers.need(Helper::MergeLists), operands);
  return success();
}

LogicalResult KernelClassBuilder::emitVector(aicore::VectorOpInterface op) {
  const IntrinsicInfo &info = intrinsicInfo(op.getIntrinsic());
  if (info.form == IntrinsicForm::Merge)
    return emitMerge(op);
  FailureOr<SmallVector<Value>> tiles = tilesOf(op);
  if (failed(tiles))
    return failure();
  SmallVector<Value> operands = *tiles;
  if (info.form == IntrinsicForm::GatherPattern)
    operands.push_back(literal(b.getI64Type(), llvm::Twine(static_cast<int64_t>(aicore::toTarget(op.getKeep())))));
  if (Value scalar = op.getScalarOperand())
    operands.push_back(use(scalar));
  if (Value scratch = op.getScratchTile()) {
    FailureOr<Value> tile = tileOf(op, scratch);
    if (failed(tile))
      return failure();
    operands.push_back(*tile);
  }

  if (op.takesRows()) {
    FailureOr<TilePlace> blocks = placeOf(op, op.getSourceTiles().back());
    if (failed(blocks))
      return failure();
    operands.push_back(valueOf(blocks->sizes.front()));
  }

  const SmallVector<Value, 2> extent = op.getReducedRows();
  for (Value number : extent)
    operands.push_back(use(number));
  if (!extent.empty()) {
    FailureOr<TilePlace> results = placeOf(op, op.getDestinationTile());
    if (failed(results))
      return failure();
    operands.push_back(valueOf(results->sizes.front()));
  }

  SmallVector<Attribute> order;
  for (unsigned i = 0; i < operands.size(); ++i)
    order.push_back(b.getIndexAttr(i));
  if (std::string mode = modeOf(op, info.form); !mode.empty())
    order.push_back(emitc::OpaqueAttr::get(b.getContext(), mode));
  // A transpose has a fixed size.
  if (info.form != IntrinsicForm::Transpose) {
    FailureOr<TilePlace> counted = placeOf(op, op.getCountedTile());
    Value count = valueOf(counted->sizes.front());
    if (writesMask(info.form)) {
      auto type = emitc::OpaqueAttr::get(b.getContext(), ascendCTypeName(counted->type).data());
      count = call(op.getLoc(), b.getI64Type(), helpers.need(Helper::WholeVectors), count, {}, b.getArrayAttr(type));
    }
    order.push_back(b.getIndexAttr(operands.size()));
    operands.push_back(count);
  }
  ArrayAttr templates;
  std::string callType = op.takesRows() ? "RowCall::" + std::string(info.ascendC) : partCallOf(info, !extent.empty());
  if (!callType.empty())
    templates = b.getArrayAttr(emitc::OpaqueAttr::get(b.getContext(), callType));
  std::optional<Helper> helper = op.takesRows() ? std::optional(Helper::WithRows) : helperOf(info);
  if (!extent.empty())
    helper = Helper::ReduceRows;
  if (info.form == IntrinsicForm::Gather &&
      cast<MemRefType>(op.getSourceTiles().back().getType()).getElementType().isSignlessInteger())
    helper = Helper::GatherAt;
  if (info.intrinsic == Intrinsic::vbrc &&
      cast<MemRefType>(op.getDestinationTile().getType()).getElementType().isBF16())
    helper = Helper::FillBits;
  emitCall(op, helper ? helpers.need(*helper).str() : "AscendC::" + std::string(info.ascendC), operands,
           b.getArrayAttr(order), templates);
  return success();
}

//===----------------------------------------------------------------------===//
// Scalars in tiles, flags, barriers
//===----------------------------------------------------------------------===//

LogicalResult KernelClassBuilder::emitScalarRead(aicore::ScalarReadOp op) {
  FailureOr<TilePlace> place = placeOf(op, op.getTile());
  FailureOr<Value> tile = tileOf(op, op.getTile());
  if (failed(place) || failed(tile))
    return failure();
  Value index = valueOf(Polynomial::of(OpFoldResult(op.getIndex())) * place->strides.front());
  markPlace(b, originOf(op.getLoc()));
  define(op.getValue(),
         call(op.getLoc(), cppType(op.getValue().getType()), helpers.need(Helper::Read), {*tile, index}));
  return success();
}

LogicalResult KernelClassBuilder::emitScalarWrite(aicore::ScalarWriteOp op) {
  FailureOr<TilePlace> place = placeOf(op, op.getTile());
  FailureOr<Value> tile = tileOf(op, op.getTile());
  if (failed(place) || failed(tile))
    return failure();
  Value index = valueOf(Polynomial::of(OpFoldResult(op.getIndex())) * place->strides.front());
  Value value = use(op.getValue());
  markPlace(b, originOf(op.getLoc()));
  verbatim(op.getLoc(), "{}.SetValue(static_cast<uint32_t>({}), {});", {*tile, index, value});
  return success();
}

void KernelClassBuilder::emitFlag(Operation *op, StringRef call, aicore::Pipe from, aicore::Pipe to, Value id) {
  const std::string first(ascendCPipeName(aicore::toTarget(from))), second(ascendCPipeName(aicore::toTarget(to)));
  // HardEvent has no such pair; a queue's flags name the pipes. That the chip has them is an assumption of the kernel.
  const bool isFixToV =
      (from == aicore::Pipe::FIX && to == aicore::Pipe::V) || (from == aicore::Pipe::V && to == aicore::Pipe::FIX);
  if (isFixToV)
    return verbatim(op->getLoc(), "AscendC::TQueSync<PIPE_" + first + ", PIPE_" + second + ">()." + call + "({});",
                    use(id));
  const std::string event = "AscendC::HardEvent::" + first + "_" + second;
  emitc::CallOpaqueOp::create(b, op->getLoc(), TypeRange(), ("AscendC::" + call).str(), use(id), ArrayAttr(),
                              b.getArrayAttr(emitc::OpaqueAttr::get(b.getContext(), event)));
}

LogicalResult KernelClassBuilder::emitPipeOp(aicore::PipeOpInterface op) {
  return TypeSwitch<Operation *, LogicalResult>(op.getOperation())
      .Case([&](aicore::LoadOp load) { return emitCopy(load, load.getSource(), load.getDestination()); })
      .Case([&](aicore::StoreOp store) { return emitCopy(store, store.getSource(), store.getDestination()); })
      .Case<aicore::LoadNzOp, aicore::StoreNzOp, aicore::FillOp, aicore::LoadFractalsOp, aicore::LoadIm2colOp,
            aicore::LoadBiasOp, aicore::MmadOp, aicore::FixpipeOp>([&](Operation *cube) { return emitCube(cube); })
      .Case([&](aicore::VectorOpInterface vector) { return emitVector(vector); })
      .Case([&](aicore::ScalarReadOp read) { return emitScalarRead(read); })
      .Case([&](aicore::ScalarWriteOp write) { return emitScalarWrite(write); })
      .Case([&](aicore::SetFlagOp flag) {
        emitFlag(flag, "SetFlag", flag.getFrom(), flag.getTo(), flag.getId());
        return success();
      })
      .Case([&](aicore::WaitFlagOp flag) {
        emitFlag(flag, "WaitFlag", flag.getFrom(), flag.getTo(), flag.getId());
        return success();
      })
      .Case([&](aicore::PipeBarrierOp barrier) -> LogicalResult {
        // On a pipe that completes in order the call does nothing. It is emitted if the kernel has it; sync insertion
        // adds none.
        if (barrier.getOn() == aicore::Pipe::V)
          helpers.keepVectorBarriers();
        std::string pipe = "PIPE_" + std::string(ascendCPipeName(aicore::toTarget(barrier.getOn())));
        emitc::CallOpaqueOp::create(b, op.getLoc(), TypeRange(), "AscendC::PipeBarrier", ValueRange(), ArrayAttr(),
                                    b.getArrayAttr(emitc::OpaqueAttr::get(b.getContext(), pipe)));
        return success();
      })
      .Default([](Operation *other) {
        return other->emitOpError("[ascendc_c1] expects ops that Ascend C has calls for on this chip, found '")
               << other->getName() << "'";
      });
}
