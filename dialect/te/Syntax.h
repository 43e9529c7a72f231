// The text of te ops: operands without types, element types taken from tensors, constants. Axes are in Axes.h. What
// the generated parsers call.

#ifndef OPC_DIALECT_TE_SYNTAX_H
#define OPC_DIALECT_TE_SYNTAX_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"

namespace opc::te {

/// `%x`: the operand and the type of the value that it names; value_c5 when there is none yet.
mlir::ParseResult parseTypedOperand(mlir::OpAsmParser &parser, mlir::OpAsmParser::UnresolvedOperand &operand,
                                    mlir::Type &type);
void printTypedOperand(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Value operand, mlir::Type type);

/// `f16`, or a tensor type, whose elements count.
mlir::ParseResult parseElement(mlir::OpAsmParser &parser, mlir::TypeAttr &element);
void printElement(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::TypeAttr element);

} // namespace opc::te

#endif // OPC_DIALECT_TE_SYNTAX_H
