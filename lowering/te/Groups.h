// Partitions the graph of a body into groups, each of which becomes a linalg.generic (op fusion).
//
//   %m = te.reduce_max %x axes [-1] keep        Reduce   group 0 over (m, n), n reduced
//   %d = te.sub %x, %m                          Compute  \ group 1 over (m, n): %d has users in one
//   %e = te.exp %d                              Compute  / group; %e has users in two and is a root
//   %s = te.reduce_sum %e axes [-1] keep        Reduce   group 2
//   %y = te.div %e, %s                          Compute  group 3, its root is stored
//
// te.arg_max is two nodes: a reduction to the maximum, and one to the position of the elements that are equal to it.
//
// te.matmul is a node like a reduction, over the loops of both operands.
//
// A node joins the group of its users if they are all in one group and it runs over the same loops; otherwise it is
// the root of a new group. A reduction is always a root. Nodes with fewer loops are not fused, since a value of a row
// would be recomputed for every element. A body without reductions is one group, since nothing has to be complete
// before something else starts.

#ifndef OPC_LOWERING_TE_GROUPS_H
#define OPC_LOWERING_TE_GROUPS_H

#include "lowering/te/Loops.h"
#include "lowering/te/Precision.h"

#include <memory>
#include <vector>

namespace opc::te {

struct Group;

struct Node {
  enum Kind {
    Compute, ///< an elementwise op, also a reduction of single elements
    Reduce,  ///< a reduction or a matrix product; its tensor has the accumulation type
    Locate,  ///< the second half of an arg: a reduction that finds the position of the extreme value
    Divide,  ///< the second half of a mean: divides the sum by the number of elements
    Copy,    ///< a value that is an output but cannot be written there by another node
  };
  Kind kind = Compute;
  mlir::Operation *op = nullptr;         ///< null for Copy
  mlir::Value value;                     ///< the value of the body that the node represents
  Dims dims;                             ///< dimensions of that value
  llvm::SmallVector<Node *, 3> operands; ///< null for operands that are not nodes
  llvm::SmallVector<Node *, 4> users;
  llvm::SmallVector<unsigned, 1> outputs; ///< results of the body that the node is
  Group *group = nullptr;

  /// Whether the node reduces loops, and so is the root of a group.
  bool reduces() const { return kind == Reduce || kind == Locate; }
  /// The operands as values of the body: those of the op, except operands that only provide a shape.
  mlir::ValueRange values() const;
};

struct Group {
  std::vector<Node *> nodes; ///< in the order of the body; the last one is the root
  Dims domain;               ///< the loops of the generic; -1: a dimension of size 1
  Node *reduction = nullptr; ///< the root, if it is a reduction
};

class Groups {
public:
  Groups(mlir::func::FuncOp kernel, const Loops &loops, const Precision &precision);

  /// In topological order: each group comes after those that it reads.
  const std::vector<std::unique_ptr<Group>> &all() const { return groups; }
  /// The node whose group writes the given result of the body.
  Node *output(unsigned result) const { return outputs[result]; }
  Node *find(mlir::Value value) const { return byValue.lookup(value); }

private:
  void addNodes(mlir::func::FuncOp kernel);
  Node *add(Node::Kind kind, mlir::Operation *op, mlir::Value value, llvm::ArrayRef<Node *> operands);
  void addOutputs(mlir::func::FuncOp kernel);
  void assign();

  const Loops &loops;
  const Precision &precision;
  std::vector<std::unique_ptr<Node>> nodes; ///< in the order of the body, copies last
  llvm::DenseMap<mlir::Value, Node *> byValue;
  std::vector<Node *> outputs;
  std::vector<std::unique_ptr<Group>> groups;
};

} // namespace opc::te

#endif // OPC_LOWERING_TE_GROUPS_H
