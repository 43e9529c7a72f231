// Reads payloads of a fused body, the elements that a linalg.generic computes, into steps of a tile program: an
// operation on tiles becomes intrinsics, one on scalars a computation of the scalar unit, or of tiles of one element
// where that unit lacks it.

#ifndef OPC_LOWERING_AICORE_PLACE_PROGRAM_PAYLOADREADER_H
#define OPC_LOWERING_AICORE_PLACE_PROGRAM_PAYLOADREADER_H

#include "dialect/te/TeOps.h"
#include "lowering/aicore/place/program/Expand.h"
#include "lowering/aicore/place/program/KernelShape.h"
#include "lowering/aicore/place/program/TileProgram.h"
#include "runtime/target/toolkit/KernelCalls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"

namespace opc::aicore {

/// A comparison whose mask is made by the first select that uses it: only then is the mask's spread known.
struct PendingMask {
  Comparison comparison = Comparison::Lt;
  mlir::Value lhs, rhs;
  std::optional<ElementType> sign; ///< of bytes, if the comparison has one
};

/// Maps the values of a fused body: each is a tile, a comparison that may become a mask, or a scalar.
class PayloadReader {
public:
  /// `scalars` maps scalars of the fused function to values in the entry block, where `entry` inserts.
  PayloadReader(const KernelShape &shape, TileProgram &program, TileProgramBuilder &steps, mlir::OpBuilder &entry,
                mlir::IRMapping &scalars)
      : shape(shape), program(program), steps(steps), entry(entry), scalars(scalars) {}

  mlir::LogicalResult readPayload(mlir::Operation *op);
  mlir::LogicalResult readScalar(mlir::Operation *op);
  /// Reads a generic that reduces nothing; its inputs are known.
  mlir::LogicalResult readElementwise(mlir::linalg::GenericOp generic);
  /// The elements of a tensor at the indices in an input (KernelTensor::indices).
  mlir::FailureOr<TileId> lookUpGiven(unsigned number);

protected:
  mlir::LogicalResult unknown(mlir::Operation *op);
  /// The inputs of a generic as those of its payload.
  mlir::LogicalResult readInputs(mlir::linalg::GenericOp generic);
  bool isTile(mlir::Value value) const { return tiles.contains(value); }
  TileId tile(mlir::Value value) const { return tiles.lookup(value); }
  mlir::Value scalar(mlir::Value value);
  TileId fillOf(mlir::Value number, ElementType type, Spread spread);
  TileId byteAs(TileId value, ElementType type);
  mlir::FailureOr<TileId> truthAsNumber(mlir::Value truth, ElementType type);

  const KernelShape &shape;
  TileProgram &program;
  TileProgramBuilder &steps;
  mlir::OpBuilder &entry;
  mlir::IRMapping &scalars;
  llvm::DenseMap<mlir::Value, TileId> tiles; ///< of tensors, and of elements in payloads
  llvm::DenseMap<mlir::Value, PendingMask> masks;
  llvm::DenseMap<mlir::Value, unsigned> tables; ///< tensors whose elements payloads read at computed indices
  llvm::DenseMap<unsigned, TileId> givenPlaces; ///< by tensor of indices
  llvm::DenseSet<TileId> saturated;      ///< integers of 64 bits as the nearest int32: they are indices, not numbers
  llvm::DenseSet<mlir::Value> positions; ///< integers that are tiles of float32: positions in the tile, or kNoPosition

private:
  std::optional<mlir::LogicalResult> readAlongLoop(mlir::Operation *op);
  bool readAlias(mlir::Operation *op);
  mlir::LogicalResult readPosition(mlir::Operation *op);
  mlir::FailureOr<TileId> readNumber(mlir::Operation *op);
  mlir::FailureOr<TileId> readRelu(mlir::Operation *op);
  mlir::LogicalResult readUniform(mlir::Operation *op);
  mlir::FailureOr<TileId> asTile(mlir::Value value, ElementType type, Spread spread);
  mlir::FailureOr<TileId> readFloat(mlir::Operation *op);
  mlir::FailureOr<TileId> readTwoFloats(mlir::Operation *op);
  mlir::LogicalResult readLogic(mlir::Operation *op);
  mlir::LogicalResult readScan(te::ScanOp scan);
  mlir::LogicalResult readCount(mlir::linalg::IndexOp index);
  mlir::LogicalResult readSort(te::SortOp sort);
  mlir::LogicalResult readLookup(te::GatherOp gather);
  mlir::FailureOr<TileId> lookUp(unsigned number, TileStep::Lookup lookup, llvm::SmallVector<TileId> sources);
  TileId placesOf(unsigned indices);
  PlaceCount countOf(const std::string &field, int64_t most, bool isPeriod);
  bool isOfPositions(TileId value) const;
  mlir::FailureOr<TileId> readCast(mlir::Operation *op);
  mlir::FailureOr<TileId> readSelect(mlir::arith::SelectOp select);
  mlir::FailureOr<TileId> readWholeSelect(mlir::arith::SelectOp select, Spread spread);
  mlir::FailureOr<TileId> selectPosition(mlir::arith::SelectOp select);
  mlir::FailureOr<TileId> selectWhole(TileId mask, TileId lhs, TileId rhs);
  TileId castTruth(TileId number, ElementType type);
  mlir::FailureOr<TileId> readBinary(mlir::Operation *op, Intrinsic intrinsic);
  bool isOfBytes(mlir::Operation *op) const;
  mlir::FailureOr<TileId> readBytes(mlir::Operation *op);
  mlir::FailureOr<TileId> readWholePower(mlir::math::IPowIOp op);
  mlir::FailureOr<TileId> readWholeQuotient(mlir::Operation *op);
  bool hasOpposite(mlir::Value truth) const;
  mlir::FailureOr<TileId> maskOfStored(mlir::Value truth, Spread spread, bool opposite);
  mlir::FailureOr<TileId> maskOfWhole(const PendingMask &mask, TileId lhs, Spread spread);
  mlir::FailureOr<TileId> tileOfMask(mlir::Value truth, Spread spread, bool opposite = false);
  Spread spreadOf(mlir::Value value) {
    if (auto pending = masks.find(value); pending != masks.end())
      return join(spreadOf(pending->second.lhs), spreadOf(pending->second.rhs));
    return isTile(value) ? program.spreadOf(tile(value)) : Spread::One;
  }
};

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_PROGRAM_PAYLOADREADER_H
