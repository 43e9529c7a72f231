// A body as a graph, and the graph cut into groups: each becomes one linalg.generic.
//
//   %m = te.reduce_max %x axes [-1] keep        Reduce   group 0 over (m, n), n reduced
//   %d = te.sub %x, %m                          Compute  \ group 1 over (m, n): %d has users in one
//   %e = te.exp %d                              Compute  / group; %e, which has users in two, is a root
//   %s = te.reduce_sum %e axes [-1] keep        Reduce   group 2
//   %y = te.div %e, %s                          Compute  group 3, its root is stored
//
// A node joins the group of its users when they are all of one group and it runs over the same loops; else it is the
// root of a new group. A reduction always is. What runs over fewer loops stays outside: one value a row would be
// computed for every element. A body without reductions is one group, since then there is nothing to wait for.

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
    Compute, ///< an elementwise op
    Reduce,  ///< a reduction; its tensor is of the type that sums are kept in
    Divide,  ///< the second half of a mean: the sum by the number of elements
    Copy,    ///< a value as an output, where nothing else can write it there
  };
  Kind kind = Compute;
  mlir::Operation *op = nullptr;         ///< null of Copy
  mlir::Value value;                     ///< the value of the body that it stands for
  Dims dims;                             ///< of that value
  llvm::SmallVector<Node *, 3> operands; ///< those that are nodes; others are null
  llvm::SmallVector<Node *, 4> users;
  llvm::SmallVector<unsigned, 1> outputs; ///< results of the body that it is
  Group *group = nullptr;

  /// The operands as values of the body: those of the op, without what gives a shape alone.
  mlir::ValueRange values() const;
};

struct Group {
  std::vector<Node *> nodes; ///< in the order of the body; the last is the root
  Dims domain;               ///< the loops of the generic; -1: a dimension of size 1
  Node *reduction = nullptr; ///< the root, where it is one
};

class Groups {
public:
  Groups(mlir::func::FuncOp kernel, const Loops &loops, const Precision &precision);

  /// In an order in which each group follows those that it reads.
  const std::vector<std::unique_ptr<Group>> &all() const { return groups; }
  /// The node whose group writes a result of the body.
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
