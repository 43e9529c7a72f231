#include "lowering/import/Counts.h"

#include "dialect/te/TeOps.h"
#include "runtime/diagnostic/Diagnostic.h"

using namespace mlir;

namespace opc {

using te::IotaOp;

/// The loop of (m, n) that is a dimension by itself; nullopt if none is.
static std::optional<int64_t> loopNamed(const Contract &contract, StringRef name) {
  std::string reason;
  std::optional<Domain> domain = domainOf(contract, reason);
  std::optional<DomainNest> nest = domain ? nestOf(contract, *domain, reason) : std::nullopt;
  for (size_t back = 1; nest && back <= std::min<size_t>(nest->loops.size(), 2); ++back) {
    const std::vector<unsigned> &dims = nest->loops[nest->loops.size() - back].dims;
    if (dims.size() == 1 && domain->counted[dims.front()] && domain->dims[dims.front()].name == name)
      return int64_t(2 - back);
  }
  return std::nullopt;
}

LogicalResult nameCountedLoops(func::FuncOp function, const Contract &contract, const ShapeKey &key) {
  for (Operation &op : function.front()) {
    auto iota = dyn_cast<IotaOp>(op);
    if (!iota)
      continue;
    std::optional<int64_t> loop =
        key.kind == ShapeKey::Counted ? loopNamed(contract, iota.getDim()) : std::optional<int64_t>();
    if (!loop) {
      std::vector<std::string> known;
      for (size_t i = 0; i < contract.inputs.size() + contract.outputs.size(); ++i)
        for (const ContractDim &dim : contract.tensorAt(i).shape)
          for (const ContractDim &own : dim.factors.empty() ? std::vector<ContractDim>{dim} : dim.factors)
            if (own.kind == ContractDim::Symbol)
              known.push_back(own.name);
      InFlightDiagnostic error =
          iota.emitOpError("[iota_c2] expects a dimension of the contract that has a name and is "
                           "no pack, found '")
          << iota.getDim() << "'";
      std::string nearest = nearestName(iota.getDim().str(), known);
      error.attachNote() << "fix: "
                         << (nearest.empty() ? "a name in the shape of a result, as N in [...S, N]"
                                             : "did you mean '" + nearest + "'?");
      return error;
    }
    iota.setLoop(*loop);
  }
  return success();
}

} // namespace opc
