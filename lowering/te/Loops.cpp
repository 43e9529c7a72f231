#include "lowering/te/Loops.h"

#include "dialect/te/TeOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace opc::te {

static Dims dimsOf(Attribute attribute) {
  auto array = dyn_cast_or_null<DenseI64ArrayAttr>(attribute);
  return array ? Dims(array.asArrayRef()) : Dims();
}

Dims dimsOfArgument(func::FuncOp kernel, unsigned argument) {
  return dimsOf(kernel.getArgAttr(argument, TeDialect::kDimsAttr));
}

Dims dimsOfResult(func::FuncOp kernel, unsigned result) {
  return dimsOf(kernel.getResultAttr(result, TeDialect::kDimsAttr));
}

Dims loopsOf(ArrayRef<int64_t> dims) {
  Dims loops;
  llvm::copy_if(dims, std::back_inserter(loops), [](int64_t loop) { return loop >= 0; });
  llvm::sort(loops);
  return loops;
}

std::string loopName(func::FuncOp kernel, int64_t loop) {
  StringRef name = kernel ? TeDialect::shapeKeyOf(kernel) : "";
  if (kernel && kernel->hasAttr(TeDialect::kBatchedAttr)) {
    bool isReduced = name == "split_rows" ? loop != 1 : name == "columns" || name == "windows" ? loop != 2 : loop != 0;
    return isReduced ? "the dimensions that are reduced" : "the dimensions that stay";
  }
  if (name.starts_with("rows"))
    return loop == 0 ? "the dimensions before the last" : "the last dimension";
  if (name.starts_with("reduce_"))
    return loop == (name.starts_with("reduce_columns") ? 2 : 1) ? "the axes that stay" : "the reduced axes";
  if (name.starts_with("flat"))
    return "all dimensions";
  return "loop " + std::to_string(loop);
}

namespace {

/// Determines the loops of the values of a body, op by op.
class Propagation {
public:
  explicit Propagation(llvm::DenseMap<Value, Dims> &table) : table(table) {}

  FailureOr<Dims> of(Operation *op) {
    return llvm::TypeSwitch<Operation *, FailureOr<Dims>>(op)
        .Case<BroadcastOp>([&](BroadcastOp broadcast) -> FailureOr<Dims> {
          // The result has the loops of `like`; those of the operand must be the same.
          if (broadcast.getLike())
            return broadcasted(op, op->getOperands());
          return broadcastedToResult(broadcast);
        })
        .Case<IotaOp>([&](IotaOp iota) { return counted(iota); })
        .Case<ScanOp>([&](ScanOp scan) { return scanned(scan); })
        .Case<MatmulOp>([&](MatmulOp product) { return multiplied(product); })
        .Case([&](ReductionOpInterface reduction) -> FailureOr<Dims> { return reduced(reduction); })
        .Default([&](Operation *) { return broadcasted(op, op->getOperands()); });
  }

private:
  FailureOr<Dims> broadcasted(Operation *op, ValueRange operands) {
    Dims result;
    for (Value operand : operands) {
      auto known = table.find(operand);
      if (known == table.end())
        continue;
      ArrayRef<int64_t> dims = known->second;
      if (dims.size() > result.size())
        result.insert(result.begin(), dims.size() - result.size(), -1);
      for (size_t back = 1; back <= dims.size(); ++back) {
        int64_t &loop = result[result.size() - back];
        int64_t other = dims[dims.size() - back];
        if (loop >= 0 && other >= 0 && loop != other)
          return refuse(op, back, loop, other);
        loop = std::max(loop, other);
      }
    }
    return result;
  }

  FailureOr<Dims> counted(IotaOp iota) {
    FailureOr<Dims> dims = iota.getLike() ? table.lookup(iota.getLike()) : ofResult(iota, *iota.getShape());
    if (failed(dims) || (iota.getLoop() && llvm::is_contained(*dims, int64_t(*iota.getLoop()))))
      return dims;
    InFlightDiagnostic error = iota.emitOpError("[iota_c3] expects a shape that has '")
                               << iota.getDim() << "', found one without it";
    error.attachNote() << "fix: name a result as the header does, '!y', or a value that has the dimension";
    return error;
  }

  FailureOr<Dims> scanned(ScanOp scan) {
    Dims dims = table.lookup(scan.getOperand());
    if (!scan.getLoop() || llvm::is_contained(dims, int64_t(*scan.getLoop())))
      return dims;
    InFlightDiagnostic error = scan.emitOpError("[scan_c1] expects a tensor that has '")
                               << scan.getDim() << "', found one without it";
    error.attachNote() << "fix: 'te.broadcast %x to !y' gives it the shape of a result";
    return error;
  }

  /// A shape named by a type has the loops of the results of that shape.
  FailureOr<Dims> ofResult(Operation *op, Type named) {
    auto kernel = op->getParentOfType<func::FuncOp>();
    ArrayRef<int64_t> shape = cast<RankedTensorType>(named).getShape();
    std::optional<Dims> found;
    for (auto [number, type] : llvm::enumerate(kernel.getResultTypes())) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor || tensor.getShape() != shape)
        continue;
      Dims dims = dimsOfResult(kernel, unsigned(number));
      if (found && *found != dims) {
        InFlightDiagnostic error =
            op->emitOpError("[broadcast_c2] expects the shape of one result, found that of several, whose "
                            "dimensions differ");
        error.attachNote() << "fix: name a value of that shape";
        return error;
      }
      found = std::move(dims);
    }
    // Tensors of a nest have a dimension for each of its loops; the result may be one of another nest.
    if (!found && kernel->hasAttr(TeDialect::kNestAttr)) {
      found.emplace();
      for (auto [loop, size] : llvm::enumerate(shape))
        found->push_back(size == 1 ? -1 : int64_t(loop));
    }
    if (!found) {
      InFlightDiagnostic error =
          op->emitOpError("[broadcast_c2] expects the shape of a result of the body, found another");
      error.attachNote() << "fix: name a result as the header does, '!y', or a value of that shape";
      return error;
    }
    return *found;
  }

  FailureOr<Dims> broadcastedToResult(BroadcastOp broadcast) {
    FailureOr<Dims> found = ofResult(broadcast, *broadcast.getShape());
    if (failed(found))
      return failure();
    const Dims own = table.lookup(broadcast.getOperand());
    for (size_t back = 1; back <= own.size(); ++back)
      if (int64_t loop = own[own.size() - back], other = (*found)[found->size() - back]; loop >= 0 && loop != other)
        return refuse(broadcast, back, loop, other);
    return *found;
  }

  static LogicalResult refuse(Operation *op, size_t back, int64_t loop, int64_t other) {
    auto kernel = op->getParentOfType<func::FuncOp>();
    InFlightDiagnostic error =
        op->emitOpError("[bound_c5] expects operands whose dimensions belong together: dimension -")
        << back << " is " << loopName(kernel, loop) << " in one operand and " << loopName(kernel, other)
        << " in another";
    // Numbers beside an operand of a product are rows or columns of the result.
    const bool isOfOperand = llvm::any_of(op->getBlock()->getOps<MatmulOp>(),
                                          [&](MatmulOp product) { return op->isBeforeInBlock(product); });
    if (isOfOperand)
      error.attachNote() << "fix: the computation on the result of the product; or a left matrix [M, K] with elements "
                            "for its rows, a right one [K, N] with elements for its columns";
    else
      error.attachNote() << "fix: a reduction with 'keep' leaves dimensions where they are";
    return error;
  }

  /// The kept loops of the left operand, then those of the right one.
  FailureOr<Dims> multiplied(MatmulOp product) {
    const Dims left = table.lookup(product.getLhs()), right = table.lookup(product.getRhs());
    if (left[product.getLhsSum()] != right[product.getRhsSum()] || left[product.getLhsSum()] < 0)
      return product.emitOpError("[bound_c5] expects axes that are the same loop in both operands, found ")
             << left[product.getLhsSum()] << " and " << right[product.getRhsSum()];
    return Dims{left[product.getLhsKept()], right[product.getRhsKept()]};
  }

  FailureOr<Dims> reduced(ReductionOpInterface reduction) {
    Dims dims = table.lookup(reduction.getOperand());
    SmallVector<int64_t> axes = normalisedAxes(reduction.getAxes(), int64_t(dims.size()));
    for (int64_t axis : llvm::reverse(axes)) {
      if (reduction.getKeep())
        dims[size_t(axis)] = -1;
      else
        dims.erase(dims.begin() + axis);
    }
    return dims;
  }

  llvm::DenseMap<Value, Dims> &table;
};

} // namespace

FailureOr<Loops> Loops::of(func::FuncOp kernel) {
  Loops loops;
  for (BlockArgument argument : kernel.getArguments())
    if (isa<RankedTensorType>(argument.getType()))
      loops.table[argument] = dimsOfArgument(kernel, argument.getArgNumber());
  Propagation propagation(loops.table);
  for (Operation &op : kernel.front().without_terminator()) {
    if (op.getNumResults() != 1 || !isa<RankedTensorType>(op.getResult(0).getType()))
      continue;
    FailureOr<Dims> dims = propagation.of(&op);
    if (failed(dims))
      return failure();
    loops.table[op.getResult(0)] = std::move(*dims);
  }
  return loops;
}

} // namespace opc::te
