// Facts of an imported node, read from the dialect: for matching with contracts (ops/onnx/coverage) the ONNX node and
// facts of its operands; for passes its operands, its attributes, and lists that are either.

#ifndef OPC_LOWERING_GRAPH_NODEFACTS_H
#define OPC_LOWERING_GRAPH_NODEFACTS_H

#include "dialect/graph/GraphOps.h"
#include "ops/onnx/coverage/Match.h"

#include "llvm/ADT/DenseMap.h"

#include <deque>
#include <optional>
#include <string>

namespace opc::graph {

/// The maximum rank of a value: neither files (onnx_c8) nor plans of models have more dimensions.
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

/// The value of a constant. Null for other values, for sparse ones, and for a resource without bytes, as in a printed
/// module.
mlir::ElementsAttr constantOf(mlir::Value value);

/// The integers of a constant with at most 4096 elements of an integer or truth type; nullopt for others.
std::optional<llvm::SmallVector<int64_t>> integersOf(mlir::ElementsAttr elements);

/// "'Gemm_3' (Gemm)", "a node (Gemm)": a node in messages.
std::string describe(NodeOp node);

/// Owns the data to which facts point.
class NodeFacts {
public:
  onnx::Fact factOf(mlir::Value value);
  /// The node as in the file; texts are views into attributes. Graphs, sparse tensors and types have no value in it.
  onnx::Node nodeOf(NodeOp node);
  onnx::Attribute attributeOf(mlir::NamedAttribute attribute);

private:
  onnx::Tensor tensorOf(mlir::ElementsAttr elements);
  llvm::DenseMap<mlir::Attribute, const onnx::Tensor *> known;
  std::deque<onnx::Tensor> tensors;
  std::deque<ConstantBytes> bytes;
};

/// Base class of code that rewrites or evaluates one node.
class NodeReader {
protected:
  using Shape = llvm::SmallVector<int64_t>;

  explicit NodeReader(NodeOp node) : node(node) {}

  /// Whether an operand is given.
  bool has(unsigned number);
  /// The type of an operand; null where it is absent or not known.
  mlir::RankedTensorType typeOf(unsigned number);
  /// An attribute of the node in ONNX; null where the file has none.
  mlir::Attribute parameter(llvm::StringRef name);
  /// An integer attribute; `otherwise` where the file has none, nullopt where it has something else.
  std::optional<int64_t> given(llvm::StringRef name, std::optional<int64_t> otherwise);
  /// The same, but also `otherwise` if the attribute is not an integer.
  int64_t integer(llvm::StringRef name, int64_t otherwise);
  /// A list that is an attribute or a constant operand; nullopt when it is neither.
  std::optional<Shape> list(llvm::StringRef name, unsigned number);
  /// The same for axes; the first `count` if the node has neither, nullopt if the operand is not a constant.
  std::optional<Shape> axes(llvm::StringRef name, unsigned number, int64_t count);
  /// The index of an axis that counts from either end; nullopt outside of the rank.
  static std::optional<size_t> place(std::optional<int64_t> axis, int64_t rank);
  /// The size of each result of a Split along a dimension of `size`: as the node lists them, or equal sizes except the
  /// last. nullopt if they are not known, or do not add up to the dimension.
  std::optional<Shape> splitSizes(int64_t size);

  NodeOp node;
};

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_NODEFACTS_H
