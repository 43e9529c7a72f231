// Shape keys: the finitely many ways in which the loops of a kernel index the tensors of an operator.
//
// A te body is written once, for any rank. It is instantiated for each type row and each shape key; a key fixes the
// canonical loops (one to three) and which of them index each tensor. Sizes stay symbolic, dimensions that broadcast
// are static 1. At launch the tiling function coalesces the shapes to at most two batch loops outside of these loops
// and picks the key.
//
//   Add, x1 [4, 1, 500], x2 [3, 500]  batch loop of 4 around key rows_x1_row: loops (m, n) = (3, 500)
//                                     x1 [1, 500] dims {-1, 1}, x2 [3, 500] dims {0, 1}, y dims {0, 1}
//   Softmax, x [2, 3, 7]              key rows_short: loops (m, n) = (6, 7), x and y dims {0, 1}
//   ReduceSum, x [2, 3, 7], axes [1]  batch loop of 2 around key reduce_columns:
//                                     loops (R0, R1, K) = (1, 3, 7), x dims {0, 1, 2}, y dims {2}
//
//   Norm, x [N, C, ...S], gamma [C]   reduces S; batch loop of N around key rows_short: loops (m, n) = (C, S)
//                                     x and y dims {0, 1}, gamma dims {0, -1}
//
// Five kinds of contracts have keys (ContractKind.cpp); docs/rationale/tiling-keys.md has the tables:
//
//   elementwise  every tensor has the shape [...S]; inputs may broadcast. One loop (flat, operands full or one
//                element) and two loops (rows_: operands full, row [1, n] or column [m, 1]); `any`, for all launches
//                that fit no other key, and on the AI Core for short rows
//   rows         the last dimension has a name: [...S, N], parameters [N], outputs also [...S] or [...S, 1]. Two loops
//   reduction    outputs have 'reduces'; other tensors, and outputs that keep all dimensions, have the shape of the
//                reduced input. Three loops
//   domain       tensors have parts of one list of dimensions, and bodies reduce any of them (Domain.h)
//   contraction  bodies multiply matrices (Contraction.h). Three loops; the AI Core has a second key of them, whose
//                left panel stays in L1
//
// Other contracts have no keys and need a body at level aicore.

#ifndef OPC_OPS_CONTRACT_SHAPEKEYS_H
#define OPC_OPS_CONTRACT_SHAPEKEYS_H

#include "ops/contract/domain/Domain.h"
#include "runtime/program/Bytecode.h"

namespace opc {

/// The maximum number of loops of elementwise keys except `any`, batch loops included.
inline constexpr unsigned kMostLoops = 4;

/// Most keys of an operator; the tiling key of a kernel is typeRow * kMaxShapeKeys + number.
inline constexpr unsigned kMaxShapeKeys = kTilingKeysOfRow;

/// Whether kernels of the operator may write their output over inputs of its shape and element size: an elementwise
/// operator with one output, whose first body, the default, is of level te and reduces nothing.
bool mayOverwriteInputs(const Contract &contract);

struct ShapeKey {
  enum Kind : uint8_t {
    Flat,          ///< loops (n)
    Grid,          ///< loops (m, n), an elementwise operator with a row or a column
    Rows,          ///< loops (m, n), n is the named last dimension
    ReduceRows,    ///< loops (R0, K, R1), R0 and R1 reduced
    ReduceColumns, ///< loops (R0, R1, K), R0 and R1 reduced; R0 has a stride of its own in the input
    SplitRows,     ///< loops (R0, m, n), R0 and n reduced: each row has a piece for each iteration of R0
    Columns,       ///< loops (R0, R1, K) as ReduceColumns, for any number of reductions and for results of all loops
    Any,           ///< loops (m, n), an elementwise operator whose launch decides along which of them inputs vary
    Contraction,   ///< loops (m, n, k), k reduced: a matrix product and elementwise operations on its results
    Strided,       ///< loops (m, n), an elementwise operator whose tensors each have a row stride
    Windows,       ///< loops (R0, R1, K) as Columns, R1 over the elements of a window and K over its positions
    Counted,       ///< as Strided, with te.iota along m or n
    Scanned,       ///< as Strided, with scans along m or n
    Gather,        ///< as Strided, with inputs that are the indices of rows, or elements, of others
    Lookup,        ///< as Counted, with computed indices of elements of inputs
    Sorted,        ///< as Strided, with a sorted line of an input along m or n
    Scattered,     ///< as Gather, with indexed results
  };
  struct Operand {
    /// For each dimension of the tensor's canonical type: its loop, or -1 for static size 1.
    std::vector<int> dims;
    size_t tensor = 0;       ///< inputs, then outputs, in the contract's order
    std::string name;        ///< of the tensor, or of a part of it (operandsOf)
    bool isOfLaunch = false; ///< in Any: the launch decides which of the loops it has
    /// In Gather and Scattered: the input with the indices of its elements along m or n.
    std::optional<size_t> indices;
    std::vector<unsigned> places; ///< in Lookup: the dimensions of the domain along which bodies gather, in its order
    bool isLine = false;          ///< in Gather and Lookup: its last dimension is gathered, and it has no other along n
    /// Of strided Rows with batch loops: it has none of these. Of Strided, Counted, Scanned and Lookup: one element in
    /// the whole launch.
    bool isStill = false;
    bool isSorted = false; ///< of Sorted: its lines are sorted
    bool isAcross = false; ///< in Any: it is contiguous along m, and not along n
  };

  unsigned number = 0; ///< position in the operator's list
  std::string name;    ///< part of kernel names: "flat", "rows_x2_row", "reduce_columns"
  Kind kind = Flat;
  bool isLong = false;           ///< long rows, which do not fit into UB: the AI Core takes several passes over
                                 ///< the columns; of Contraction: reduced rows that no tile in L0C holds
  unsigned loops = 1;            ///< outermost first
  std::vector<bool> reduced;     ///< for each loop
  unsigned outerRuns = 1;        ///< of SplitRows and Columns: the number of separate runs that R0 consists of
  unsigned batchRuns = 1;        ///< with isBatched: likewise the outer batch loop
  std::vector<Operand> operands; ///< inputs, then outputs, in the contract's order, each whole or in parts
  unsigned scanned = 0;          ///< in Scanned and Sorted: the loop along which bodies scan or sort
  bool hasWindows = false;       ///< in Contraction: its right matrix consists of windows of an input
  bool isOnCube = false;         ///< with hasWindows, for a type row: the cube multiplies (check/Devices.h)
  bool hasPackedFilters = false; ///< with hasWindows, for a type row: filters lie in columns of fractals
  int64_t elementsOfPlace = 1;   ///< with hasWindows, for a type row: of a plane, between windows beside each other
  /// Of Contraction, on the AI Core alone: the left panel of a tile's rows stays in L1 for all columns. A launch uses
  /// it if the panel fits, and windows, if there are any, have one element each in the order of memory.
  bool isResident = false;
  /// Of Contraction with reduced rows, on the AI Core alone: the right matrix of a batch stays in L1 for all of its
  /// rows. A launch uses it if the matrix fits.
  bool hasResidentRight = false;
  /// With hasWindows, on the AI Core alone: the vector unit multiplies. A launch uses it if its windows reach over more
  /// elements of a plane than the cube's kernel has room for.
  bool isWide = false;
  /// Of Gather and Lookup, on the AI Core alone: elements of lines are copied one by one. A launch uses it if a line
  /// does not fit UB beside a tile.
  bool takesElements = false;
  bool isOnVectorUnit() const { return hasWindows && !isOnCube; }
  /// Of Rows, on the AI Core alone: rows of each tensor have a stride. A launch uses it if its rows fit UB; other rows
  /// take SplitRows, the key beside it.
  bool isStrided = false;
  bool isOfPairs = false;   ///< of Rows, SplitRows and Columns: no tensor has all loops (Domain::isOfPairs)
  bool isBatched = false;   ///< a key of Rows, SplitRows, Columns, Windows or Contraction with batch loops
  bool isStretched = false; ///< of Contraction: batches broadcast at launch, in up to kMostBatches loops
  /// In a contract with several nests (Nests.h): the number of this nest. A launch runs all of them, and they share the
  /// tiling key of the first. Operands are the tensors of the nest.
  std::optional<unsigned> nest;
  /// Whether only the AI Core has it: the CPU has no panels in L1 and no limit on the length of rows and lines.
  bool isOfAicore() const {
    return isResident || hasResidentRight || isWide || takesElements || isStrided ||
           (isLong && (kind == Contraction || (nest && kind == Rows)));
  }

  /// Type row and key in one number, as tiling functions return it and manifests store it.
  unsigned tilingKey(unsigned typeRow) const { return typeRow * kMaxShapeKeys + (nest ? 0 : number); }
  /// The suffix of the names of its loops' tiling data: "_n1".
  std::string suffix() const { return nest ? "_n" + std::to_string(*nest) : std::string(); }
  /// The first operand of a tensor; that of a nest may have none (nullptr).
  const Operand *findOperand(size_t tensor) const;
  const Operand &operandOf(size_t tensor) const { return *findOperand(tensor); }
};

enum class ContractKind : uint8_t { Elementwise, Rows, Reduction, Domain, Contraction };

/// The kind of a contract; nullopt when it has no keys, with the reason in `reason` ("input 'x' is optional").
std::optional<ContractKind> contractKind(const Contract &contract, std::string &reason);

/// The reason why a contract of kind Domain, or a nest, has no kernel; empty if it has one.
std::string whyNoDomainKernel(const Contract &contract);

/// The shape [prefix, N] of a contract of kind Rows, whose loops are (m, n): the longest shape of an input that ends
/// in a symbol. nullptr when no input has such a shape.
const std::vector<ContractDim> *wholeRows(const Contract &contract);

/// The loops of (m, n) that index a tensor of a rows contract, given the whole shape [prefix, N]; nullopt when no key
/// can express the tensor's shape.
std::optional<std::vector<int>> rowsDims(const std::vector<ContractDim> &shape, const std::vector<ContractDim> &whole);

/// The inputs whose broadcasts a launch decides, in groups of inputs that broadcast along the same loops: each input
/// with 'broadcast: numpy'; in a contract of kind Domain, inputs that have the same part of it.
std::vector<std::vector<unsigned>> movingInputs(const Contract &contract);

/// Whether strided rows serve a nest with other orders: all tensors are contiguous along the innermost loop, and there
/// are no more loops than a grid has.
bool isStrided(const DomainNest &nest);

/// All keys of an operator, indexed by number; empty when contractKind returns nullopt.
std::vector<ShapeKey> shapeKeys(const Contract &contract);

} // namespace opc

#endif // OPC_OPS_CONTRACT_SHAPEKEYS_H
