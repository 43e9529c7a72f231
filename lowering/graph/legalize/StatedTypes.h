// Types that a model's file states, compared with the types that follow from contracts.

#ifndef OPC_LOWERING_GRAPH_LEGALIZE_STATEDTYPES_H
#define OPC_LOWERING_GRAPH_LEGALIZE_STATEDTYPES_H

#include "mlir/IR/BuiltinTypes.h"

#include <string>

namespace opc::graph {

/// Whether a type is a tensor of supported elements, with sizes that are numbers.
bool isSettled(mlir::Type type);
/// A type of the file as text: "float32[1, N]".
std::string typeText(mlir::Type type);
/// Whether the type that the file states for a value is compatible with a type.
bool agrees(mlir::Type stated, mlir::RankedTensorType found);
/// The same where the file may state fewer of the rows that data count, along a dimension.
bool agreesInRows(mlir::Type stated, mlir::RankedTensorType found, size_t rows);
/// Whether a type that differs from the one that the file states for a result is used nevertheless: the result is an
/// output of the model, or has open sizes and another rank. Exporters write shapes of other runs there.
bool isStale(mlir::OpResult result, mlir::RankedTensorType found);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_LEGALIZE_STATEDTYPES_H
