// Imports an ONNX model into the dialect graph, phase imported.
//
// Every node becomes a node, for any operator: the importer does not interpret operators. Values have the types that
// the file states, or !graph.unknown. Weights of more than 16 elements are resources over the bytes of the mapped file:
// nothing is copied, and equal bytes are one resource, named by their SHA-256.

#ifndef OPC_LOWERING_IMPORT_ONNX_IMPORTMODEL_H
#define OPC_LOWERING_IMPORT_ONNX_IMPORTMODEL_H

#include "lowering/import/onnx/ConstantHashes.h"
#include "ops/onnx/Model.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace opc {

/// A module with a graph.model and a graph.function for each function of the model. `model` must live as long as the
/// context, whose resources are bytes of its file. The function reads `hashes` of constants and adds to them, unless
/// the pointer is null.
mlir::OwningOpRef<mlir::ModuleOp> importModel(const onnx::Model &model, mlir::MLIRContext &context,
                                              ConstantHashes *hashes = nullptr);

/// The module as text, with resources elided.
std::string printModel(mlir::ModuleOp module);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_ONNX_IMPORTMODEL_H
