// One te kernel on its way to linalg.generic between memrefs. Groups.h says what becomes one generic, Payload.h what
// stands in it, Precision.h in which types.
//
//   inputs become tensors of memrefs; sizes and scalars are read in front   KernelInputs.cpp
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

/// A tensor of the lowered kernel, and the loops of its dimensions.
struct Stored {
  mlir::Value tensor;
  Dims dims;
};

/// What a generic writes: the value of a node, as a type, for other groups or as outputs.
struct Written {
  Node *node;
  mlir::Type type;
  Dims dims;
};

/// One kernel. The old function gives way to a new one of the same name.
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
  void emitPayload(const Group &group, llvm::ArrayRef<Stored> sources, mlir::ValueRange arguments,
                   llvm::ArrayRef<Written> results);

  mlir::func::FuncOp bound, fused;
  Precision precision;
  Groups groups;
  const Loops &loops;
  mlir::OpBuilder builder;
  std::optional<Constants> constants;
  std::optional<Payload> payload;
  llvm::DenseMap<mlir::Value, Stored> inputs;       ///< by the argument of the bound kernel
  llvm::DenseMap<const Node *, Stored> between;     ///< what a group leaves to others
  llvm::DenseMap<mlir::Value, mlir::Value> scalars; ///< by the scalar of the bound kernel
  /// Scalar operands of nodes, in the type the node takes them in.
  llvm::DenseMap<std::pair<const Node *, unsigned>, mlir::Value> prepared;
  llvm::DenseMap<int64_t, mlir::Value> sizes;
  llvm::SmallVector<mlir::Value> outputs; ///< tensors to store
};

} // namespace opc::te

#endif // OPC_LOWERING_TE_KERNELLOWERING_H
