// Offsets as sums of products of kernel values, such as `32768 + slot * 16384`, before they are printed.

#ifndef OPC_LOWERING_EMIT_ASCENDC_POLYNOMIAL_H
#define OPC_LOWERING_EMIT_ASCENDC_POLYNOMIAL_H

#include "mlir/IR/OpDefinition.h"

namespace opc {

struct Polynomial {
  struct Term {
    int64_t factor;
    llvm::SmallVector<mlir::Value, 2> values;
  };
  int64_t constant = 0;
  llvm::SmallVector<Term, 2> terms;

  static Polynomial of(int64_t constant) { return {constant, {}}; }
  static Polynomial of(mlir::OpFoldResult value);

  bool isConstant() const { return terms.empty(); }
};

Polynomial operator+(Polynomial a, const Polynomial &b);
Polynomial operator*(const Polynomial &a, const Polynomial &b);

} // namespace opc

#endif // OPC_LOWERING_EMIT_ASCENDC_POLYNOMIAL_H
