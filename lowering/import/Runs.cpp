#include "lowering/import/Runs.h"

#include "dialect/te/TeOps.h"
#include "ops/contract/Places.h"
#include "ops/contract/Shapes.h"
#include "ops/contract/domain/Domain.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;

namespace opc {

/// The dimensions of the loops that the type of a value has.
static llvm::BitVector dimsOfType(Type type, const DomainNest &nest, size_t count) {
  llvm::BitVector dims{unsigned(count)};
  auto tensor = dyn_cast<RankedTensorType>(type);
  for (auto [loop, of] : llvm::enumerate(nest.loops))
    for (unsigned dim : of.dims)
      if (tensor && loop < size_t(tensor.getRank()) && tensor.isDynamicDim(unsigned(loop)))
        dims.set(dim);
  return dims;
}

/// The dimensions of an argument of a body's text.
static llvm::BitVector dimsOfArgument(const Contract &contract, const Domain &domain, size_t number) {
  llvm::BitVector dims{unsigned(domain.dims.size())};
  for (size_t input : inputsOfArgument(contract, number))
    for (size_t dim = 0; dim < domain.dims.size(); ++dim)
      if (domain.has(input, dim))
        dims.set(unsigned(dim));
  return dims;
}

LogicalResult checkRuns(func::FuncOp function, const Contract &contract, const ShapeKey &key) {
  if (key.nest || key.outerRuns < 2)
    return success();
  std::string reason;
  const Domain domain = *domainOf(contract, reason);
  const DomainNest nest = *nestOf(contract, domain, reason);
  const size_t count = domain.dims.size();
  llvm::DenseMap<Value, llvm::BitVector> has;
  for (auto [number, argument] : llvm::enumerate(function.getArguments()))
    has[argument] = dimsOfArgument(contract, domain, number);
  std::string all;
  for (size_t dim = 0; dim < count; ++dim)
    if (domain.reduced[dim])
      all += (all.empty() ? "" : ", ") + printDim(domain.dims[dim]);
  for (Operation &op : function.front().without_terminator()) {
    llvm::BitVector dims{unsigned(count)};
    for (Value operand : op.getOperands())
      dims |= has[operand];
    auto reduction = dyn_cast<te::ReductionOpInterface>(op);
    for (size_t dim = 0; dim < count && reduction; ++dim) {
      if (!domain.reduced[dim])
        continue;
      if (dims.test(unsigned(dim))) {
        dims.reset(unsigned(dim));
        continue;
      }
      InFlightDiagnostic error = op.emitOpError("[axes_c3] expects an operand that has all of [")
                                 << all << "], found one without '" << printDim(domain.dims[dim]) << "'";
      error.attachNote() << "fix: combine it with an input that has these dimensions first";
      return error;
    }
    for (Value result : op.getResults())
      has[result] = isa<te::IotaOp, te::BroadcastOp>(op) ? dimsOfType(result.getType(), nest, count) : dims;
  }
  return success();
}

} // namespace opc
