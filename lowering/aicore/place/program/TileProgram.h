// The computation of one tile of a kernel: values, and the intrinsics that compute them, in execution order. A tile
// program is the level between a fused body and a placed kernel; it has no addresses, lengths or loops.
//
//   %0 = loaded "x1"  f16 full          a value that DMA brings
//   %1 = loaded "x2"  f16 row
//   %2 = vcast %0     f32 full          a step
//   %3 = vcast %1     f32 row           on row values: done once for many rows
//   %4 = vadd %2, %3  f32 full          mixed: row by row
//   stored %4 as "y"
//
// The spread of a value is its broadcast kind in the loops (m, n) of a tile:
//
//   Full    one element for each (m, n)
//   Row     the same for each m
//   Column  the same for each n: one element a row
//   One     one element
//
// In a tile of one loop (a flat kernel), each value is Full or One.

#ifndef OPC_LOWERING_AICORE_PLACE_PROGRAM_TILEPROGRAM_H
#define OPC_LOWERING_AICORE_PLACE_PROGRAM_TILEPROGRAM_H

#include "dialect/aicore/AICoreOps.h"
#include "dialect/te/TeOps.h"
#include "runtime/target/ElementKind.h"
#include "runtime/target/Target.h"

#include <optional>
#include <string>
#include <vector>

namespace opc::aicore {

enum class Spread : uint8_t { One, Row, Column, Full };

/// The spread of the result of combining two values.
inline Spread join(Spread a, Spread b) {
  if (a == b || b == Spread::One)
    return a;
  return a == Spread::One ? b : Spread::Full;
}

using TileId = unsigned;

/// Marks that a tile has no position: even after adding the first column of the tile, it is larger than any position in
/// a row of up to 2^30 elements, and its negative is below zero.
inline constexpr double kNoPosition = 1073741824.0;

/// The result of a reduction of no elements, by the binary intrinsic that combines two: the smallest, or the largest
/// number of a type, 1 or 0.
double identityOf(Intrinsic intrinsic, ElementType type);

struct TileValue {
  ElementType type = ElementType::Float32; ///< UInt8 for a mask
  Spread spread = Spread::Full;
  bool isMask = false; ///< one bit per element
  /// The tensor argument of the kernel that DMA loads it from.
  std::optional<unsigned> tensor;
  bool isProduct = false; ///< the result of the cube, which pipe FIX copies to UB

  /// Whether it is loaded to UB instead of being computed there.
  bool isBrought() const { return tensor || isProduct; }
};

struct TileStep {
  Intrinsic intrinsic{};
  llvm::SmallVector<TileId, 3> sources; ///< in the order of the intrinsic's form
  mlir::Value scalar;                   ///< of a scalar form: a scalar of the kernel's entry
  /// If set, the scalar of a scalar form, or the right operand of a binary one, is an element of this value: the
  /// current row's element of a Column, or the only element of a One.
  std::optional<TileId> rowScalar;
  Rounding rounding = Rounding::None;
  Comparison comparison = Comparison::Lt;
  /// The binary intrinsic folds the rows of its source: Full to Row.
  bool foldsRows = false;
  /// The binary intrinsic folds the elements of each row: Full to Column.
  bool foldsLanes = false;
  /// Of a reduction: its result for no elements.
  double identity = 0.0;
  /// Of a reduction of float32: its elements are positions in a tile, or kNoPosition (negative for the largest); its
  /// result is the position in the row, an int32.
  bool isPosition = false;
  TileId result = 0;
  mlir::Location location;
  /// Expands the elements of this tensor, whose loops the launch decides, to a whole tile: a gather by the tensor's
  /// offsets, or, in the tile of its source, copies of a row and products of ones with the elements of a column.
  std::optional<unsigned> spreadsTensor = std::nullopt;
  /// Whether that happens in the tile of its source.
  bool spreadsInPlace() const { return spreadsTensor && intrinsic != Intrinsic::vgather; }
  /// The positions of the elements along this loop of (m, n), in int32: 0 is a Column, 1 a Row.
  std::optional<unsigned> countsAlong = std::nullopt;
  /// With `countsAlong`: they count from the start of the tile.
  bool countsInTile = false;
  /// The scalar of a sum of int32 is the first position of the tile along m.
  bool addsFirstRow = false;

  /// A scan along m: the binary intrinsic combines each row of the source with the running value before it; or along n:
  /// each element with those before it in its row. Full to Full.
  struct Scan {
    bool exclusive = false, reverse = false, alongRow = false;
  };
  std::optional<Scan> scan = std::nullopt;

  /// Elements of a tensor at computed indices.
  struct Lookup {
    enum Kind : uint8_t {
      Rows,       ///< a row of the tensor for each row of the tile, or one for all: no index changes along n
      Columns,    ///< like Rows, with one element instead of a row
      Lines,      ///< a line of the tensor, from which byte offsets (the last source) gather elements
      Elements,   ///< one by one
      Words,      ///< one by one, of int64: the nearest int32
      WordColumns ///< like Words, an element for each row of the tile, or one for all
    };
    /// An index: an element of a source, or a number of the kernel's entry.
    struct Place {
      unsigned dim = 0;               ///< index into the tensor's places
      std::optional<unsigned> source; ///< among the step's
      mlir::Value number;
      te::Beyond beyond = te::Beyond::Nearest;
    };
    Kind kind = Rows;
    /// Whether each element of a row is first copied to a separate block.
    bool isOfBlocks() const { return kind == Elements || kind == Words; }
    unsigned tensor = 0;
    llvm::SmallVector<Place, 3> places; ///< without that of Lines whose offsets are a source
    /// The type in which the elements are gathered: their own, or a wider one.
    ElementType held = ElementType::Float32;
    /// In Lines: it gathers from the line of the step before it.
    bool sharesLine = false;
  };
  std::optional<Lookup> lookup = std::nullopt;

  /// The first elements of sorted lines of a tensor, in float32 or int32, or their indices, in int32: Full. All sorts
  /// of a program are of one tensor, along one loop and in one direction.
  struct Sort {
    unsigned tensor = 0;
    bool descending = false, places = false, alongRow = false;
  };
  std::optional<Sort> sort = std::nullopt;

  /// Whether the step reduces each row to an element.
  bool reducesRows() const { return foldsLanes || intrinsicInfo(intrinsic).form == IntrinsicForm::Reduce; }
};

struct TileProgram {
  std::vector<TileValue> values;
  std::vector<TileStep> steps;
  /// The stored values, each with its tensor argument.
  llvm::SmallVector<std::pair<TileId, unsigned>, 2> stores;

  Spread spreadOf(TileId value) const { return values[value].spread; }
  /// Whether the result of a matrix product is stored without further operations except rounding, which pipe FIX does.
  bool storesProduct() const;
  /// Whether a reduction of rows is a loop over them that combines halves.
  bool foldsLanes() const {
    return llvm::any_of(steps, [](const TileStep &step) { return step.foldsLanes; });
  }
  /// Drops the steps and loads that do not contribute to a stored value.
  void dropUnread();
  /// Moves steps on rows after all others and after the reductions whose results they read: the reductions then run in
  /// one pass.
  void moveRowsBehind();
  /// Moves lookups that gather from one line of a tensor directly after the first of them. Values that all rows share
  /// come first, as kernels with lookups expect.
  void joinLines();
  /// The program with at most one cast of each value to each type. Otherwise a value that is stored in fewer bits
  /// than it is computed in is cast once for each generic that reads it.
  TileProgram withCastsShared() const;
};

/// The form of an intrinsic that takes a block for each row (aicore.rows) instead of a scalar or a tile.
std::optional<Intrinsic> withRows(Intrinsic intrinsic);
/// Whether the target can spread the elements of a Column over blocks and has the intrinsic in that form.
bool canSpreadRows(const Target &target, Intrinsic intrinsic, ElementType type);

/// Appends steps, choosing intrinsics that the target has.
///
/// Scalars are values of the kernel's entry; `entry` is the builder for arithmetic on them.
class TileProgramBuilder {
public:
  TileProgramBuilder(TileProgram &program, const Target &target, mlir::OpBuilder &entry)
      : program(program), target(target), entry(entry) {}

  /// Sets the type in which functions that the chip lacks are computed if their operand came from float16. All others
  /// are computed in float32.
  void setExpansion(ElementType type) { expansion = type; }
  ElementType expansionOf(TileId value) const {
    return expansion == ElementType::Float16 && isFromHalf(value) ? expansion : ElementType::Float32;
  }

  /// The location of the steps appended next, for messages and traces.
  void setLocation(mlir::Location at) { location = at; }
  mlir::Location getLocation() const { return *location; }

  const TileValue &operator[](TileId value) const { return program.values[value]; }
  mlir::OpBuilder &scalars() { return entry; }
  mlir::Value scalarConstant(ElementType type, double value);
  mlir::Value indexConstant(int64_t value);
  /// Whether a value came from float16 without computation in between.
  bool isFromHalf(TileId value) const;

  TileId load(unsigned tensor, ElementType type, Spread spread);
  /// The result of the cube, in float32.
  TileId product(ElementType type);
  TileId unary(Intrinsic intrinsic, TileId source);
  TileId binary(Intrinsic intrinsic, TileId lhs, TileId rhs);
  TileId scalar(Intrinsic intrinsic, TileId source, mlir::Value scalar);
  TileId scalar(Intrinsic intrinsic, TileId source, double value);
  TileId cast(TileId source, ElementType type, Rounding rounding);
  /// The whole numbers of a float32, rounded; infinities and NaN stay.
  TileId whole(TileId source, Rounding rounding);
  /// A value with one scalar in every element.
  TileId fill(mlir::Value scalar, ElementType type, Spread spread);
  /// A mask has the spread of the select that uses it: `spread` includes those of both operands.
  TileId compare(Comparison comparison, TileId lhs, TileId rhs, Spread spread);
  TileId compare(Comparison comparison, TileId lhs, mlir::Value scalar, Spread spread);
  TileId select(TileId mask, TileId lhs, TileId rhs);
  TileId select(TileId mask, TileId lhs, mlir::Value scalar);
  /// Expands a tensor, which has one element for each position of its own loops, to one for each element of the tile.
  TileId gather(TileId source, unsigned tensor);
  /// The same by copies and products, where the chip has them; else by a gather. Nothing else may read the source.
  TileId spread(TileId source, unsigned tensor);
  /// The value, repeated to a wider spread.
  TileId widen(TileId source, Spread spread);
  /// Fuses a relu into the last step, which is a sum or a difference.
  void fuseRelu();
  const TileStep *lastStep() const { return program.steps.empty() ? nullptr : &program.steps.back(); }
  /// Reduces each row to one element: Full to Column. `intrinsic` is that of a reduction, or the binary one that
  /// combines two elements.
  TileId reduce(Intrinsic intrinsic, TileId source, double identity);
  /// The positions 0, 1, ... of the elements of each row, in float32.
  TileId positions();
  /// The positions of elements along a loop of (m, n), in int32.
  TileId count(unsigned loop, bool inTile = false);
  /// The positions of elements among the rows of a tile, in float32, which represents them exactly.
  TileId positionsOfRows();
  /// Combines each row of a Full value, or each element of its rows, with all before it, or after it, by a binary
  /// intrinsic: Full to Full.
  TileId scan(Intrinsic intrinsic, TileId source, TileStep::Scan ways);
  /// Elements of a tensor at computed indices: `sources` are tiles of indices.
  TileId lookUp(TileStep::Lookup lookup, llvm::ArrayRef<TileId> sources, ElementType type, Spread spread);
  /// The first elements of sorted lines, or their indices.
  TileId sort(TileStep::Sort ways, ElementType type);
  /// Reduces the positions in each row to the smallest or the largest: Full to Column.
  TileId locate(Intrinsic intrinsic, TileId source);
  /// Reduces the positions in the columns of a tile, in float32, to the smallest or the largest of the whole columns,
  /// in int32: Full to Row.
  TileId locateInColumns(Intrinsic intrinsic, TileId source);
  /// Reduces all rows to one with a binary intrinsic: Full to Row.
  TileId reduceColumns(Intrinsic intrinsic, TileId source, double identity);

  bool supports(Intrinsic intrinsic, TypeRow types) const { return target.supports(intrinsic, types); }
  /// Whether the target lacks an intrinsic. The first such intrinsic was reported.
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

#endif // OPC_LOWERING_AICORE_PLACE_PROGRAM_TILEPROGRAM_H
