#include "lowering/import/Counts.h"

#include "dialect/te/TeOps.h"
#include "runtime/diagnostic/Diagnostic.h"

using namespace mlir;

namespace opc {

using te::IotaOp;
using te::ScanOp;

/// Scans of a body: each has running values on the stack of a thread, or in the unified buffer.
static constexpr unsigned kMostScans = 8;

/// The loop of a kernel's inner two that is a dimension by itself; nullopt if none is.
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

/// Whether kernels of a key count along their inner two loops.
static bool counts(ShapeKey::Kind kind) {
  return kind == ShapeKey::Counted || kind == ShapeKey::Lookup || kind == ShapeKey::Rows ||
         kind == ShapeKey::SplitRows || kind == ShapeKey::Columns;
}

/// arg_c1. The result of te.arg_max and te.arg_min is a position along one loop.
static LogicalResult checkPosition(Operation &op, const Contract &contract, const ShapeKey &key) {
  if (key.kind == ShapeKey::Rows)
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

LogicalResult nameLoops(func::FuncOp function, const Contract &contract, const ShapeKey &key) {
  SmallVector<ScanOp> scans;
  for (Operation &op : function.front()) {
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
  return success();
}

} // namespace opc
