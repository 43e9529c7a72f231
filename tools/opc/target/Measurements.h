// Reads the profiler's op_summary CSV for `opc target calibrate`: one row for each launch on a board.

#ifndef OPC_TOOLS_OPC_TARGET_MEASUREMENTS_H
#define OPC_TOOLS_OPC_TARGET_MEASUREMENTS_H

#include "runtime/core/tensor/Tensor.h"
#include "runtime/diagnostic/Diagnostic.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace opc::tool {

/// The pipes with times in the table and costs in the model: vec, mte2, mte3, scalar.
enum class MeasuredPipe : unsigned { Vector, MTE2, MTE3, Scalar };
inline constexpr size_t kMeasuredPipes = 4;

struct Measurement {
  unsigned line = 0; ///< in the file
  std::string opType;
  std::vector<Shape> inputShapes;
  std::vector<ElementType> inputTypes, outputTypes;
  double coreMicroseconds = 0; ///< aicore_time(us)
  double totalCycles = 0;
  std::array<double, kMeasuredPipes> microseconds{}; ///< <pipe>_exe_time(us), by MeasuredPipe
};

/// Limits of a table in bytes and rows.
inline constexpr int64_t kMaxMeasurementBytes = 64 << 20;
inline constexpr size_t kMaxMeasurements = 100'000;

/// Reads the rows of the given operators; `skipped` counts the others. Returns nullopt after reporting E0600, or
/// E0121 at the line of the file: a column is missing, a number is malformed, not finite or negative, shapes or types
/// are malformed, a row is truncated, or there are no or too many rows of these operators.
std::optional<std::vector<Measurement>> readMeasurements(const std::string &path,
                                                         const std::vector<std::string> &opTypes, size_t &skipped,
                                                         Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_TARGET_MEASUREMENTS_H
