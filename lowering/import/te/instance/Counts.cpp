#include "lowering/import/te/instance/Counts.h"

#include "dialect/te/TeOps.h"
#include "lowering/import/Bind.h"
#include "runtime/diagnostic/Diagnostic.h"

using namespace mlir;

namespace opc {

using te::IotaOp;
using te::ScanOp;
using te::SortOp;

/// Maximum number of scans of a body: each has running values on the stack of a thread, or in the unified buffer.
static constexpr unsigned kMostScans = 8;

/// The one of a kernel's inner two loops that is exactly this dimension; nullopt if none is.
static std::optional<int64_t> loopNamed(const Contract &contract, const ShapeKey &key, StringRef name) {
  std::string reason;
  std::optional<Domain> domain = domainOf(contract, reason);
  std::optional<DomainNest> nest = domain ? nestOf(contract, *domain, reason) : std::nullopt;
  for (size_t back = 1; nest && back <= std::min<size_t>(nest->loops.size(), 2); ++back) {
    const std::vector<unsigned> &dims = nest->loops[nest->loops.size() - back].dims;
    if (dims.size() == 1 && (domain->counted[dims.front()] || domain->scanned[dims.front()]) &&
        domain->dims[dims.front()].name == name)
      return int64_t(key.loops - back);
  }
  return std::nullopt;
}

/// Whether kernels of a key support positions along their inner two loops.
static bool counts(ShapeKey::Kind kind) {
  return kind == ShapeKey::Counted || kind == ShapeKey::Lookup || kind == ShapeKey::Rows ||
         kind == ShapeKey::SplitRows || kind == ShapeKey::Columns;
}

/// arg_c1. The result of te.arg_max and te.arg_min is a position along one loop.
static LogicalResult checkPosition(Operation &op, const Contract &contract, const ShapeKey &key) {
  if (key.kind == ShapeKey::Rows || (key.kind == ShapeKey::Contraction && key.reduced[1]))
    return success();
  std::string reason;
  std::optional<Domain> domain = key.kind == ShapeKey::Columns ? domainOf(contract, reason) : std::nullopt;
  std::optional<DomainNest> nest = domain ? nestOf(contract, *domain, reason) : std::nullopt;
  if (nest && nest->loops.front().dims.empty())
    return success();
  InFlightDiagnostic error =
      op.emitOpError("[arg_c1] expects axes that follow each other and are known when compiling");
  error.attachNote() << "fix: dimensions with names, as in [N, C, ...S], and axes [C]";
  return error;
}

/// Names the loop of an operation along a dimension. `hasKernels`: kernels of the key have it.
template <typename Op>
static LogicalResult nameLoop(Op op, StringRef label, const Contract &contract, const ShapeKey &key, bool hasKernels) {
  std::optional<int64_t> loop = hasKernels ? loopNamed(contract, key, op.getDim()) : std::optional<int64_t>();
  if (loop) {
    op.setLoop(*loop);
    return success();
  }
  std::vector<std::string> known;
  for (size_t i = 0; i < contract.inputs.size() + contract.outputs.size(); ++i)
    for (const ContractDim &dim : contract.tensorAt(i).shape)
      for (const ContractDim &own : dim.factors.empty() ? std::vector<ContractDim>{dim} : dim.factors)
        if (own.kind == ContractDim::Symbol)
          known.push_back(own.name);
  if (llvm::is_contained(known, op.getDim())) {
    InFlightDiagnostic error = op.emitOpError("[") << label << "] expects a loop of its nest, found '" << op.getDim()
                                                   << "', along which kernels have none beside what stands there";
    error.attachNote() << "fix: an operator of its own for this op; docs/reference/te.md says what stands beside it";
    return error;
  }
  InFlightDiagnostic error = op.emitOpError("[") << label
                                                 << "] expects a dimension of the contract that has a name and is "
                                                    "no pack, found '"
                                                 << op.getDim() << "'";
  std::string nearest = nearestName(op.getDim().str(), known);
  error.attachNote() << "fix: "
                     << (nearest.empty() ? "a name in the shape of a result, as N in [...S, N]"
                                         : "did you mean '" + nearest + "'?");
  return error;
}

static bool hasDimension(const ContractTensor &tensor, StringRef name) {
  return llvm::any_of(tensor.shape,
                      [&](const ContractDim &dim) { return dim.kind == ContractDim::Symbol && dim.name == name; });
}

/// The names of the dimensions of the contract that are not packs.
static std::vector<std::string> dimensionsOf(const std::vector<ContractTensor> &tensors) {
  std::vector<std::string> names;
  for (const ContractTensor &tensor : tensors)
    for (const ContractDim &dim : tensor.shape)
      if (dim.kind == ContractDim::Symbol)
        names.push_back(dim.name);
  return names;
}

static LogicalResult withFix(InFlightDiagnostic error, const Twine &fix) {
  error.attachNote() << "fix: " << fix;
  return failure();
}

/// Whether a dimension is at most another one by the contract's equations.
static bool isAtMost(const Contract &contract, StringRef dim, StringRef most) {
  int64_t least = 0;
  const SizeExpression *size = nullptr;
  for (const ContractDimension &dimension : contract.dimensions) {
    if (!dimension.isPack && dimension.name == most)
      least = dimension.minimum;
    if (!dimension.isPack && dimension.name == dim && dimension.equals)
      size = &*dimension.equals;
  }
  auto isMost = [&](const SizeExpression &of) { return of.op == SizeExpression::Symbol && of.symbol == most; };
  if (!size)
    return false;
  return isMost(*size) || (size->op == SizeExpression::Const && size->value <= least) ||
         (size->op == SizeExpression::Min && llvm::any_of(size->operands, isMost));
}

static LogicalResult checkSort(SortOp sort, const Contract &contract, const ShapeKey &key) {
  const ContractTensor *input = inputOf(contract, sort.getOperand());
  auto known = [&](StringRef name, const std::vector<ContractTensor> &tensors) {
    return llvm::any_of(tensors, [&](const ContractTensor &tensor) { return hasDimension(tensor, name); });
  };
  auto nearest = [](StringRef name, const std::vector<ContractTensor> &tensors, const Twine &otherwise) {
    std::string found = nearestName(name.str(), dimensionsOf(tensors));
    return found.empty() ? otherwise.str() : "did you mean '" + found + "'?";
  };
  if (!known(sort.getDim(), contract.inputs))
    return withFix(sort.emitOpError("[sort_c2] expects a dimension of an input that has a name and is no pack, found '")
                       << sort.getDim() << "'",
                   nearest(sort.getDim(), contract.inputs, "a name in the shape of the input, as N in [...S, N]"));
  if (!known(sort.getTo(), contract.outputs) || sort.getTo() == sort.getDim())
    return withFix(
        sort.emitOpError("[sort_c2] expects a dimension of results that they have in the place of '")
            << sort.getDim() << "', found '" << sort.getTo() << "'",
        sort.getTo() == sort.getDim()
            ? "another name, K, whose size is the same: 'equals: " + sort.getDim() + "' below 'dimensions'"
            : Twine(nearest(sort.getTo(), contract.outputs, "a name in the shape of a result, as K in [...S, K]")));
  if (!isAtMost(contract, sort.getTo(), sort.getDim()))
    return withFix(sort.emitOpError("[sort_c2] expects a size of '")
                       << sort.getTo() << "' that is at most that of '" << sort.getDim()
                       << "', by what the contract says of it",
                   "'equals: {min: [k, " + sort.getDim() + "]}' below '" + sort.getTo() +
                       "' in the contract, or 'equals: " + sort.getDim() + "'");
  if (!input || !hasDimension(*input, sort.getDim()))
    return withFix(sort.emitOpError("[sort_c2] expects a value that has '") << sort.getDim() << "'",
                   "sort a value that has it");
  if (key.kind != ShapeKey::Sorted)
    return sort.emitOpError("[sort_c2] expects a body without another op that takes tensors apart");
  return success();
}

static LogicalResult nameSorts(func::FuncOp function, const Contract &contract, const ShapeKey &key) {
  SortOp first;
  for (SortOp sort : function.front().getOps<SortOp>()) {
    if (failed(checkSort(sort, contract, key)))
      return failure();
    first = first ? first : sort;
    if (sort.getOperand() != first.getOperand() || sort.getDim() != first.getDim() || sort.getTo() != first.getTo() ||
        sort.getDescending() != first.getDescending())
      return withFix(sort.emitOpError("[sort_c3] expects sorts of one input, along one dimension and in one direction, "
                                      "found another than the one before it"),
                     "an operator for each");
    sort.setLoop(int64_t(key.scanned));
  }
  if (!first)
    return success();
  for (Operation *user : first.getOperand().getUsers())
    if (!isa<SortOp>(user)) {
      const std::string name = inputOf(contract, first.getOperand())->name;
      return withFix(user->emitOpError("[sort_c3] expects '") << name << "', whose lines are sorted, in te.sort alone",
                     "compute with the sorted elements");
    }
  return success();
}

/// The words of payloads, where loops have numbers and types no signs.
template <typename Op> static LogicalResult checkWords(Op op, StringRef label) {
  bool isUnsigned = false;
  if constexpr (!std::is_same_v<Op, IotaOp>)
    isUnsigned = op.getIsUnsigned();
  if (!isUnsigned && !op.getLoop())
    return success();
  const StringRef word = isUnsigned ? "unsigned" : "loop";
  return withFix(op.emitOpError("[") << label << "] expects the words of bodies, found '" << word
                                     << "', which kernels have",
                 isUnsigned ? "leave 'unsigned' out: the types of the contract say it, as uint32 does"
                            : "leave 'loop' out: the dimension after 'along' says it");
}

LogicalResult nameLoops(func::FuncOp function, const Contract &contract, const ShapeKey &key) {
  SmallVector<ScanOp> scans;
  for (Operation &op : function.front()) {
    if (auto iota = dyn_cast<IotaOp>(op); iota && failed(checkWords(iota, "iota_c2")))
      return failure();
    if (auto scan = dyn_cast<ScanOp>(op); scan && failed(checkWords(scan, "scan_c2")))
      return failure();
    if (auto sort = dyn_cast<SortOp>(op); sort && failed(checkWords(sort, "sort_c2")))
      return failure();
    if (auto iota = dyn_cast<IotaOp>(op); iota && failed(nameLoop(iota, "iota_c2", contract, key, counts(key.kind))))
      return failure();
    if (isa<te::ArgMaxOp, te::ArgMinOp>(op) && failed(checkPosition(op, contract, key)))
      return failure();
    auto scan = dyn_cast<ScanOp>(op);
    if (!scan)
      continue;
    if (failed(nameLoop(scan, "scan_c2", contract, key, key.kind == ShapeKey::Scanned)))
      return failure();
    scans.push_back(scan);
    if (scan.getReverse() != scans.front().getReverse()) {
      InFlightDiagnostic error = scan.emitOpError("[scan_c3] expects scans of one direction, found one from the first "
                                                  "element on and one from the last");
      error.attachNote() << "fix: an operator for each direction";
      return error;
    }
    if (scans.size() > kMostScans) {
      InFlightDiagnostic error = scan.emitOpError("[scan_c3] expects at most ") << kMostScans << " scans, found more";
      error.attachNote() << "fix: two operators";
      return error;
    }
  }
  return nameSorts(function, contract, key);
}

} // namespace opc
