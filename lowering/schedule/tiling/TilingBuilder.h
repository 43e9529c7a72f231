// Builds a tiling function. One class serves all kinds of contracts, which differ only in the origin of the loops and
// of the key's number. Fields are merged over the keys by selects on that number. A verifier that knows the number then
// knows which operand each select chooses.

#ifndef OPC_LOWERING_SCHEDULE_TILING_TILINGBUILDER_H
#define OPC_LOWERING_SCHEDULE_TILING_TILINGBUILDER_H

#include "lowering/schedule/tiling/Coalesce.h"
#include "lowering/schedule/tiling/SizeValues.h"
#include "ops/contract/domain/Nests.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace opc {

class TilingBuilder : SizeValues {
public:
  TilingBuilder(mlir::func::FuncOp function, const Contract &contract, llvm::ArrayRef<ShapeKey> keys, unsigned typeRow,
                TilingPolicy &policy, const StaticShapes &shapes)
      : SizeValues(function, contract, shapes), keys(keys), typeRow(typeRow), policy(policy) {}

  void build();

private:
  /// The loops of a launch, for keys of one kind.
  struct KindSizes {
    llvm::SmallVector<Value, 3> size;
    Value batch0, batch1;
  };

  void flat(Value elements);
  void elementwise();
  void rows();
  void reduction();
  void broadcasting(llvm::ArrayRef<Value> sizes, llvm::ArrayRef<Value> ofDims, Value elements);
  Value patternOf(const ShapeKey &key);
  void addLaunchSizes(llvm::ArrayRef<Value> sizes);
  void addBatchStrides(const std::string &name, llvm::ArrayRef<Value> ofLoop);
  void addStrides(const CoalescedLoops &loops, unsigned mostLoops);
  // DomainTiling.cpp
  void domain();
  void contraction();
  void batches(const Domain &domain, const Contraction &product, KindSizes &launch);
  void takeLongRows();
  void takeResidentRight();
  void choosePanel();
  Value reachesInput(const AxisWindow &axis);
  void addWindows(const Domain &domain);
  Value unlessTooLong(const ShapeKey &key, Value number, Value others);
  void permuted(const Domain &domain, const DomainNest &nest, llvm::ArrayRef<ShapeKey> keys);
  /// A launch whose inputs have their dimensions in any order.
  struct PermutedLaunch {
    const Domain &domain;
    llvm::ArrayRef<DomainLoop> loops; ///< innermost first
    Value elements;                   ///< of the results
    const ShapeKey *strided;          ///< the key with a kernel for rows, null if there is none
    bool movesRows;                   ///< rows are not those of the outputs
    Value unserved, isLong;           ///< 1 if no kernel serves the launch; if a line is too long for a tile
  };
  void addPermuted(PermutedLaunch &launch, const DomainOperand &operand, const ShapeKey::Operand &ofKey);
  void requirePlaces(PermutedLaunch &launch, unsigned dim);
  void setIfLonger(Value &is, int64_t longest, Value length);
  void nests();
  void addWorkspace();
  // BatchLoops.cpp
  /// The fields of the loops and the batch strides of a product whose batches broadcast at launch, which has `results`
  /// results. `launch` has the sizes of m, n and k of one batch, and gets those of the launch.
  void stretchedBatches(const Domain &domain, const Contraction &product, Value results, KindSizes &launch);
  /// 1 if the input with this bit stands still in a loop of a class.
  Value standsStill(Value type, unsigned bit);
  void reductionNest(const Domain &domain, const DomainNest &nest, const ShapeKey &key);
  Value runsOf(const ShapeKey &key, std::optional<unsigned> other);
  Value isLongRow(const ShapeKey &shortKey, Value length);

  /// The key of a kind with short or long rows; null if there is none.
  const ShapeKey *findKey(ShapeKey::Kind kind, bool isLong) const;
  void addResult(const std::string &name, Value value) { results.emplace_back(name, value); }
  void addPolicyFields();
  void finish();

  const KindSizes &sizesFor(const ShapeKey &key) const { return sizesOf.find({key.kind, key.nest})->second; }
  KindSizes &sizesOfKind(ShapeKey::Kind kind) { return sizesOf[{kind, of->nest}]; }

  std::string suffix; ///< suffix of the names of loops of the current nest
  llvm::ArrayRef<ShapeKey> keys;
  unsigned typeRow;
  TilingPolicy &policy;

  Value number; ///< number of the key; kMaxShapeKeys if there is none
  std::map<std::pair<ShapeKey::Kind, std::optional<unsigned>>, KindSizes> sizesOf;
  std::optional<LaunchWindows> windows;
  std::vector<std::vector<unsigned>> moving; ///< groups of inputs; each has a bit in a class
  // Patterns of elementwise keys: the class of the outer loop times `classes`, plus the class of the inner loop.
  // Patterns from `flatPatterns` on are those with one loop.
  int64_t classes = 1, flatPatterns = 1;
  std::vector<std::pair<std::string, Value>> results, policyResults;
};

} // namespace opc

#endif // OPC_LOWERING_SCHEDULE_TILING_TILINGBUILDER_H
