// What matching with contracts (ops/onnx/coverage) asks of a node, read from the dialect: the node as ONNX has it, and
// what is known of its operands.

#ifndef OPC_LOWERING_GRAPH_NODEFACTS_H
#define OPC_LOWERING_GRAPH_NODEFACTS_H

#include "dialect/graph/GraphOps.h"
#include "ops/onnx/coverage/Match.h"

#include "llvm/ADT/DenseMap.h"

#include <deque>
#include <optional>
#include <string>

namespace opc::graph {

/// Most dimensions of a value: files have no more (onnx_c8), nor has the plan of a model.
inline constexpr size_t kMostRank = 64;

/// The type of elements in ONNX; Undefined for types that tensors of ONNX do not have.
onnx::ElementType onnxElementType(mlir::Type type);

/// The bytes of a constant, as ONNX and the runtime store them: elements in rows, truth values as bytes.
class ConstantBytes {
public:
  explicit ConstantBytes(mlir::ElementsAttr elements);
  llvm::StringRef get() const { return owned.empty() ? view : llvm::StringRef(owned); }
  /// Whether the bytes are those of a resource and live as long as the context.
  bool isView() const { return owned.empty(); }

private:
  llvm::StringRef view;
  std::string owned;
};

/// The value of a constant; null for other values, and for sparse ones.
mlir::ElementsAttr constantOf(mlir::Value value);

/// The integers of a constant with at most 4096 elements of an integer or truth type; nullopt for others.
std::optional<llvm::SmallVector<int64_t>> integersOf(mlir::ElementsAttr elements);

/// "'Gemm_3' (Gemm)", "a node (Gemm)": a node in messages.
std::string describe(NodeOp node);

/// Holds what facts point to.
class NodeFacts {
public:
  onnx::Fact factOf(mlir::Value value);
  /// As the file has it; texts are views into attributes. Graphs, sparse tensors and types have no value in it.
  onnx::Node nodeOf(NodeOp node);
  onnx::Attribute attributeOf(mlir::NamedAttribute attribute);

private:
  onnx::Tensor tensorOf(mlir::ElementsAttr elements);
  llvm::DenseMap<mlir::Attribute, const onnx::Tensor *> known;
  std::deque<onnx::Tensor> tensors;
  std::deque<ConstantBytes> bytes;
};

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_NODEFACTS_H
