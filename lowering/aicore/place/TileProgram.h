// What one tile of a kernel goes through: values and the intrinsics that make one from others, in the order of
// execution. The middle between a fused body and a placed kernel; nothing here has an address, a length or a loop.
//
//   %0 = loaded "x1"  f16 full          a value that DMA brings
//   %1 = loaded "x2"  f16 row
//   %2 = vcast %0     f32 full          a step
//   %3 = vcast %1     f32 row           of row values: done once for many rows
//   %4 = vadd %2, %3  f32 full          mixed: row by row
//   stored %4 as "y"
//
// A value spreads over the loops (m, n) of a tile:
//
//   Full    one element for each (m, n)
//   Row     the same for each m
//   Column  the same for each n: one element a row
//   One     one element
//
// A tile of one loop (a flat kernel) is all Full and One.

#ifndef OPC_LOWERING_AICORE_PLACE_TILEPROGRAM_H
#define OPC_LOWERING_AICORE_PLACE_TILEPROGRAM_H

#include "dialect/aicore/AICoreOps.h"
#include "runtime/target/Target.h"

#include <optional>
#include <string>
#include <vector>

namespace opc::aicore {

enum class Spread : uint8_t { One, Row, Column, Full };

/// What two values spread over together.
inline Spread join(Spread a, Spread b) {
  if (a == b || b == Spread::One)
    return a;
  return a == Spread::One ? b : Spread::Full;
}

using TileId = unsigned;

struct TileValue {
  ElementType type = ElementType::Float32; ///< of a mask: UInt8
  Spread spread = Spread::Full;
  bool isMask = false; ///< a bit an element
  /// The tensor argument of the kernel that DMA loads it from.
  std::optional<unsigned> tensor;
};

struct TileStep {
  Intrinsic intrinsic{};
  llvm::SmallVector<TileId, 3> sources; ///< as the intrinsic's form lists them
  mlir::Value scalar;                   ///< of a scalar form, a scalar of the kernel's entry
  /// The scalar of a scalar form, or the right operand of a binary one, is an element of this value: of a Column its
  /// row's, of a One its only one.
  std::optional<TileId> rowScalar;
  Rounding rounding = Rounding::None;
  Comparison comparison = Comparison::Lt;
  /// The binary intrinsic folds the rows of the source, Full to Row.
  bool foldsRows = false;
  TileId result = 0;
  mlir::Location location;
};

struct TileProgram {
  std::vector<TileValue> values;
  std::vector<TileStep> steps;
  /// What is stored where: value and tensor argument.
  llvm::SmallVector<std::pair<TileId, unsigned>, 2> stores;

  Spread spreadOf(TileId value) const { return values[value].spread; }
  /// Drops the steps and the loads that nothing which is stored comes from.
  void dropUnread();
  /// The program in which a value is cast once to each type: what is stored in fewer bits than it is computed in is
  /// otherwise cast for each generic that reads it.
  TileProgram withCastsShared() const;
};

/// The intrinsic that takes a block for each row (aicore.rows) where this one takes a scalar or a tile.
std::optional<Intrinsic> withRows(Intrinsic intrinsic);
/// Whether the target can spread the elements of a Column over blocks and has that intrinsic.
bool canSpreadRows(const Target &target, Intrinsic intrinsic, ElementType type);

/// Appends steps, choosing the intrinsics that the target has.
///
/// Scalars are values of the kernel's entry; `entry` appends arithmetic on them there.
class TileProgramBuilder {
public:
  TileProgramBuilder(TileProgram &program, const Target &target, mlir::OpBuilder &entry)
      : program(program), target(target), entry(entry) {}

  /// The type in which functions that the chip lacks are computed where their operand has come from float16;
  /// float32 for all others.
  void setExpansion(ElementType type) { expansion = type; }
  ElementType expansionOf(TileId value) const {
    return expansion == ElementType::Float16 && isFromHalf(value) ? expansion : ElementType::Float32;
  }

  /// Where the steps that follow come from, for messages and traces.
  void setLocation(mlir::Location at) { location = at; }
  mlir::Location getLocation() const { return *location; }

  const TileValue &operator[](TileId value) const { return program.values[value]; }
  mlir::OpBuilder &scalars() { return entry; }
  mlir::Value scalarConstant(ElementType type, double value);
  mlir::Value indexConstant(int64_t value);
  /// Whether a value has come from float16 without a computation in between.
  bool isFromHalf(TileId value) const;

  TileId load(unsigned tensor, ElementType type, Spread spread);
  TileId unary(Intrinsic intrinsic, TileId source);
  TileId binary(Intrinsic intrinsic, TileId lhs, TileId rhs);
  TileId scalar(Intrinsic intrinsic, TileId source, mlir::Value scalar);
  TileId scalar(Intrinsic intrinsic, TileId source, double value);
  TileId cast(TileId source, ElementType type, Rounding rounding);
  /// A value of one scalar in every place.
  TileId fill(mlir::Value scalar, ElementType type, Spread spread);
  /// Masks spread as what is selected with them: `spread` holds both sides and more.
  TileId compare(Comparison comparison, TileId lhs, TileId rhs, Spread spread);
  TileId compare(Comparison comparison, TileId lhs, mlir::Value scalar, Spread spread);
  TileId select(TileId mask, TileId lhs, TileId rhs);
  TileId select(TileId mask, TileId lhs, mlir::Value scalar);
  /// The value in all places of a wider spread.
  TileId widen(TileId source, Spread spread);
  /// The last step, a sum or difference, becomes one with a relu behind it.
  void fuseRelu();
  const TileStep *lastStep() const { return program.steps.empty() ? nullptr : &program.steps.back(); }
  /// The whole row of each row becomes one element: Full to Column.
  TileId reduce(Intrinsic intrinsic, TileId source);
  /// All rows become one by a binary intrinsic: Full to Row.
  TileId reduceColumns(Intrinsic intrinsic, TileId source);

  bool supports(Intrinsic intrinsic, TypeRow types) const { return target.supports(intrinsic, types); }
  /// The first intrinsic that the target lacks was reported.
  bool failed() const { return hasFailed; }

private:
  mlir::Value constantAt(mlir::TypedAttr attribute);
  TileId append(TileStep step, ElementType type, Spread spread, bool isMask = false);
  TileStep step(Intrinsic intrinsic, llvm::ArrayRef<TileId> sources);
  void require(Intrinsic intrinsic, TypeRow types);

  TileProgram &program;
  const Target &target;
  mlir::OpBuilder &entry;
  std::optional<mlir::Location> location;
  ElementType expansion = ElementType::Float32;
  bool hasFailed = false;
};

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_TILEPROGRAM_H
