// Constants of the cost model from measured times, by weighted linear least squares (Eigen).
//
// A pipe's busy cycles are linear in the start-up costs, in the cycles of each class of intrinsic and in 1 / rate:
//
//   mte2 = loads * load_start + rows * copy_row + bytes / load_rate        one equation a pipe and row
//   v    = instructions * vector_start + repeats_exp * vector_exp + ...
//
// Each equation is divided by its measured time, so that residuals are relative: a launch of a millisecond and one of
// ten microseconds weigh alike. Standard errors come from the residuals; a constant to which no combination of the
// rows points is not identifiable and keeps its value.

#ifndef OPC_TOOLS_OPC_TARGET_FIT_H
#define OPC_TOOLS_OPC_TARGET_FIT_H

#include <cstddef>
#include <string>
#include <vector>

namespace opc::tool {

/// One measured sum: measured = fixed + sum over i of coefficients[i] * x[i].
struct Equation {
  std::vector<double> coefficients; ///< one for each unknown
  double measured = 0;              ///< above 0
  double fixed = 0;                 ///< what no unknown explains
};

struct FittedUnknown {
  bool identifiable = false;
  double value = 0;
  double standardError = 0;
};

struct FitResult {
  std::vector<FittedUnknown> unknowns;
  size_t rank = 0;
  double residual = 0; ///< relative, root of the mean square over the degrees of freedom
};

/// All equations have as many coefficients as there are unknowns. `assumed` are the values that unknowns keep which
/// are not identifiable. With fewer equations than unknowns nothing but the rank may be said of some; standard errors
/// need more equations than the rank and are infinite otherwise.
FitResult fitLeastSquares(const std::vector<Equation> &equations, const std::vector<double> &assumed);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_TARGET_FIT_H
