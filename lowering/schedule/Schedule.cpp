#include "lowering/schedule/Schedule.h"

#include "dialect/te/TeOps.h"
#include "lowering/schedule/AicorePolicy.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using opc::aicore::AICoreDialect;
using opc::aicore::NeedsAttr;
using opc::aicore::ScheduleAttr;

namespace opc {

/// Rows that a tile has room for in what each row takes beside its elements: one for 32 elements.
static constexpr int64_t kElementsARow = 32;
/// Bytes that starts on 32 bytes may cost.
static constexpr int64_t kSlack = 1024;
/// DataCopyPad's blockCount.
static constexpr int64_t kMostRows = 4095;

ScheduleAttr defaultSchedule(NeedsAttr needs, bool inPasses, const Target &target,
                             std::string &why) {
  int64_t room = (target.ubBytes() - kSlack - needs.getFixedBytes()) * 8;
  int64_t bits = std::max<int64_t>(1, needs.getTileBits());
  if (inPasses)
    room -= needs.getRowBytes() * 8;
  else
    bits += (needs.getRowBytes() * 8 + kElementsARow - 1) / kElementsARow;
  int64_t tile = std::min<int64_t>(room / bits / 256 * 256, int64_t(1) << 20);
  if (tile < 256)
    return {};
  int64_t rows = inPasses ? 1 : std::clamp<int64_t>(tile / kElementsARow, 1, kMostRows);
  llvm::raw_string_ostream os(why);
  os << "tile = " << tile << " elements: " << target.ubBytes() << " bytes of UB on "
     << std::string(target.name()) << ", " << needs.getTileBits()
     << " bits for each element of a tile";
  if (needs.getRowBytes())
    os << ", " << needs.getRowBytes() << " bytes for each of at most " << rows << " rows";
  // Each load of each pass takes event ids by slots; there are six on a pair of pipes.
  int64_t slots = inPasses && needs.getLoads() > 1 ? 1 : 2;
  os << "; slots = " << slots
     << (slots == 2 ? ": DMA and the vector unit work on two tiles"
                    : ": flags of several passes would need more event ids than there are");
  bool prefetch = needs.getReadsScalars() && !inPasses;
  if (prefetch)
    os << "; prefetch: the scalar unit waits for values of rows, so the next tile is loaded first";
  return ScheduleAttr::get(needs.getContext(), tile, rows, slots, prefetch);
}

static const ShapeKey *keyNamed(ArrayRef<ShapeKey> keys, StringRef name) {
  for (const ShapeKey &key : keys)
    if (name == key.name)
      return &key;
  return nullptr;
}

LogicalResult scheduleInstances(ModuleOp module, const Contract &contract, const Target &target,
                                std::string *explanation) {
  std::vector<ShapeKey> keys = shapeKeys(contract);
  llvm::MapVector<unsigned, SmallVector<func::FuncOp>> rows;
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(AICoreDialect::kNeedsAttr))
      if (auto row = function->getAttrOfType<IntegerAttr>(te::TeDialect::kTypeRowAttr))
        rows[row.getInt()].push_back(function);
  for (auto &[row, instances] : rows) {
    AicorePolicy policy(target);
    for (func::FuncOp instance : instances) {
      auto name = instance->getAttrOfType<StringAttr>(te::TeDialect::kShapeKeyAttr);
      const ShapeKey *key = name ? keyNamed(keys, name.getValue()) : nullptr;
      if (!key)
        return instance.emitError("[tiled_c1] expects an instance of a shape key of the contract");
      auto needs = instance->getAttrOfType<NeedsAttr>(AICoreDialect::kNeedsAttr);
      std::string why;
      ScheduleAttr schedule = defaultSchedule(needs, key->isLong, target, why);
      if (!schedule)
        return instance.emitError("[tiled_c2] expects a tile of 256 elements to fit the UB of ")
               << std::string(target.name()) << ": the body takes " << needs.getTileBits()
               << " bits for each element of a tile";
      policy.add(key->number, schedule, needs);
      Builder builder(module.getContext());
      instance->setAttr(AICoreDialect::kScheduleAttr, schedule);
      instance->setAttr(AICoreDialect::kTilingKeyAttr,
                        builder.getI64IntegerAttr(key->tilingKey(row)));
      if (explanation)
        *explanation += instance.getName().str() + ": " + why + "\n";
    }
    std::string name = contract.kernelName(row) + "_tiling";
    func::FuncOp tiling =
        buildTilingFunction(module, instances.front().getLoc(), name, contract, keys, row, policy);
    for (func::FuncOp instance : instances)
      instance->setAttr(AICoreDialect::kTilingFunctionAttr, FlatSymbolRefAttr::get(tiling));
  }
  return success();
}

} // namespace opc
