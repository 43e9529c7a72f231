// Types and constants of ONNX in MLIR.

#ifndef OPC_LOWERING_IMPORT_ONNX_MODELTYPES_H
#define OPC_LOWERING_IMPORT_ONNX_MODELTYPES_H

#include "lowering/import/onnx/ConstantHashes.h"
#include "ops/onnx/Model.h"
#include "ops/onnx/TensorData.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringMap.h"

namespace opc {

/// The type of elements: f32, i8 (signed), ui8, i1 (a truth value), !graph.string, !graph.unknown.
mlir::Type elementType(onnx::ElementType type, mlir::MLIRContext *context);
mlir::Type valueType(const onnx::Type &type, mlir::MLIRContext *context);
/// The type of a value; !graph.unknown if the file does not state it.
mlir::Type valueType(const std::optional<onnx::Type> &type, mlir::MLIRContext *context);
mlir::StringAttr textOf(std::string_view text, mlir::MLIRContext *context);

/// Makes attributes of tensors; large ones with equal bytes share one resource.
class Constants {
public:
  Constants(const onnx::Model &model, mlir::MLIRContext *context, ConstantHashes *hashes)
      : model(model), context(context), hashes(hashes) {}
  mlir::ElementsAttr elements(const onnx::Tensor &tensor);
  mlir::Attribute sparse(const onnx::SparseTensor &tensor);

private:
  const onnx::Model &model;
  mlir::MLIRContext *context;
  ConstantHashes *hashes; ///< of the model, or null
  std::string hashOf(const onnx::TensorBytes &bytes);
  llvm::StringMap<mlir::DenseResourceElementsHandle> resources; ///< by hash
};

} // namespace opc

#endif // OPC_LOWERING_IMPORT_ONNX_MODELTYPES_H
