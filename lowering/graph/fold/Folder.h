// The interface through which the patterns of folding read and change a model.
//
// A pattern identifies operators by the names of the library's contracts and does not change operators of the user,
// even if they compute the same. Each node that a pattern creates is matched with its contract like a node of the
// file, so its types, shapes and attributes keep the contract's rules, and its result has the type of the value that
// it replaces.

#ifndef OPC_LOWERING_GRAPH_FOLD_FOLDER_H
#define OPC_LOWERING_GRAPH_FOLD_FOLDER_H

#include "lowering/graph/NodeFacts.h"
#include "lowering/graph/fold/FoldReport.h"
#include "ops/onnx/coverage/ContractSet.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

#include <functional>

namespace opc::graph {

class Folder {
public:
  Folder(ModelOp model, const onnx::ContractSet &contracts)
      : builder(model.getContext()), model(model), set(contracts) {}

  /// Calls `visit` with each instance of the model, in order; not with instances created meanwhile.
  void forEach(const std::function<void(InstanceOp)> &visit);

  /// Whether an instance is of the library's operator of that type.
  bool isA(InstanceOp instance, mlir::StringRef opType) const;
  /// The instance of that operator which gives a value; null for other values.
  InstanceOp producer(mlir::Value value, mlir::StringRef opType) const;
  /// The only reader of a value, if it is an instance of that operator and reads it once; null otherwise.
  InstanceOp onlyReader(mlir::Value value, mlir::StringRef opType) const;

  /// An instance of the library's operator before the instance that gives `old`, whose name and type it has. Null with
  /// a reason if the contract does not accept the operands; an omitted one is absent. `parameters` as `graph.instance`
  /// has them.
  mlir::Value make(mlir::StringRef opType, mlir::ArrayRef<mlir::Value> operands, mlir::DictionaryAttr parameters,
                   mlir::Value old, std::string &reason);
  /// A constant before the instance that gives `before`; `bytes` as the runtime stores them.
  mlir::Value makeConstant(mlir::RankedTensorType type, mlir::StringRef name, mlir::StringRef bytes,
                           mlir::Value before);
  /// The same for floats, rounded to their type.
  mlir::Value makeFloats(mlir::RankedTensorType type, mlir::StringRef name, mlir::ArrayRef<double> numbers,
                         mlir::Value before);
  /// A value with another shape of the same number of elements: a view, or for a constant a constant.
  mlir::Value reshape(mlir::Value value, mlir::ArrayRef<int64_t> shape, mlir::Value before);

  /// Replaces `old` by `made`; erases and counts instances that become unused.
  void replace(mlir::StringRef what, mlir::Value old, mlir::Value made);
  /// Erases an instance that has no reader any more, and notes why.
  void erased(mlir::StringRef what, InstanceOp instance);
  /// Records a folding that has no instance.
  void note(FoldNote note) { notes.push_back(std::move(note)); }
  /// Records why `at` is a near miss. The record is dropped if `at` is erased; the last record of an instance counts.
  void nearly(mlir::StringRef what, InstanceOp at, std::string reason);
  /// Erases unused ops; returns the number of instances.
  size_t eraseDead();

  /// The matches, then the near misses.
  FoldReport report() const;

  mlir::OpBuilder builder;

private:
  size_t erase(mlir::Operation *op);

  ModelOp model;
  const onnx::ContractSet &set;
  NodeFacts facts;
  FoldReport notes;
  llvm::MapVector<mlir::Operation *, FoldNote> near;
  llvm::DenseSet<mlir::Operation *> waiting; ///< instances that forEach has yet to visit
};

/// The instance that gives a value; null for other values.
InstanceOp instanceOf(mlir::Value value);

/// The numbers of a constant of a float type with at most `most` elements, or that is one number many times; nullopt
/// for others.
std::optional<llvm::SmallVector<double>> floatsOf(mlir::Value value, int64_t most);
/// The number of a float constant that has one element, or one number many times; nullopt for others.
std::optional<double> numberOf(mlir::Value value);
/// Whether two numbers are the same as constants of an element type: exporters round them at will.
bool isNear(double found, double wanted, mlir::Type element);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_FOLD_FOLDER_H
