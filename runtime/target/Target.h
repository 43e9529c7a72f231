// A chip: its resources, its constraints and its cost model. All knowledge of a chip is in this class.
//
// Each figure names its source, or says "assumed". Per-instruction latencies of this chip are not public, so every
// constant of the cost model without a source is marked and printed as assumed.

#ifndef OPC_RUNTIME_TARGET_TARGET_H
#define OPC_RUNTIME_TARGET_TARGET_H

#include "runtime/target/Intrinsics.h"
#include "runtime/target/Memories.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace opc {

/// The name in IR: "s", "v", "m", "mte1", "mte2", "mte3", "fix".
std::string_view pipeName(Pipe pipe);
/// The name in Ascend C's HardEvent and PIPE_: "S", "V", "MTE2", ...
std::string_view ascendCPipeName(Pipe pipe);

/// One figure of a chip with its source.
struct Figure {
  std::string_view name; ///< "ub_bytes"
  double value;
  std::string_view unit;   ///< "B", "MHz", "B/cycle", "cycles", ""
  std::string_view source; ///< a public source, or "assumed: why"
  bool cost = false;       ///< of the cost model: no plan and no check depends on it

  /// Whether no source publishes the figure. A claim that uses such a figure must hold at half and at double its
  /// value, or name it (Sensitivity.h).
  bool assumed() const { return source.substr(0, 7) == "assumed"; }
};

class Target {
public:
  std::string_view name() const { return socVersion; }   ///< "Ascend310B1"
  std::string_view boards() const { return boardNames; } ///< "Orange Pi AIpro 20T"
  const std::vector<Figure> &figures() const { return table; }
  /// The value of a figure by name; the name must exist (internal error otherwise).
  double figure(std::string_view name) const;
  /// This chip with another value, above 0, for one figure of the cost model. The name must be such a figure
  /// (internal error otherwise).
  Target withFigure(std::string_view name, double value) const;

  // Constraints on kernels.
  int64_t ubBytes() const;     ///< usable bytes of the unified buffer: 253952
  int64_t ubAlignment() const; ///< bytes a UB address is a multiple of: 32
  /// Bytes of an on-chip memory that a kernel may use, and the alignment of addresses in it.
  int64_t memoryBytes(Memory memory) const;
  int64_t memoryAlignment(Memory memory) const;
  int64_t vectorBytes() const; ///< bytes of a vector register, one repeat: 256
  unsigned eventIds() const;   ///< event ids a kernel may use on a pair of pipes: 6 of 8, two are reserved
  /// The first event id of a pair that a kernel may use: 3 from M to MTE1, where the vendor's TPipe sets ids 0 to 2
  /// when it is made and waits for them at its end; 0 for other pairs.
  unsigned firstEventId(Pipe from, Pipe to) const;
  /// Whether both versions of the toolkit have flags from one pipe to another (KernelCalls.def). They have none between
  /// FIX and V, and none from MTE3 to FIX.
  bool hasFlag(Pipe from, Pipe to) const;
  /// This chip with flags from FIX to V and back, for kernels that assume them. No source shows that it has them.
  Target withFixToV() const;
  /// Limits of one call of the cube's copies, of Mmad and of Fixpipe, by the name of the figure: "max_nz_rows".
  int64_t limit(std::string_view name) const { return static_cast<int64_t>(figure(name)); }
  int64_t maxCopyBlocks() const;     ///< blockCount of DataCopyPad: 4095
  int64_t maxCopyBlockBytes() const; ///< blockLen of DataCopyPad in bytes: 2097151
  int64_t maxMergePairs() const;     ///< pairs in one list of MrgSort: 4095
  int64_t maxBlocks() const;         ///< logical blocks a launch may have
  /// Whether an op of this pipe completes before the next op of the same pipe starts (figures `in_order_*`). On such
  /// a pipe a barrier has no effect; on any other pipe dependent ops need a barrier between them. Flag insertion,
  /// verifiers, simulator, sanitizers and cost model all use this function.
  bool completesInOrder(Pipe pipe) const;
  /// This chip with a vector pipe that does not complete in order, for kernels that must also run on chips where V
  /// needs barriers.
  Target portable() const;

  // Availability of intrinsics by type.
  bool supports(Intrinsic intrinsic, TypeRow types) const;
  /// The rounding modes that a cast row admits, empty when the row does not exist. `None` means the conversion
  /// is exact.
  std::vector<RoundingMode> castRoundings(TypeRow types) const;
  /// Bytes of scratch an intrinsic over `count` elements of `type` needs; 0 when it takes none.
  int64_t scratchBytes(Intrinsic intrinsic, ElementType type, int64_t count) const;

  // Cost model, in cycles of the core clock. figures() has the source of each constant. The ...Cost functions are the
  // formulae; the ...Cycles functions round up to whole cycles, which the simulator counts.
  double vectorCost(Intrinsic intrinsic, TypeRow types, int64_t count) const;
  double copyCost(Pipe pipe, int64_t blocks, int64_t blockBytes) const;
  int64_t vectorCycles(Intrinsic intrinsic, TypeRow types, int64_t count) const;
  int64_t copyCycles(Pipe pipe, int64_t blocks,
                     int64_t blockBytes) const;                                ///< MTE2: GM to UB, MTE3: UB to GM
  int64_t cubeCycles(int64_t m, int64_t k, int64_t n, ElementType type) const; ///< Mmad, `type` of its operands
  int64_t fractalCycles(Memory destination, int64_t bytes) const;              ///< L1 to L0A or L0B, one call
  int64_t fixpipeCycles(int64_t m, int64_t n) const;                           ///< L0C to UB or GM
  int64_t im2colCycles(int64_t bytes) const;                                   ///< windows of an image in L1 to L0A
  int64_t biasCycles(int64_t bytes) const;                                     ///< L1 to the bias table
  int64_t fillCycles(int64_t bytes) const;                                     ///< a constant into L1
  int64_t flagCycles() const; ///< a set or a satisfied wait on its pipe
  /// A barrier on its pipe, and the time between an op's end and its completion; 0 on a pipe that completes in order.
  int64_t barrierCycles(Pipe pipe) const;
  int64_t issueCycles() const;       ///< the scalar unit dispatches one instruction to a pipe
  int64_t scalarCycles() const;      ///< one scalar instruction
  int64_t scalarReadCycles() const;  ///< the scalar unit reads one element of UB
  int64_t scalarWriteCycles() const; ///< the scalar unit writes one element of UB
  double clockMHz() const;

private:
  friend const std::vector<Target> &allTargets();
  std::string_view socVersion, boardNames;
  std::vector<Figure> table;
  bool fixToV = false;
};

/// Ascend310B1 and Ascend310B4.
const std::vector<Target> &allTargets();
/// By soc version; the family name "Ascend310B" means Ascend310B1. Null when unknown.
const Target *findTarget(std::string_view socVersion);
/// The names that findTarget accepts.
std::vector<std::string> targetNames();

/// Whether the vendor's public kernel-side API lists a name for Ascend 310B.
enum class ApiSupport { Yes, No, Unknown };
struct ApiAnswer {
  ApiSupport support;
  std::string nearest;    ///< nearest listed name when unknown, else empty
  std::string substitute; ///< how to get the same result on this chip, else empty
};
ApiAnswer queryApi(std::string_view name);
/// Every name queryApi knows, supported or not.
std::vector<std::string> apiCallNames();
/// Operator types the vendor ships built in for Ascend 310B; a custom operator of the same name shadows one.
const std::vector<std::string_view> &builtinOperators();

} // namespace opc

#endif // OPC_RUNTIME_TARGET_TARGET_H
