// Base of what rewrites one node of ONNX in terms of simpler ones: it reads the node and writes nodes before it.

#ifndef OPC_LOWERING_GRAPH_LEGALIZE_NODEWRITER_H
#define OPC_LOWERING_GRAPH_LEGALIZE_NODEWRITER_H

#include "lowering/graph/NodeFacts.h"

#include "mlir/IR/Builders.h"

namespace opc::graph {

class NodeWriter : protected NodeReader {
protected:
  NodeWriter(NodeOp node, mlir::OpBuilder &builder) : NodeReader(node), builder(builder) {}

  NodeOp emit(llvm::StringRef op, llvm::ArrayRef<mlir::Value> operands,
              llvm::ArrayRef<mlir::NamedAttribute> parameters = {});
  /// The value of an emitted node.
  mlir::Value value(llvm::StringRef op, llvm::ArrayRef<mlir::Value> operands,
                    llvm::ArrayRef<mlir::NamedAttribute> parameters = {}) {
    return emit(op, operands, parameters).getResult(0);
  }
  mlir::NamedAttribute named(llvm::StringRef name, int64_t number) {
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(number));
  }
  mlir::Value constant(mlir::ElementsAttr elements);
  mlir::Value integers(llvm::ArrayRef<int64_t> numbers);
  /// One number in each place.
  mlir::Value splat(llvm::ArrayRef<int64_t> shape, mlir::Type element, double number);
  /// Puts a value in the place of a result; where a node was emitted for it, with the name of the result.
  void finish(unsigned result, mlir::Value made);

  mlir::OpBuilder &builder;

private:
  std::string nextName();

  unsigned emitted = 0;
};

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_LEGALIZE_NODEWRITER_H
