// The aicore dialect: what an AI Core does. See AICoreDialect.td.

#ifndef OPC_DIALECT_AICORE_AICOREDIALECT_H
#define OPC_DIALECT_AICORE_AICOREDIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"

#include "dialect/aicore/AICoreDialect.h.inc"
#include "dialect/aicore/AICoreEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialect/aicore/AICoreAttrs.h.inc"

#endif // OPC_DIALECT_AICORE_AICOREDIALECT_H
