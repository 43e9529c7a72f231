// Sizes of a launch as values of a tiling function: sizes of dimensions, symbols and equations, and for a domain the
// products and strides that kernels use. Each requested size of a tensor becomes an argument of the function, or a
// constant if the shapes are known.

#ifndef OPC_LOWERING_SCHEDULE_TILING_SIZEVALUES_H
#define OPC_LOWERING_SCHEDULE_TILING_SIZEVALUES_H

#include "dialect/aicore/AICoreOps.h"
#include "lowering/schedule/tiling/TilingFunction.h"
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
  /// The size of a symbol or a product: that of a dimension of some tensor, else the value of its equation.
  Value sizeNamed(const std::string &name);
  /// The sizes of a dimension of a domain: one, or those of a pack, innermost first.
  mlir::SmallVector<Value> sizesOfDim(const Domain &domain, unsigned dim);
  Value productOf(const Domain &domain, llvm::ArrayRef<unsigned> dims);
  /// The offset of a part or a range in its tensor, in elements.
  Value startOf(const Domain &domain, const DomainOperand &part);
  /// The stride of a loop in a tensor, in elements: the product of the sizes of its dimensions inside of the loop's.
  Value strideOf(const Domain &domain, size_t tensor, const DomainLoop &loop);
  /// The product of the sizes of a tensor's dimensions from an index on; a range counts with its whole sum, which is
  /// in memory.
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

#endif // OPC_LOWERING_SCHEDULE_TILING_SIZEVALUES_H
