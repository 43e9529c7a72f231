// How passes read an imported node: its operands, its attributes, and lists that are either.

#ifndef OPC_LOWERING_GRAPH_NODEREADER_H
#define OPC_LOWERING_GRAPH_NODEREADER_H

#include "dialect/graph/GraphOps.h"

#include <optional>

namespace opc::graph {

class NodeReader {
protected:
  using Shape = llvm::SmallVector<int64_t>;

  explicit NodeReader(NodeOp node) : node(node) {}

  /// Whether an operand is there.
  bool has(unsigned number);
  /// The type of an operand; null where it is absent or not known.
  mlir::RankedTensorType typeOf(unsigned number);
  /// An attribute of the node in ONNX; null where the file has none.
  mlir::Attribute parameter(llvm::StringRef name);
  /// An integer attribute; `otherwise` where the file has none, nullopt where it has something else.
  std::optional<int64_t> given(llvm::StringRef name, std::optional<int64_t> otherwise);
  /// Likewise, but `otherwise` too where it has something else.
  int64_t integer(llvm::StringRef name, int64_t otherwise);
  /// A list that is an attribute or a constant operand; nullopt when it is neither.
  std::optional<Shape> list(llvm::StringRef name, unsigned number);
  /// The place of an axis that counts from either end; nullopt outside of the rank.
  static std::optional<size_t> place(std::optional<int64_t> axis, int64_t rank);
  /// Of a Split along a dimension of `size`: the size of each result, as the node lists them or all alike but the last.
  /// nullopt when they are not known, or do not make up the dimension.
  std::optional<Shape> splitSizes(int64_t size);

  NodeOp node;
};

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_NODEREADER_H
