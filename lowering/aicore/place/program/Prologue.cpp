#include "lowering/aicore/place/program/Prologue.h"

#include "lowering/aicore/place/program/PayloadReader.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace opc::aicore {

/// The generic that multiplies; null if there is none.
static linalg::GenericOp productOf(func::FuncOp fused) {
  for (auto generic : fused.getBody().front().getOps<linalg::GenericOp>())
    if (multipliesMatrices(generic))
      return generic;
  return {};
}

/// The operations at the level of the function that compute these inputs of a product, without those that shape
/// destinations.
static llvm::SetVector<Operation *> sliceOf(linalg::GenericOp product, ValueRange inputs) {
  llvm::SetVector<Operation *> slice;
  auto add = [&](Value value) {
    if (Operation *op = value.getDefiningOp(); op && op->getBlock() == product->getBlock())
      slice.insert(op);
  };
  for (Value input : inputs)
    add(input);
  for (size_t i = 0; i < slice.size(); ++i) {
    auto generic = dyn_cast<linalg::GenericOp>(slice[i]);
    for (Value operand : generic ? ValueRange(generic.getInputs()) : ValueRange(slice[i]->getOperands()))
      add(operand);
    if (generic)
      generic.walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          if (inner != generic)
            add(operand);
      });
  }
  return slice;
}

llvm::DenseSet<Operation *> prologueOps(func::FuncOp fused) {
  llvm::DenseSet<Operation *> ops;
  linalg::GenericOp product = productOf(fused);
  if (!product)
    return ops;
  const llvm::SetVector<Operation *> slice = sliceOf(product, product.getInputs());
  for (Operation &op : llvm::reverse(fused.getBody().front())) {
    const bool computes =
        isa<linalg::GenericOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(op) && &op != product;
    const bool isOfProduct = llvm::all_of(op.getUsers(), [&](Operation *user) {
      return user == product || ops.contains(user) || isa<tensor::DimOp>(user);
    });
    if (computes && isOfProduct && slice.contains(&op))
      ops.insert(&op);
  }
  return ops;
}

bool Prologue::keepsZeros() const {
  return llvm::all_of(program.steps, [&](const TileStep &step) {
    return program.spreadOf(step.result) != Spread::Full || step.intrinsic == Intrinsic::vcast ||
           step.intrinsic == Intrinsic::vabs;
  });
}

namespace {

class PrologueReader : PayloadReader {
public:
  PrologueReader(func::FuncOp fused, Prologue &prologue, TileProgramBuilder &steps, OpBuilder &entry,
                 IRMapping &scalars)
      : PayloadReader(prologue.shape, prologue.program, steps, entry, scalars), fused(fused), prologue(prologue) {}

  LogicalResult read();

private:
  LogicalResult readOp(Operation *op);
  LogicalResult load(bufferization::ToTensorOp op);
  unsigned numberOf(bufferization::ToTensorOp op);

  func::FuncOp fused;
  Prologue &prologue;
};

} // namespace

unsigned PrologueReader::numberOf(bufferization::ToTensorOp op) {
  unsigned number = 0;
  for (BlockArgument argument : fused.getArguments()) {
    if (argument == op.getBuffer())
      break;
    number += isa<MemRefType>(argument.getType());
  }
  return number;
}

LogicalResult PrologueReader::load(bufferization::ToTensorOp op) {
  const unsigned number = numberOf(op);
  const KernelTensor &tensor = shape.tensors[number];
  tiles[op.getResult()] = steps.load(number, tensor.type, tensor.spread);
  return failure(steps.failed());
}

LogicalResult PrologueReader::readOp(Operation *op) {
  steps.setLocation(op->getLoc());
  if (auto loads = dyn_cast<bufferization::ToTensorOp>(op))
    return load(loads);
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return readElementwise(generic);
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(op)) {
    if (!isTile(op->getOperand(0)))
      return unknown(op);
    tiles[op->getResult(0)] = tile(op->getOperand(0));
    return success();
  }
  return op->getNumResults() == 1 ? readScalar(op) : unknown(op);
}

LogicalResult PrologueReader::read() {
  linalg::GenericOp product = productOf(fused);
  const auto reads = [&](Operation *op) {
    auto loads = dyn_cast<bufferization::ToTensorOp>(op);
    return loads && numberOf(loads) == prologue.tensor;
  };
  std::optional<TileId> result;
  for (Value input : product.getDpsInputs()) {
    const llvm::SetVector<Operation *> slice = sliceOf(product, input);
    if (llvm::none_of(slice, reads))
      continue;
    for (Operation &op : fused.getBody().front())
      if (slice.contains(&op) && failed(readOp(&op)))
        return failure();
    if (isTile(input))
      result = tile(input);
  }
  if (!result || steps[*result].spread != Spread::Full)
    return unknown(product);
  // The number was widened for the product, and to be computed: casts to a wider type and back change nothing.
  const ElementType type = shape.product.type;
  auto castOf = [&](TileId value) {
    auto made = llvm::find_if(program.steps, [&](const TileStep &step) { return step.result == value; });
    const bool isCast = made != program.steps.end() && made->intrinsic == Intrinsic::vcast &&
                        isFloat(steps[value].type) && isFloat(steps[made->sources.front()].type);
    return isCast ? std::optional(made->sources.front()) : std::nullopt;
  };
  for (std::optional<TileId> from = castOf(*result); from; from = castOf(*result)) {
    if (steps[*from].type != type && elementSize(steps[*from].type) > elementSize(type))
      from = castOf(*from);
    if (!from || steps[*from].type != type)
      break;
    result = from;
  }
  program.stores.emplace_back(steps.cast(*result, type, Rounding::Rint), unsigned(shape.tensors.size() - 1));
  return failure(steps.failed());
}

/// The spread of another input in the rows and columns of an operand; nullopt if it has a dimension that neither is.
static std::optional<Spread> spreadIn(const Prologue &prologue, Spread ofResults) {
  if (ofResults == Spread::One)
    return Spread::One;
  if (ofResults != (prologue.isRight ? Spread::Row : Spread::Column))
    return std::nullopt;
  return prologue.isAlongK ? Spread::Column : Spread::Row;
}

static FailureOr<Prologue> readPrologue(func::FuncOp fused, bool isRight, const KernelShape &shape,
                                        const Target &target, ElementType expansion, OpBuilder &entry,
                                        IRMapping &scalars) {
  const ProductOperands &product = shape.product;
  Prologue prologue;
  prologue.isRight = isRight;
  prologue.tensor = prologue.isRight ? product.right : product.left;
  prologue.isAlongK = prologue.isRight ? product.isRightAlongK : product.isLeftAlongK;
  prologue.shape = shape;
  prologue.shape.isOfOperand = true;
  for (auto [number, tensor] : llvm::enumerate(prologue.shape.tensors))
    // What has another spread is read after the product, if at all.
    tensor.spread = number == prologue.tensor ? Spread::Full : spreadIn(prologue, tensor.spread).value_or(Spread::Full);
  KernelTensor result;
  result.name = "out";
  result.type = product.type;
  result.isOutput = true;
  prologue.shape.tensors.push_back(std::move(result));
  TileProgramBuilder steps(prologue.program, target, entry);
  steps.setExpansion(expansion);
  if (failed(PrologueReader(fused, prologue, steps, entry, scalars).read()))
    return failure();
  prologue.program.dropUnread();
  for (const TileValue &value : prologue.program.values) {
    if (!value.tensor || *value.tensor == prologue.tensor || value.spread == Spread::One)
      continue;
    const Spread own = shape.tensors[*value.tensor].spread;
    const bool isOfRows = !prologue.isRight && value.spread == Spread::Row;
    if (spreadIn(prologue, own) && !isOfRows)
      continue;
    InFlightDiagnostic error = fused.emitError("[place_c3] expects what computes '")
                               << shape.tensors[prologue.tensor].name
                               << "' to read it and elements for each row of a left matrix [M, K] or each column of "
                                  "the right one; '"
                               << shape.tensors[*value.tensor].name << "' has others";
    error.attachNote() << "fix: a left matrix whose rows are those of the result, [M, K]; or 'devices: cpu' for the "
                          "body in the contract";
    return error;
  }
  return std::move(prologue);
}

FailureOr<std::vector<Prologue>> readPrologues(func::FuncOp fused, const KernelShape &shape, const Target &target,
                                               ElementType expansion, OpBuilder &entry, IRMapping &scalars) {
  std::vector<Prologue> prologues;
  if (shape.form != KernelForm::Contraction)
    return prologues;
  for (const bool isRight : {false, true}) {
    if (!(isRight ? shape.product.isRightComputed : shape.product.isLeftComputed))
      continue;
    FailureOr<Prologue> prologue = readPrologue(fused, isRight, shape, target, expansion, entry, scalars);
    if (failed(prologue))
      return failure();
    prologues.push_back(std::move(*prologue));
  }
  return prologues;
}

} // namespace opc::aicore
