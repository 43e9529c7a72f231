#include "tools/opc/target/Fit.h"

#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <limits>

namespace opc::tool {

/// Directions with a singular value below this fraction of the largest are not determined by the measurements: their
/// error would be a million times that of the best direction.
static constexpr double kLeastSingular = 1e-6;
/// An unknown is identifiable when at most this fraction of its unit vector is outside the determined directions.
static constexpr double kUnseenPart = 1e-3;

FitResult fitLeastSquares(const std::vector<Equation> &equations, const std::vector<double> &assumed) {
  const auto count = Eigen::Index(assumed.size());
  FitResult result;
  result.unknowns.resize(assumed.size());
  for (size_t i = 0; i < assumed.size(); ++i)
    result.unknowns[i].value = assumed[i];
  if (equations.empty() || assumed.empty())
    return result;
  Eigen::MatrixXd matrix(Eigen::Index(equations.size()), count);
  Eigen::VectorXd right(Eigen::Index(equations.size()));
  for (size_t row = 0; row < equations.size(); ++row) {
    const Equation &equation = equations[row];
    right[Eigen::Index(row)] = (equation.measured - equation.fixed) / equation.measured;
    for (Eigen::Index i = 0; i < count; ++i)
      matrix(Eigen::Index(row), i) = equation.coefficients[size_t(i)] / equation.measured;
  }
  // Normalise columns, so that the rank does not depend on the units of unknowns.
  Eigen::VectorXd length = matrix.colwise().norm();
  for (Eigen::Index i = 0; i < count; ++i)
    if (length[i] > 0)
      matrix.col(i) /= length[i];
  const Eigen::BDCSVD<Eigen::MatrixXd> svd(matrix, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Eigen::VectorXd &singular = svd.singularValues();
  const double least = singular.size() ? singular[0] * kLeastSingular : 0;
  Eigen::Index rank = 0;
  while (rank < singular.size() && singular[rank] > least && singular[rank] > 0)
    ++rank;
  result.rank = size_t(rank);
  if (rank == 0)
    return result;
  const Eigen::MatrixXd directions = svd.matrixV().leftCols(rank);
  // Parts that are not determined keep the assumed values: solve for the difference.
  Eigen::VectorXd start(count);
  for (Eigen::Index i = 0; i < count; ++i)
    start[i] = assumed[size_t(i)] * length[i];
  const Eigen::VectorXd missing = right - matrix * start;
  const Eigen::VectorXd inside =
      (svd.matrixU().leftCols(rank).transpose() * missing).cwiseQuotient(singular.head(rank));
  const Eigen::VectorXd solution = start + directions * inside;
  const double squares = (right - matrix * solution).squaredNorm();
  const auto freedom = Eigen::Index(equations.size()) - rank;
  const double variance = freedom > 0 ? squares / double(freedom) : std::numeric_limits<double>::infinity();
  result.residual = std::sqrt(variance);
  for (Eigen::Index i = 0; i < count; ++i) {
    FittedUnknown &unknown = result.unknowns[size_t(i)];
    if (length[i] <= 0 || 1 - directions.row(i).squaredNorm() > kUnseenPart)
      continue;
    unknown.identifiable = true;
    unknown.value = solution[i] / length[i];
    const double spread = directions.row(i).transpose().cwiseQuotient(singular.head(rank)).squaredNorm();
    unknown.standardError = std::sqrt(variance * spread) / length[i];
  }
  return result;
}

} // namespace opc::tool
