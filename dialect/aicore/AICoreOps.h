// Ops and interfaces of the aicore dialect.

#ifndef OPC_DIALECT_AICORE_AICOREOPS_H
#define OPC_DIALECT_AICORE_AICOREOPS_H

#include "dialect/aicore/AICoreDialect.h"
#include "dialect/aicore/Tiles.h"
#include "dialect/aicore/VectorForms.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialect/aicore/AICoreInterfaces.h.inc"

#define GET_OP_CLASSES
#include "dialect/aicore/AICoreOps.h.inc"

#endif // OPC_DIALECT_AICORE_AICOREOPS_H
