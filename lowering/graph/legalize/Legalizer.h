// The walk of --graph-legalize and its state. Legalize.cpp has the walk; there is one file for each way to legalise a
// node: Constants, Match, Missing, Movement, Functions, Branches, Loops, Host.

#ifndef OPC_LOWERING_GRAPH_LEGALIZE_LEGALIZER_H
#define OPC_LOWERING_GRAPH_LEGALIZE_LEGALIZER_H

#include "lowering/graph/Instances.h"
#include "lowering/graph/NodeFacts.h"
#include "lowering/graph/legalize/CountedRows.h"
#include "lowering/graph/legalize/LegalReport.h"
#include "ops/onnx/coverage/Coverage.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"

#include <string>
#include <utility>
#include <vector>

namespace opc::graph {

class Legalizer {
public:
  Legalizer(ModelOp model, const onnx::FormIndex &forms, const RunInstance &run, LegalReport *report)
      : model(model), forms(forms), kernels(run), report(report), builder(model.getContext()) {}
  mlir::LogicalResult run();

private:
  void checkInputs();
  void legalize(NodeOp node);
  void eraseDead();

  // Constants
  bool foldConstant(NodeOp node);

  // Match
  bool findMatch(NodeOp node, bool isKnown, onnx::Match &found, std::string &reason);
  bool makeInstance(NodeOp node, std::string &reason);
  void buildInstance(NodeOp node, const onnx::Match &match);
  /// Whether the user has a contract for its operator; it takes precedence.
  bool isOfUser(NodeOp node) const {
    const std::vector<onnx::FormIndex::Entry> &entries = forms.find(node.getDomain().value_or(""), node.getOp());
    return !entries.empty() && entries.front().ofUser;
  }

  // Missing
  bool isMissing(NodeOp node, std::string &reason);
  void lookBehind(NodeOp node);
  void addMissing(NodeOp node, const std::string &reason);
  void reportMissing();
  std::string supplyOf(NodeOp node) { return onnx::supplyOf(facts.nodeOf(node), forms.operators()); }

  // Movement
  bool makeView(NodeOp node, std::string &reason);
  bool makeRanges(NodeOp node);
  bool makeParts(NodeOp node);

  // Functions
  void findFunctions();
  FunctionOp findFunction(NodeOp node) const;
  void inlineFunction(NodeOp node, FunctionOp function);

  // Branches
  bool chooseBranch(NodeOp node);
  bool inlineBranches(NodeOp node);
  bool makeChoice(NodeOp node);
  void spliceBranch(NodeOp node, mlir::Region &body);
  void refuseControlFlow(NodeOp node);

  // Loops
  bool unrollLoop(NodeOp node);
  llvm::SmallVector<mlir::Value> copyStep(NodeOp node, mlir::Block &body, mlir::ValueRange carried, int64_t step);
  mlir::Value stackSteps(NodeOp node, mlir::ValueRange steps, mlir::StringAttr name, int64_t axis);

  // Scans
  bool loopOfScan(NodeOp node);

  // Host
  bool makeHost(NodeOp node, std::string &reason);
  bool readsCountedRows(NodeOp node);
  void countOutputs(OutputOp outputs);

  /// Replaces a node by values; false after an error when the file states another type for one.
  bool replace(NodeOp node, mlir::ValueRange values);
  mlir::InFlightDiagnostic error(mlir::Operation *op, const char *rule) {
    hasFailed = true;
    return mlir::emitError(op->getLoc()) << "[" << rule << "] ";
  }
  int64_t opsetOf(NodeOp node);
  /// Counts the bytes of a value; false after an error when there are too many.
  bool count(mlir::Operation *op, mlir::Type type);
  /// The name of a node's first result that has one; empty when none has.
  static std::string firstNameOf(NodeOp node);
  /// The node of the file from which a node comes, as named in reports.
  std::pair<std::string, std::string> originOf(NodeOp node);
  /// Records the result for a node; a missing node remains missing.
  void note(const std::pair<std::string, std::string> &origin, LegalNode found);

  /// Maximum number of elements of all constants that nodes describe by a shape or a range: all are written to the file
  /// of weights, and a node of a few bytes can describe millions.
  static constexpr int64_t kMostMade = int64_t(1) << 26;
  /// Maximum number of elements of a value that is computed as soon as its operands are known, since sizes may depend
  /// on it.
  static constexpr int64_t kMostKnown = 4096;

  /// Nodes without a contract that have one operator and one reason.
  struct Missing {
    NodeOp first;
    std::string reason;
    size_t nodes = 0;
  };
  std::vector<Missing> missing;
  ModelOp model;
  const onnx::FormIndex &forms;
  const RunInstance &kernels;
  LegalReport *report;
  mlir::OpBuilder builder;
  NodeFacts facts;
  /// The origins of nodes that replace others.
  llvm::DenseMap<mlir::Operation *, std::pair<std::string, std::string>> origins;
  /// The opsets of nodes that come from functions.
  llvm::DenseMap<mlir::Operation *, mlir::DictionaryAttr> opsets;
  /// If nodes whose branches are in the graph around them: condition, values of one branch, values of the other.
  llvm::DenseSet<mlir::Operation *> choices;
  /// The number of steps of a Loop that are already in the graph around it.
  llvm::DenseMap<mlir::Operation *, int64_t> loopSteps;
  /// How a Loop that was a Scan stacks what its steps give.
  struct Stacking {
    llvm::SmallVector<int64_t> axes, directions; ///< of each result behind the carried ones; direction 1: from the end
  };
  llvm::DenseMap<mlir::Operation *, Stacking> stackings;
  /// Values whose number of rows depends on data, and the rows of the results of the current node.
  RowsOfValues rows;
  std::optional<Rows> made;
  /// Results of nodes with an error.
  llvm::DenseSet<mlir::Value> unknown;
  /// Functions of the module, by domain and name.
  llvm::DenseMap<std::pair<llvm::StringRef, llvm::StringRef>, FunctionOp> functions;
  mlir::Operation *next = nullptr; ///< the op that the walk visits next
  size_t inlined = 0;
  uint64_t bytes = 0;
  int64_t canMake = kMostMade; ///< elements
  bool hasFailed = false;
};

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_LEGALIZE_LEGALIZER_H
