#include "lowering/aicore/place/program/FusedBody.h"

#include "dialect/te/TeOps.h"
#include "lowering/aicore/place/program/Expand.h"
#include "lowering/aicore/place/program/PayloadOps.h"
#include "lowering/aicore/place/program/PayloadReader.h"
#include "lowering/aicore/place/program/Prologue.h"
#include "runtime/target/toolkit/KernelCalls.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace opc::aicore {

namespace {

/// Reads the function: its loads and stores, and each generic, whose payload the base reads.
class BodyReader : PayloadReader {
public:
  BodyReader(func::FuncOp fused, const KernelShape &shape, TileProgram &program, TileProgramBuilder &steps,
             OpBuilder &entry, IRMapping &scalars, llvm::function_ref<Value(unsigned)> sizeOf)
      : PayloadReader(shape, program, steps, entry, scalars), fused(fused), sizeOf(sizeOf) {}

  LogicalResult read();

private:
  LogicalResult readOp(Operation *op);
  bool isProductAlone(bufferization::ToTensorOp operand) const;
  LogicalResult readGeneric(linalg::GenericOp generic);
  FailureOr<TileId> readReduction(linalg::GenericOp generic, Operation *combiner, Value folded);
  TileId spreadInput(TileId loaded, unsigned tensor);
  unsigned tensorNumber(Value argument);
  std::optional<unsigned> loopOf(Value argument, int64_t dim);

  func::FuncOp fused;
  llvm::function_ref<Value(unsigned)> sizeOf;
  llvm::DenseSet<Operation *> ofPrologue; ///< what computes an operand of a product is a program of its own
};

} // namespace

unsigned BodyReader::tensorNumber(Value argument) {
  unsigned number = 0;
  for (BlockArgument each : fused.getArguments()) {
    if (each == argument)
      break;
    number += isa<MemRefType>(each.getType());
  }
  return number;
}

/// The canonical loop of a dimension of an argument; nullopt for a static size of 1.
std::optional<unsigned> BodyReader::loopOf(Value argument, int64_t dim) {
  unsigned index = cast<BlockArgument>(argument).getArgNumber();
  auto dims = fused.getArgAttrOfType<DenseI64ArrayAttr>(index, te::TeDialect::kDimsAttr);
  int64_t loop = dims && dim < dims.size() ? dims[dim] : dim;
  return loop < 0 ? std::nullopt : std::optional<unsigned>(loop);
}

/// The intrinsic that reduces a row of floats; nullopt if there is none.
static std::optional<Intrinsic> reductionOf(Intrinsic combining) {
  switch (combining) {
  case Intrinsic::vadd:
    return Intrinsic::vreduce_sum;
  case Intrinsic::vmax:
    return Intrinsic::vreduce_max;
  case Intrinsic::vmin:
    return Intrinsic::vreduce_min;
  default:
    return std::nullopt;
  }
}

/// The number with which a reduction of integers begins.
static std::optional<double> startOf(linalg::GenericOp generic, ElementType type) {
  auto fill = generic.getDpsInits().front().getDefiningOp<linalg::FillOp>();
  IntegerAttr start;
  if (!fill || !matchPattern(fill.getInputs().front(), m_Constant(&start)))
    return std::nullopt;
  const APInt &bits = start.getValue();
  return type == ElementType::UInt8 ? double(bits.getZExtValue()) : double(bits.getSExtValue());
}

FailureOr<TileId> BodyReader::readReduction(linalg::GenericOp generic, Operation *combiner, Value folded) {
  steps.setLocation(combiner->getLoc());
  std::optional<Intrinsic> intrinsic = binaryIntrinsic(combiner);
  // One number in place of each element: the sum of ones is the number of elements. For other operations it is still a
  // number, so no tile is recorded for it.
  std::optional<TileId> elements;
  if (isTile(folded))
    elements = tile(folded);
  else if (Value number = scalar(folded))
    if (std::optional<ElementType> type = elementTypeOf(number.getType()))
      elements = fillOf(number, *type, Spread::Full);
  if (!intrinsic || !elements)
    return unknown(combiner);
  const bool isRows =
      shape.form != KernelForm::ReduceColumns && shape.form != KernelForm::Columns && shape.form != KernelForm::Windows;
  const bool isExtreme = intrinsic == Intrinsic::vmax || intrinsic == Intrinsic::vmin;
  if (positions.contains(folded)) {
    if (!isExtreme)
      return unknown(combiner);
    if (shape.form == KernelForm::Columns)
      return steps.locateInColumns(*intrinsic, *elements);
    return steps.locate(*reductionOf(*intrinsic), *elements);
  }
  ElementType type = steps[*elements].type;
  const std::optional<ElementType> sign = signOfBytes(combiner);
  if (sign && (type == ElementType::Int8 || type == ElementType::UInt8))
    type = *sign;
  // The chip does not compute with bytes, and has no extremes of a row of integers. Float16 represents every byte and
  // float32 every int16.
  ElementType computed = type;
  if (type == ElementType::Int8 || type == ElementType::UInt8)
    computed = isExtreme ? ElementType::Float16 : ElementType::Int32;
  else if (type == ElementType::Int16 && isExtreme && isRows)
    computed = ElementType::Float32;
  double identity = identityOf(*intrinsic, type);
  FailureOr<TileId> source = failure();
  if (auto truth = folded.getDefiningOp<arith::ExtUIOp>(); truth && truth.getIn().getType().isInteger(1)) {
    // Truth values are bytes of 0 or 1, and their minimum begins with 1, not with 255.
    std::optional<double> start = startOf(generic, type);
    if (!start)
      return unknown(combiner);
    identity = *start;
    // 0 and 1 are the same signed or not.
    if (identity == 0.0 || identity == 1.0)
      type = steps[*elements].type;
    source = truthAsNumber(truth.getIn(), computed);
  } else if (isFloat(computed)) {
    source = steps.cast(byteAs(*elements, type), computed, Rounding::None);
  } else {
    source = expandCast(steps, byteAs(*elements, type), computed, Rounding::Rint, /*saturate=*/false);
  }
  if (failed(source))
    return unknown(combiner);
  // A parameter that has only the reduced loops is expanded: a reduction reads the rows of a tile.
  source = steps.widen(*source, Spread::Full);
  std::optional<Intrinsic> ofRows = isFloat(computed) ? reductionOf(*intrinsic) : std::nullopt;
  TileId result = isRows ? steps.reduce(ofRows.value_or(*intrinsic), *source, identity)
                         : steps.reduceColumns(*intrinsic, *source, identity);
  if (isFloat(computed))
    return steps.cast(result, type, Rounding::Rint); // one of the numbers of the type
  return expandCast(steps, result, type, Rounding::Rint, /*saturate=*/false);
}

LogicalResult BodyReader::readGeneric(linalg::GenericOp generic) {
  Block &body = generic.getRegion().front();
  bool reduces = generic.getNumReductionLoops() != 0;
  // The product, of operands that are not tiles of UB; other reductions of such a body are of rows (matmul_c3).
  if (isProduct(shape.form) && multipliesMatrices(generic)) {
    tiles[generic.getResult(0)] = steps.product(productType(shape.product.type));
    return success();
  }
  if (!reduces)
    return readElementwise(generic);
  if (failed(readInputs(generic)))
    return failure();
  Value folded;
  Operation *combiner = combinerOf(generic, folded);
  if (!combiner || generic.getNumDpsInits() != 1)
    return unknown(generic);
  for (Operation &op : body.without_terminator())
    if (&op != combiner && failed(readPayload(&op)))
      return failure();
  FailureOr<TileId> result = readReduction(generic, combiner, folded);
  if (failed(result) || steps.failed())
    return failure();
  tiles[generic.getResult(0)] = *result;
  return success();
}

/// Expands an input whose loops the launch decides. The chip gathers elements of 16 and 32 bits; others are converted
/// to floats first, and so is bfloat16: rows of float32 are copied, which is faster than a gather.
TileId BodyReader::spreadInput(TileId loaded, unsigned tensor) {
  ElementType type = steps[loaded].type;
  auto spread = [&](TileId source) {
    return shape.tensors[tensor].isAcross ? steps.gather(source, tensor) : steps.spread(source, tensor);
  };
  if (type != ElementType::BFloat16 && steps.supports(Intrinsic::vgather, {type, type}))
    return spread(loaded);
  ElementType held = elementSize(type) == 1 ? ElementType::Float16 : ElementType::Float32;
  return steps.cast(spread(steps.cast(loaded, held, Rounding::None)), type, Rounding::Rint);
}

/// Whether only the matrix product, what computes its operands, and sizes read an operand.
bool BodyReader::isProductAlone(bufferization::ToTensorOp operand) const {
  return llvm::all_of(operand->getUsers(), [&](Operation *user) {
    auto generic = dyn_cast<linalg::GenericOp>(user);
    return isa<tensor::DimOp>(user) || ofPrologue.contains(user) || (generic && multipliesMatrices(generic));
  });
}

LogicalResult BodyReader::readOp(Operation *op) {
  if (ofPrologue.contains(op))
    return success();
  steps.setLocation(op->getLoc());
  if (auto load = dyn_cast<bufferization::ToTensorOp>(op)) {
    unsigned number = tensorNumber(load.getBuffer());
    const KernelTensor &tensor = shape.tensors[number];
    if (isProduct(shape.form) && (number == shape.product.left || number == shape.product.right)) {
      if (isProductAlone(load))
        return success();
      return fused.emitError("[place_c3] expects operands of a matrix product that nothing else reads; '")
             << tensor.name << "' is read in another place, too";
    }
    if (tensor.indices && !tensor.places.empty()) {
      FailureOr<TileId> found = lookUpGiven(number);
      if (failed(found))
        return failure();
      tiles[load.getResult()] = *found;
      return failure(steps.failed());
    }
    if (!tensor.places.empty() || tensor.isSorted) {
      tables[load.getResult()] = number;
      return success();
    }
    TileId loaded = steps.load(number, tensor.type, tensor.spread);
    tiles[load.getResult()] = tensor.isOfLaunch ? spreadInput(loaded, number) : loaded;
    return failure(steps.failed());
  }
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return readGeneric(generic);
  if (auto store = dyn_cast<bufferization::MaterializeInDestinationOp>(op)) {
    unsigned number = tensorNumber(store.getDest());
    const KernelTensor &tensor = shape.tensors[number];
    Value source = store.getSource();
    if (masks.contains(source)) {
      FailureOr<TileId> stored = truthAsNumber(source, tensor.type);
      if (failed(stored))
        return unknown(op);
      tiles[source] = *stored;
    }
    if (!isTile(source))
      return unknown(op);
    // A byte has the same bits signed or not, but the chip's intrinsics distinguish the types.
    TileId stored =
        expandCast(steps, steps.widen(tile(source), tensor.spread), tensor.type, Rounding::Rint, /*saturate=*/false);
    program.stores.emplace_back(stored, number);
    return success();
  }
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    // A size that only shapes a destination needs no value.
    if (llvm::all_of(op->getUsers(), [](Operation *user) { return isa<tensor::EmptyOp>(user); }))
      return success();
    std::optional<int64_t> index = dim.getConstantIndex();
    auto load = dim.getSource().getDefiningOp<bufferization::ToTensorOp>();
    if (!load || !index)
      return unknown(op);
    std::optional<unsigned> loop = loopOf(load.getBuffer(), *index);
    scalars.map(dim.getResult(), loop ? sizeOf(*loop) : steps.indexConstant(1));
    return success();
  }
  // The size of an output only shapes a destination (fused_c3).
  if (isa<tensor::EmptyOp, memref::DimOp, linalg::FillOp, func::ReturnOp>(op))
    return success();
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(op)) {
    if (auto table = tables.find(op->getOperand(0)); table != tables.end()) {
      const unsigned number = table->second;
      tables[op->getResult(0)] = number;
      return success();
    }
    if (!isTile(op->getOperand(0)))
      return unknown(op);
    tiles[op->getResult(0)] = tile(op->getOperand(0));
    return success();
  }
  if (op->getNumResults() == 1)
    return readScalar(op);
  return unknown(op);
}

LogicalResult BodyReader::read() {
  unsigned number = 0;
  for (BlockArgument argument : fused.getArguments()) {
    if (!isa<MemRefType>(argument.getType()))
      continue;
    const KernelTensor &tensor = shape.tensors[number++];
    const bool isOfIndices = llvm::any_of(shape.tensors, [&](const KernelTensor &other) {
      return other.indices && &shape.tensors[*other.indices] == &tensor;
    });
    const bool hasWords = (isOfIndices || !tensor.places.empty()) && tensor.type == ElementType::Int64;
    if (!vectorUnitTakes(tensor.type) && !hasWords)
      return emitError(argument.getLoc(), "[place_c5] expects tensors of elements that AI Core kernels work on "
                                          "(float16, bfloat16, float32, int8, uint8, int16, int32, bool); '")
             << tensor.name << "' has elements of " << std::string(elementTypeName(tensor.type));
  }
  if (isProduct(shape.form))
    ofPrologue = prologueOps(fused);
  for (Operation &op : fused.getBody().front())
    if (failed(readOp(&op)))
      return failure();
  return failure(steps.failed());
}

FailureOr<TileProgram> readFusedBody(func::FuncOp fused, const KernelShape &shape, const Target &target,
                                     ElementType expansion, OpBuilder &entry, IRMapping &scalars,
                                     llvm::function_ref<Value(unsigned)> sizeOf) {
  TileProgram program;
  TileProgramBuilder steps(program, target, entry);
  steps.setExpansion(expansion);
  BodyReader reader(fused, shape, program, steps, entry, scalars, sizeOf);
  if (failed(reader.read()))
    return failure();
  // Some steps and loads have no reader: the widening of a value that was narrowed for its output, and inputs that
  // only contribute their shape.
  program.dropUnread();
  return program;
}

} // namespace opc::aicore
