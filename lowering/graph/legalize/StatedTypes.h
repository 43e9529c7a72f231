// What a model's file states of types, beside the types that follow from contracts.

#ifndef OPC_LOWERING_GRAPH_LEGALIZE_STATEDTYPES_H
#define OPC_LOWERING_GRAPH_LEGALIZE_STATEDTYPES_H

#include "mlir/IR/BuiltinTypes.h"

#include <string>

namespace opc::graph {

/// Whether a type is a tensor of elements that operators know, with sizes that are numbers.
bool isSettled(mlir::Type type);
/// A type of the file as people read it: "float32[1, N]".
std::string typeText(mlir::Type type);
/// Whether what the file states of a value may be a type.
bool agrees(mlir::Type stated, mlir::RankedTensorType found);
/// Whether the file states a type with open sizes that differs in its rank alone.
bool isOpenOfOtherRank(mlir::Type stated, mlir::RankedTensorType found);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_LEGALIZE_STATEDTYPES_H
