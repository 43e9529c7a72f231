// Fits constants of the cost model to measured times, by weighted linear least squares (Eigen).
//
// A pipe's busy cycles are linear in the start-up costs, in the cycles of each class of intrinsic and in 1 / rate:
//
//   mte2 = loads * load_start + rows * copy_row + bytes / load_rate        one equation per pipe and row
//   v    = instructions * vector_start + repeats_exp * vector_exp + ...
//
// Each equation is divided by its measured time, so that residuals are relative: launches of a millisecond and of ten
// microseconds have the same weight. Standard errors are computed from the residuals. A constant that the rows do not
// determine is not identifiable and keeps its value.

#ifndef OPC_TOOLS_OPC_TARGET_FIT_H
#define OPC_TOOLS_OPC_TARGET_FIT_H

#include <cstddef>
#include <string>
#include <vector>

namespace opc::tool {

/// An equation: measured = fixed + sum over i of coefficients[i] * x[i].
struct Equation {
  std::vector<double> coefficients; ///< one for each unknown
  double measured = 0;              ///< above 0
  double fixed = 0;                 ///< the part that does not depend on unknowns
};

struct FittedUnknown {
  bool identifiable = false;
  double value = 0;
  double standardError = 0;
};

struct FitResult {
  std::vector<FittedUnknown> unknowns;
  size_t rank = 0;
  double residual = 0; ///< relative; root mean square over the degrees of freedom
};

/// Every equation must have a coefficient for each unknown. Unknowns that are not identifiable keep their value in
/// `assumed`. Standard errors are infinite unless there are more equations than the rank.
FitResult fitLeastSquares(const std::vector<Equation> &equations, const std::vector<double> &assumed);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_TARGET_FIT_H
