// Lowers a te kernel to linalg.generic between memrefs. Groups.h determines the generics, Payload.h emits their
// bodies, Precision.h chooses the types.
//
//   inputs become tensors of memrefs; sizes and scalars are read first      KernelInputs.cpp
//   each group becomes one generic over its loops                           Generics.cpp
//   outputs are stored                                                      TeToLinalg.cpp

#ifndef OPC_LOWERING_TE_KERNELLOWERING_H
#define OPC_LOWERING_TE_KERNELLOWERING_H

#include "lowering/te/Groups.h"
#include "lowering/te/Payload.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

#include <optional>
#include <utility>

namespace opc::te {

/// A tensor of the lowered kernel, with the loops of its dimensions.
struct Stored {
  mlir::Value tensor;
  Dims dims;
};

/// A result of a generic: the value of a node, in a type, for other groups or for outputs.
struct Written {
  Node *node;
  mlir::Type type;
  Dims dims;
};

/// The lowering of one kernel. A new function of the same name replaces the old one.
class KernelLowering {
public:
  KernelLowering(mlir::func::FuncOp bound, const Loops &loops)
      : bound(bound), precision(bound), groups(bound, loops, precision), loops(loops), builder(bound.getContext()) {}

  void run();
  unsigned numGenerics() const { return unsigned(groups.all().size()); }
  unsigned numJoined() const {
    unsigned joined = 0;
    for (auto &group : groups.all())
      joined += unsigned(group->nodes.size()) - 1;
    return joined;
  }

private:
  class GroupPayload;

  void readInputs();
  mlir::Value sizeOf(int64_t loop);
  void lowerScalars();
  mlir::Value scalarAs(mlir::Location location, mlir::Value value, mlir::Type type);
  mlir::Value emptyTensor(mlir::Location location, llvm::ArrayRef<int64_t> dims, mlir::Type element);
  mlir::Value countOf(Node *divide, mlir::Type type);
  mlir::AffineMap mapOf(llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> domain);
  void lower(const Group &group);
  mlir::Type typeBetween(const Node &node) const;
  llvm::SmallVector<Stored> sourcesOf(const Group &group);
  llvm::SmallVector<Written> resultsOf(const Group &group) const;
  void prepareScalars(const Group &group);

  mlir::func::FuncOp bound, fused;
  Precision precision;
  Groups groups;
  const Loops &loops;
  mlir::OpBuilder builder;
  std::optional<Constants> constants;
  std::optional<Payload> payload;
  llvm::DenseMap<mlir::Value, Stored> inputs;       ///< by argument of the bound kernel
  llvm::DenseMap<const Node *, Stored> between;     ///< results of groups that other groups read
  llvm::DenseMap<mlir::Value, mlir::Value> scalars; ///< by scalar of the bound kernel
  /// Scalar operands of nodes, in the type that the node requires.
  llvm::DenseMap<std::pair<const Node *, unsigned>, mlir::Value> prepared;
  llvm::DenseMap<int64_t, mlir::Value> sizes;
  llvm::SmallVector<mlir::Value> outputs; ///< tensors to be stored
};

} // namespace opc::te

#endif // OPC_LOWERING_TE_KERNELLOWERING_H
