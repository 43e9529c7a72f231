// Custom syntax of te ops, called by the generated parsers: operands without types, element types taken from tensors,
// constants. Axes are in Axes.h.

#ifndef OPC_DIALECT_TE_SYNTAX_H
#define OPC_DIALECT_TE_SYNTAX_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"

namespace opc::te {

/// Parses `%x` into the operand and the type of the value that it names; reports value_c5 where no such value is
/// defined yet.
mlir::ParseResult parseTypedOperand(mlir::OpAsmParser &parser, mlir::OpAsmParser::UnresolvedOperand &operand,
                                    mlir::Type &type);
void printTypedOperand(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Value operand, mlir::Type type);

/// The same for `%x, %y`.
mlir::ParseResult parseTypedOperands(mlir::OpAsmParser &parser,
                                     llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &operands,
                                     llvm::SmallVectorImpl<mlir::Type> &types);
void printTypedOperands(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::OperandRange operands,
                        mlir::TypeRange types);

/// Parses the name of a dimension of the contract.
mlir::ParseResult parseDimension(mlir::OpAsmParser &parser, mlir::StringAttr &dim);
void printDimension(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::StringAttr dim);

/// The same for `H, W`.
mlir::ParseResult parseDimensions(mlir::OpAsmParser &parser, mlir::ArrayAttr &dims);
void printDimensions(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::ArrayAttr dims);

/// Parses the keyword "last", which may be omitted, or be followed by 0 or 1.
mlir::ParseResult parseLastWay(mlir::OpAsmParser &parser, bool &last);
void printLastWay(mlir::OpAsmPrinter &printer, mlir::Operation *op, bool last);

/// Parses "exclusive reverse" in the same way.
mlir::ParseResult parseScanWays(mlir::OpAsmParser &parser, bool &exclusive, bool &reverse);
void printScanWays(mlir::OpAsmPrinter &printer, mlir::Operation *op, bool exclusive, bool reverse);

/// Parses "descending places" in the same way, but nothing may follow the second keyword.
mlir::ParseResult parseSortWays(mlir::OpAsmParser &parser, bool &descending, bool &places);
void printSortWays(mlir::OpAsmPrinter &printer, mlir::Operation *op, bool descending, bool places);

/// Parses `%x`, or the alias of a type whose shape is meant.
mlir::ParseResult parseValueOrShape(mlir::OpAsmParser &parser,
                                    std::optional<mlir::OpAsmParser::UnresolvedOperand> &operand, mlir::Type &type,
                                    mlir::TypeAttr &shape);
void printValueOrShape(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Value operand, mlir::Type type,
                       mlir::TypeAttr shape);

/// Parses an element type, `f16`, or a tensor type, of which it takes the element type.
mlir::ParseResult parseElement(mlir::OpAsmParser &parser, mlir::TypeAttr &element);
void printElement(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::TypeAttr element);

} // namespace opc::te

#endif // OPC_DIALECT_TE_SYNTAX_H
