// The te dialect: what one operator computes. See TeDialect.td.

#ifndef OPC_DIALECT_TE_TEDIALECT_H
#define OPC_DIALECT_TE_TEDIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"

namespace opc::te {
struct AxisFrame;
class NamedValues;
} // namespace opc::te

#include "dialect/te/TeDialect.h.inc"
#include "dialect/te/TeEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialect/te/TeAttrs.h.inc"

#endif // OPC_DIALECT_TE_TEDIALECT_H
