// The division of work among AI Cores for each shape key, based on the schedules of the kernels.
//
//   flat                tile_length, block_length: balanced tiles of at most the schedule's capacity
//   rows                row_length (elements of a row in one tile), tile_rows, block_rows
//   long rows           row_length, block_rows
//   read across         row_length, tile_rows, block_rows: tiles about as long as wide
//   folded columns      row_length, tile_rows, block_columns
//   matrix products     tiles, tiles_down, tiles_across, block_tiles, steps: tiles of results of all batches, and parts
//                       of k
//   with a resident panel   the same, a tile being a run of run_tiles tiles beside each other
//
// A tile as large as UB allows needs the fewest DMA start-ups, but nothing overlaps with its first load and its last
// store. With L loads per tile, a start-up of s cycles each, a rate of r bytes per cycle and b bytes stored per
// element, n elements take about n L s / T + T b / r cycles more than the transfers themselves; the best T is the
// square root of n L s r / b. Tiles are powers of two up to the capacity, and the root is compared by its square.

#ifndef OPC_LOWERING_SCHEDULE_AICOREPOLICY_H
#define OPC_LOWERING_SCHEDULE_AICOREPOLICY_H

#include "lowering/schedule/ContractionChoice.h"
#include "lowering/schedule/tiling/TilingFunction.h"

#include "dialect/aicore/tiles/CubeTiles.h"
#include "runtime/target/Target.h"

#include <map>
#include <set>

namespace opc {

class AicorePolicy : public TilingPolicy {
public:
  explicit AicorePolicy(const Target &target) : target(target) {}

  /// Adds the schedule of a key's instance; every key of the operator needs one.
  void add(unsigned key, aicore::ScheduleAttr schedule, const ProductNeeds &needs) {
    instances[key] = {schedule, needs.own, needs.operands};
  }
  /// Adds tensors whose lines kernels load whole.
  void addLines(mlir::ArrayAttr names) {
    for (llvm::StringRef name : names.getAsValueRange<mlir::StringAttr>())
      lines.push_back(name.str());
  }
  bool hasLines() const { return !lines.empty(); }
  /// No launch takes a key with a right matrix in L1 from now on, or each for which it fits.
  void takeRight(bool isTaken) { rightWins = isTaken; }
  /// No launch takes this resident key from now on.
  void leaveOutPanel(unsigned key) { withoutPanel.insert(key); }
  /// No launch takes any resident key from now on.
  void leaveOutPanels() { hasPanels = false; }
  /// A launch takes a resident key if its panel has all of k, from now on.
  void takePanels() { panelsWin = true; }

  std::optional<int64_t> longestRow(const ShapeKey &shortKey) override;
  int64_t shortestRow(const ShapeKey &key, const ShapeKey &any) const override;
  std::optional<int64_t> longestWindow(const ShapeKey &key) override;
  mlir::Value longestOf(TilingMath &math, const ShapeKey &key, const LaunchWindows &windows,
                        int64_t longest) const override;
  std::optional<int64_t> longestLine(llvm::StringRef tensor) const override;
  std::optional<int64_t> longestSorted() const override;
  std::optional<int64_t> longestPanel(const ShapeKey &key) override;
  std::optional<RightLimits> rightLimits(const ShapeKey &key) override;
  mlir::Value trafficOf(TilingMath &math, const ShapeKey &key, llvm::ArrayRef<mlir::Value> sizes) const override;
  std::optional<std::pair<mlir::Value, mlir::Value>> fewProducts(TilingMath &math, llvm::ArrayRef<mlir::Value> sizes,
                                                                 const LaunchWindows &windows) const override;
  mlir::Value reachOf(TilingMath &math, const ShapeKey &key, const LaunchWindows &windows) const override;
  bool takesRowsAcross() const override { return true; }
  std::vector<PolicyField> fields(TilingMath &math, const ShapeKey &key, const LaunchSizes &sizes) override;

private:
  struct Instance {
    aicore::ScheduleAttr schedule;
    aicore::NeedsAttr needs;
    OperandNeeds operands;
  };
  mlir::Value tileFor(TilingMath &math, const Instance &instance, mlir::Value elements) const;
  std::vector<PolicyField> flat(TilingMath &math, const Instance &instance, const LaunchSizes &sizes) const;
  mlir::Value longestPart(TilingMath &math, const Instance &instance, mlir::Value count) const;
  std::vector<PolicyField> rows(TilingMath &math, const Instance &instance, const ShapeKey &key,
                                const LaunchSizes &sizes) const;
  std::vector<PolicyField> contraction(TilingMath &math, const ShapeKey &key, const Instance &instance,
                                       const LaunchSizes &sizes) const;
  /// The runs of adjacent tiles of a resident key.
  std::vector<PolicyField> runs(TilingMath &math, const aicore::CubeTile &tile, const LaunchSizes &sizes,
                                mlir::Value down, mlir::Value across) const;
  /// The runs of rows of tiles of a key with a right matrix in L1.
  std::vector<PolicyField> runsOfRows(TilingMath &math, const aicore::CubeTile &tile, const LaunchSizes &sizes,
                                      mlir::Value down, mlir::Value across) const;
  /// The rows of window positions in a tile.
  struct PlaceTile {
    mlir::Value rowLength, rows; ///< at least 1
    mlir::Value line;            ///< elements from one row of positions to the next
    mlir::Value down, across;    ///< tiles of a plane
  };
  /// `capacity`: elements of a tile, for rows of the input with their padding. `most`: the maximum number of positions,
  /// if there is a limit.
  PlaceTile placeTile(TilingMath &math, const Instance &instance, const LaunchSizes &sizes, int64_t capacity,
                      mlir::Value most) const;
  std::vector<PolicyField> convolution(TilingMath &math, const ShapeKey &key, const Instance &instance,
                                       const LaunchSizes &sizes) const;
  std::vector<PolicyField> windows(TilingMath &math, const Instance &instance, const LaunchSizes &sizes) const;
  std::vector<PolicyField> across(TilingMath &math, const Instance &instance, const LaunchSizes &sizes) const;

  /// Of a convolution on the cube: elements of channels that are read at once, at most.
  int64_t mostOfChannels(const ShapeKey &key) const;

  const Target &target;
  std::map<unsigned, Instance> instances;
  std::vector<std::string> lines; ///< names of tensors
  std::set<unsigned> withoutPanel;
  bool hasPanels = true;         ///< launches take resident keys
  bool panelsWin = false;        ///< whatever the others load
  std::optional<bool> rightWins; ///< over keys without a right matrix in L1; nullopt: if there are many rows
};

} // namespace opc

#endif // OPC_LOWERING_SCHEDULE_AICOREPOLICY_H
