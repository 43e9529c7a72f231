// Ops and interfaces of the aicore dialect.

#ifndef OPC_DIALECT_AICORE_AICOREOPS_H
#define OPC_DIALECT_AICORE_AICOREOPS_H

#include "dialect/aicore/AICoreDialect.h"
#include "dialect/aicore/ImageOperands.h"
#include "dialect/aicore/Tiles.h"
#include "dialect/aicore/VectorForms.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialect/aicore/AICoreInterfaces.h.inc"

#define GET_OP_CLASSES
#include "dialect/aicore/AICoreOps.h.inc"

namespace opc::aicore {

/// Creates the op of an intrinsic whose op takes operands only. `operands` are the sources and the scalar in the
/// order of the intrinsic's form, then the destination, then scratch. `rows` selects the form for rows; the intrinsic
/// must be one of the six that have it.
VectorOpInterface createIntrinsic(mlir::OpBuilder &builder, mlir::Location location, Intrinsic intrinsic,
                                  mlir::ValueRange operands, bool rows = false);

} // namespace opc::aicore

#endif // OPC_DIALECT_AICORE_AICOREOPS_H
