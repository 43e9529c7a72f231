// The invariant of phase `bound`: see Passes.td. Ops verify their own rules; this file has the rules for a whole body.

#include "lowering/te/VerifyBound.h"

#include "lowering/te/Loops.h"
#include "lowering/te/Passes.h"
#include "lowering/te/Precision.h"

#include "dialect/te/TeOps.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace opc::te {
#define GEN_PASS_DEF_VERIFYBOUNDPASS
#include "lowering/te/Passes.h.inc"

static constexpr int64_t kMaxLoops = 3;

/// bound_c3, bound_c4 and bound_c7 for one tensor.
static LogicalResult verifyTensor(func::FuncOp kernel, Type type, Attribute name, Attribute dims, StringRef what,
                                  unsigned number) {
  auto report = [&](StringRef label) {
    return kernel.emitOpError("[") << label << "] expects " << what << " " << number << " ";
  };
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !isValueType(type))
    return report("bound_c3") << "to be a ranked tensor of numbers, found " << type;
  auto loops = dyn_cast_or_null<DenseI64ArrayAttr>(dims);
  if (!name || !loops)
    return report("bound_c3") << "to have 'te.name' and 'te.dims'";
  if (int64_t(loops.size()) != tensor.getRank())
    return report("bound_c4") << "to have an entry in 'te.dims' for each of its " << tensor.getRank()
                              << " dimensions, found " << loops.size();
  llvm::SmallDenseSet<int64_t> seen;
  for (auto [loop, size] : llvm::zip(loops.asArrayRef(), tensor.getShape())) {
    if (loop >= kMaxLoops || (loop >= 0 && !seen.insert(loop).second))
      return report("bound_c7") << "to run over loops 0 to " << kMaxLoops - 1 << ", each once, found loop " << loop;
    if (loop < -1 || (loop < 0 ? size != 1 : !ShapedType::isDynamic(size)))
      return report("bound_c4") << "to have size ? where 'te.dims' names a loop and 1 where it says -1, found " << type
                                << " and " << dims;
  }
  return success();
}

static LogicalResult verifySignature(func::FuncOp kernel) {
  bool seenScalar = false;
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    unsigned argument = unsigned(index);
    Attribute name = kernel.getArgAttr(argument, TeDialect::kNameAttr);
    if (isNumberType(type)) {
      if (!name)
        return kernel.emitOpError("[bound_c3] expects argument ") << argument << " to have 'te.name'";
      seenScalar = true;
      continue;
    }
    if (seenScalar)
      return kernel.emitOpError("[bound_c3] expects tensors before scalars; argument ")
             << argument << " comes after one";
    if (failed(
            verifyTensor(kernel, type, name, kernel.getArgAttr(argument, TeDialect::kDimsAttr), "argument", argument)))
      return failure();
  }
  for (auto [index, type] : llvm::enumerate(kernel.getResultTypes())) {
    unsigned result = unsigned(index);
    if (failed(verifyTensor(kernel, type, kernel.getResultAttr(result, TeDialect::kNameAttr),
                            kernel.getResultAttr(result, TeDialect::kDimsAttr), "result", result)))
      return failure();
  }
  return success();
}

static LogicalResult verifyResults(func::FuncOp kernel, const Loops &loops) {
  Operation *end = kernel.front().getTerminator();
  for (auto [index, value] : llvm::enumerate(end->getOperands())) {
    Dims expected = dimsOfResult(kernel, unsigned(index));
    ArrayRef<int64_t> found = loops.dims(value);
    if (found == ArrayRef<int64_t>(expected))
      continue;
    auto name = kernel.getResultAttrOfType<StringAttr>(unsigned(index), TeDialect::kNameAttr);
    auto text = [&](ArrayRef<int64_t> dims) {
      std::string result = "(";
      for (auto [place, loop] : llvm::enumerate(dims))
        result += (place ? ", " : "") + (loop < 0 ? "1" : loopName(kernel, loop));
      return result + ")";
    };
    InFlightDiagnostic error = end->emitOpError("[bound_c6] expects output ")
                               << name << " to run over " << text(expected) << ", found a value that runs over "
                               << text(found);
    error.attachNote() << "fix: 'te.broadcast' stretches a value to the shape of another; a reduction "
                          "with 'keep' leaves dimensions where they are";
    return error;
  }
  return success();
}

static InFlightDiagnostic refuseReduction(Operation *op) {
  InFlightDiagnostic error = op->emitOpError("[bound_c8] ");
  error.attachNote() << "fix: shapes [...S, N] let a body reduce N; 'reduces' of an output, with an "
                        "attribute of axes, lets it reduce '#axes'";
  return error;
}

/// bound_c8 for one reduction.
static LogicalResult verifyReduction(Operation *op, ArrayRef<int64_t> axes, ArrayRef<int64_t> dims,
                                     ArrayRef<int64_t> reducible) {
  auto rank = int64_t(dims.size());
  for (int64_t axis : axes) {
    int64_t loop = dims[size_t(axis < 0 ? axis + rank : axis)];
    if (loop < 0 || llvm::is_contained(reducible, loop))
      continue;
    if (reducible.empty())
      return refuseReduction(op) << "expects no reduction, as the contract's shapes have no dimension "
                                    "of its own to reduce: the last one is where shapes say "
                                    "[...S, N], others are where an output says 'reduces'";
    std::string allowed;
    for (auto [place, of] : llvm::enumerate(dims))
      if (llvm::is_contained(reducible, of))
        allowed += (allowed.empty() ? "" : ", ") + std::to_string(int64_t(place) - rank);
    return refuseReduction(op) << "expects axes that the contract's shapes let a body reduce, "
                               << (allowed.empty() ? "of which this operand has none" : "here [" + allowed + "]")
                               << ", found " << axis << ": the dimensions before the last are one loop in a kernel";
  }
  return success();
}

static LogicalResult verifyReductions(func::FuncOp kernel, const Loops &loops) {
  auto reducible = kernel->getAttrOfType<DenseI64ArrayAttr>(TeDialect::kReducibleAttr);
  if (!reducible)
    return success();
  for (Operation &op : kernel.front().without_terminator()) {
    auto reduction = dyn_cast<ReductionOpInterface>(op);
    if (reduction &&
        failed(verifyReduction(&op, reduction.getAxes(), loops.dims(reduction.getOperand()), reducible.asArrayRef())))
      return failure();
  }
  return success();
}

/// constant_c1 for floats that are combined with tensors: they are rounded to the type in which the row computes.
static LogicalResult verifyConstants(func::FuncOp kernel) {
  const Precision precision(kernel);
  for (Operation &op : kernel.front().without_terminator()) {
    if (isa<CastOp, BroadcastOp>(op))
      continue;
    ValueRange operands = op.getOperands();
    if (isa<SelectOp>(op))
      operands = operands.drop_front();
    for (Value operand : operands) {
      auto constant = operand.getDefiningOp<ConstantOp>();
      if (!constant || !isa<FloatType>(constant.getType()))
        continue;
      std::string wrong = wrongConstant(constant.getValue(), precision.computed(commonElement(operands)));
      if (!wrong.empty())
        return op.emitOpError("[constant_c1] ")
               << wrong << ", in which this row computes: 'compute: float32' in the contract's "
               << "precision holds more";
    }
  }
  return success();
}

/// bound_c9. Kernels of the keys reduce_* make a single pass over their input, with an accumulator for each reduction.
/// A reduction that depends on another one would need a second pass.
static LogicalResult verifyOnePass(func::FuncOp kernel) {
  if (!TeDialect::shapeKeyOf(kernel).starts_with("reduce_"))
    return success();
  llvm::DenseMap<Value, Operation *> reducedBy;
  for (Operation &op : kernel.front().without_terminator()) {
    Operation *first = nullptr;
    for (Value operand : op.getOperands())
      first = first ? first : reducedBy.lookup(operand);
    auto reduction = dyn_cast<ReductionOpInterface>(op);
    if (reduction && first && !op.use_empty()) {
      InFlightDiagnostic error =
          op.emitOpError("[bound_c9] expects reductions that do not depend on each other in an operator whose output "
                         "says 'reduces'");
      error.attachNote(first->getLoc()) << "'" << first->getName() << "' is the first one";
      error.attachNote() << "fix: an operator for each reduction, or one on rows: shapes [...S, N] may be reduced any "
                            "number of times; a variance is the mean of the squares less the square of the mean";
      return error;
    }
    if (reduction || first)
      reducedBy[op.getResult(0)] = first ? first : &op;
  }
  return success();
}

/// matmul_c3 for an operand of a product: an input, or elementwise operations on one, which panels compute while they
/// are made.
static LogicalResult verifyOperand(func::FuncOp kernel, MatmulOp product, Value operand, const Loops &loops) {
  auto refuse = [&](const Twine &what) {
    InFlightDiagnostic error = product.emitOpError("[matmul_c3] expects ") << what;
    return error;
  };
  if (auto argument = dyn_cast<BlockArgument>(operand)) {
    if (isa<FloatType>(elementOf(argument.getType())) ||
        !kernel.getArgAttr(argument.getArgNumber(), TeDialect::kWindowAttr))
      return success();
    InFlightDiagnostic error = refuse("windows of f16, bf16 or f32 in a product, found ")
                               << elementOf(argument.getType());
    error.attachNote() << "fix: windows of float16; products of int8 are those of matrices";
    return error;
  }
  if (!isa<FloatType>(elementOf(operand.getType()))) {
    InFlightDiagnostic error = refuse("a computed operand of f16, bf16 or f32, found ") << elementOf(operand.getType());
    error.attachNote() << "fix: an operator of its own for what comes before the product, or 'te.cast' to float32";
    return error;
  }
  const int64_t sum =
      operand == product.getLhs() ? loops.dims(operand)[product.getLhsSum()] : loops.dims(operand)[product.getRhsSum()];
  unsigned inputs = 0;
  llvm::SmallSetVector<Value, 8> values;
  values.insert(operand);
  for (size_t i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    auto argument = dyn_cast<BlockArgument>(values[i]);
    const bool isWindow = argument && kernel.getArgAttr(argument.getArgNumber(), TeDialect::kWindowAttr);
    if (isWindow || (op && !op->hasTrait<Elementwise>() && !isa<ConstantOp>(op))) {
      InFlightDiagnostic error =
          refuse(isWindow ? "windows as they are, found windows that the body computes with"
                          : "an operand that is an input, or computed from one element by element; found a value of '" +
                                op->getName().getStringRef() + "'");
      error.attachNote() << "fix: an operator of its own for what comes before the product";
      return error;
    }
    if (op)
      values.insert(op->operand_begin(), op->operand_end());
    else if (isa<RankedTensorType>(values[i].getType()))
      inputs += llvm::is_contained(loops.dims(values[i]), sum);
  }
  if (inputs == 1)
    return success();
  InFlightDiagnostic error = refuse("an operand that is computed from one input with the summed dimension, found ")
                             << inputs;
  error.attachNote() << "fix: an operator of its own for what comes before the product";
  return error;
}

/// matmul_c3 for a reduction: of a whole row of results, after the product.
static LogicalResult verifyRows(Operation &op, Operation *product, const Loops &loops) {
  const Dims whole = {0, 1}, kept = {0};
  if (product && Dims(loops.dims(op.getOperand(0))) == whole && loopsOf(loops.dims(op.getResult(0))) == kept)
    return success();
  InFlightDiagnostic error = op.emitOpError("[matmul_c3] expects a reduction beside a matrix product to be over whole "
                                            "rows of its results, after it");
  error.attachNote() << "fix: an operator of its own for the reduction";
  return error;
}

/// matmul_c3. A kernel has one matrix product, and moves panels of its operands.
static LogicalResult verifyProducts(func::FuncOp kernel, const Loops &loops) {
  Operation *first = nullptr;
  const bool multiplies = !kernel.front().getOps<MatmulOp>().empty();
  for (Operation &op : kernel.front().without_terminator()) {
    auto product = dyn_cast<MatmulOp>(op);
    if (!product && multiplies && isa<ReductionOpInterface>(op) && failed(verifyRows(op, first, loops)))
      return failure();
    if (!product)
      continue;
    if (first) {
      InFlightDiagnostic error = op.emitOpError("[matmul_c3] expects one matrix product in a body");
      error.attachNote(first->getLoc()) << "'" << first->getName() << "' is the first one";
      error.attachNote() << "fix: an operator of its own for each product";
      return error;
    }
    first = &op;
    for (Value operand : op.getOperands())
      if (failed(verifyOperand(kernel, product, operand, loops)))
        return failure();
  }
  return success();
}

/// window_c3. A kernel passes over windows once, for all reductions of them.
static LogicalResult verifyWindows(func::FuncOp kernel) {
  if (TeDialect::shapeKeyOf(kernel) != "windows")
    return success();
  llvm::DenseSet<Value> reduced;
  for (Operation &op : kernel.front().without_terminator()) {
    bool dependsOnOne = llvm::any_of(op.getOperands(), [&](Value value) { return reduced.contains(value); });
    if (isa<ReductionOpInterface>(op) && dependsOnOne) {
      InFlightDiagnostic error =
          op.emitOpError("[window_c3] expects a reduction of windows that does not depend on another one");
      error.attachNote() << "fix: two operators: one for what is reduced first";
      return error;
    }
    if (isa<ReductionOpInterface>(op) || dependsOnOne)
      reduced.insert(op.getResult(0));
  }
  return success();
}

/// arg_c1. Positions are along one loop: the importer has checked that no loop around it is reduced.
static LogicalResult verifyPositions(func::FuncOp kernel) {
  const StringRef key = TeDialect::shapeKeyOf(kernel);
  if (key.empty() || key.starts_with("rows") || key == "columns" || key.starts_with("contraction"))
    return success();
  for (Operation &op : kernel.front().without_terminator()) {
    if (!isa<ArgMaxOp, ArgMinOp>(op))
      continue;
    InFlightDiagnostic error =
        op.emitOpError("[arg_c1] expects axes that follow each other and are known when compiling");
    error.attachNote() << "fix: dimensions with names, as in [N, C, ...S], and axes [C]";
    return error;
  }
  return success();
}

/// bound_c10: attributes in braces after an operation have no effect. The importer adds te.unrounded, and refuses it in
/// a body.
static LogicalResult verifyNoAttributes(Operation *op) {
  auto isOfImporter = [](NamedAttribute attribute) { return attribute.getName() == TeDialect::kUnroundedAttr; };
  if (llvm::all_of(op->getDiscardableAttrs(), isOfImporter))
    return success();
  InFlightDiagnostic error = op->emitOpError("[bound_c10] expects no attributes in braces, found '")
                             << op->getDiscardableAttrs().begin()->getName() << "'";
  error.attachNote() << "fix: leave the braces out";
  return error;
}

LogicalResult verifyBound(func::FuncOp kernel) {
  if (!kernel.getBody().hasOneBlock() || !isa<func::ReturnOp>(kernel.front().getTerminator()))
    return kernel.emitOpError("[bound_c1] expects a body of one block that ends in 'return'");
  for (Operation &op : kernel.front().without_terminator()) {
    if (!isa_and_nonnull<TeDialect>(op.getDialect())) {
      InFlightDiagnostic error =
          op.emitOpError("[bound_c2] is no operation of te: a body says what is computed by ops of te alone");
      error.attachNote() << "fix: docs/reference/te.md lists the operations of te";
      return error;
    }
    auto gather = dyn_cast<GatherOp>(op);
    auto table = gather ? dyn_cast<BlockArgument>(gather.getOperand()) : BlockArgument();
    const bool isLookup = table && kernel.getArgAttrOfType<ArrayAttr>(table.getArgNumber(), TeDialect::kPlacesAttr);
    if (isa<FoldOp>(op) || llvm::any_of(op.getResultTypes(), isOfEach))
      return op.emitOpError("[bound_c2] expects each tensor of an input with a count to be an argument, which the "
                            "importer makes of it");
    if (isa<SliceOp, StackOp, ConcatOp, WindowOp, ScatterOp>(op) || (gather && !isLookup))
      return op.emitOpError(
          "[bound_c2] expects parts, windows, gathered and scattered tensors to be arguments and results, which the "
          "importer makes of them");
    if (failed(verifyNoAttributes(&op)))
      return failure();
  }
  if (failed(verifySignature(kernel)))
    return failure();
  FailureOr<Loops> loops = Loops::of(kernel);
  if (failed(verifyConstants(kernel)) || failed(loops) || failed(verifyReductions(kernel, *loops)) ||
      failed(verifyPositions(kernel)) || failed(verifyWindows(kernel)) || failed(verifyProducts(kernel, *loops)) ||
      failed(verifyOnePass(kernel)))
    return failure();
  return verifyResults(kernel, *loops);
}

namespace {
struct VerifyBoundPass : impl::VerifyBoundPassBase<VerifyBoundPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      auto phase = function->getAttrOfType<PhaseAttr>(TeDialect::kPhaseAttr);
      if (phase && phase.getValue() == Phase::Bound && failed(verifyBound(function)))
        return signalPassFailure();
    }
  }
};
} // namespace

} // namespace opc::te
