// The first line of an instance of a te body, which defines its aliases, and the removal of absent inputs (Places.h). A
// body is written with all inputs; the argument of an absent one is a scalar with the contract's `absent` value, which
// is removed here:
//
//   %y = te.add %product, %bias     absent: 0.0     %product is the result
//   %y = te.div %x, %scale          absent: 2.0     %y = te.div %x, %two, with %two = te.constant 2.0
//
// An operation on such numbers alone is folded. An operation to which the number is neutral is removed, so an operator
// without its input compiles like a body without it. +0 and -0 are treated alike, as in all comparisons of results: 0.0
// is neutral in a sum.

#ifndef OPC_LOWERING_IMPORT_TE_WORDS_TEPRELUDE_H
#define OPC_LOWERING_IMPORT_TE_WORDS_TEPRELUDE_H

#include "ops/contract/domain/ShapeKeys.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>

namespace opc {

/// Whether a body begins with the line of aliases of element types; false after E0310 (bind_c12).
bool checkAliases(const std::string &text, const Contract &contract, const std::string &path, Diagnostics &diagnostics);

/// The text of the body with another first line; nullopt after E0310 (bind_c12, bind_c13) if the body has no line of
/// aliases or an attribute has no value.
std::optional<std::string> instantiateTe(const std::string &text, const Contract &contract, unsigned typeRow,
                                         const ShapeKey &key, const std::string &path, Diagnostics &diagnostics);

/// "tensor<1x?xf16>": the type of a tensor of the contract in an instance. Bodies with ranges are parsed with tensors
/// of both loops, also if a nest has only one of them.
std::string tensorTypeText(const Contract &contract, unsigned typeRow, const ShapeKey &key, size_t tensor);

/// "tensor<?xf16,#te.each>": the type that represents all tensors of the input with a count, which is the last one;
/// `first` is the number of the first of these tensors. Its shape is the one to which they broadcast.
std::string eachTypeText(const Contract &contract, unsigned typeRow, const ShapeKey &key, size_t first);

/// "f32", "i32": the type of the number that replaces an absent input in a body.
std::string absentTypeText(const ContractTensor &input, unsigned typeRow);

/// Replaces the arguments of absent inputs, whose types are those of `absentTypeText`, by constants, and erases them.
/// Expects arguments for all inputs of the original contract.
void takeAbsent(mlir::func::FuncOp function, const Contract &contract);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_TE_WORDS_TEPRELUDE_H
