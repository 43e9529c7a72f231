// Sizes of a launch as values of a tiling function: of dimensions, symbols and equations, and over a domain the
// products and distances in memory that kernels know. Each size of a tensor that is asked for becomes an argument of
// the function, or a constant where the shapes are known.

#ifndef OPC_LOWERING_SCHEDULE_SIZEVALUES_H
#define OPC_LOWERING_SCHEDULE_SIZEVALUES_H

#include "dialect/aicore/AICoreOps.h"
#include "lowering/schedule/TilingFunction.h"
#include "ops/contract/domain/Contraction.h"
#include "ops/contract/domain/Ranges.h"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace opc {

class SizeValues {
protected:
  using SizeKind = aicore::SizeKind;
  using Value = mlir::Value;

  SizeValues(mlir::func::FuncOp function, const Contract &contract, const StaticShapes &shapes)
      : function(function), builder(function.getBody()), math(builder, function.getLoc()), contract(contract),
        shapes(shapes) {}

  Value input(SizeKind kind, int64_t dim = 0, llvm::StringRef tensor = {});
  Value dimOf(const ContractTensor &tensor, unsigned fromLast);
  /// The size of a symbol or a product: that of a dimension of some tensor, else what its equation gives.
  Value sizeNamed(const std::string &name);
  /// The sizes of a dimension of a domain: one, or those of a pack, innermost first.
  mlir::SmallVector<Value> sizesOfDim(const Domain &domain, unsigned dim);
  Value productOf(const Domain &domain, llvm::ArrayRef<unsigned> dims);
  /// Where a part or a range starts in its tensor, in elements.
  Value startOf(const Domain &domain, const DomainOperand &part);
  /// The distance in elements between trips of a loop in a tensor: the elements in its dimensions inside of the loop's.
  Value strideOf(const Domain &domain, size_t tensor, const DomainLoop &loop);
  /// The elements of a tensor in its dimensions from a place on; in the place of a range memory has its whole sum.
  Value elementsFrom(const Domain &domain, size_t tensor, size_t place);

  mlir::func::FuncOp function;
  mlir::OpBuilder builder;
  TilingMath math;
  const Contract &contract;
  const Contract *of = &contract; ///< the contract, or that of the nest that is being built

private:
  std::optional<int64_t> knownSize(SizeKind kind, int64_t dim, llvm::StringRef tensor) const;
  Value sizeAt(const ContractTensor &tensor, unsigned place);
  Value valueOf(const SizeExpression &size);
  const ContractTensor &withPack(const Domain &domain, const ContractDim &pack) const;
  Value strideOfWindowed(const Domain &domain, const DomainLoop &loop);
  Value sizeOfTerm(const ContractDim &term);

  const StaticShapes &shapes;
  std::map<std::tuple<SizeKind, int64_t, std::string>, Value> inputs;
  const std::vector<SizeEquation> equations = equationsOf(contract);
  std::map<std::string, Value> sizesOfNames; ///< of symbols and products
};

} // namespace opc

#endif // OPC_LOWERING_SCHEDULE_SIZEVALUES_H
