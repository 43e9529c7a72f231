// The difference of a model's value from that of a reference.

#ifndef OPC_TOOLS_OPC_MODEL_REFERENCE_VALUEDIFFERENCE_H
#define OPC_TOOLS_OPC_MODEL_REFERENCE_VALUEDIFFERENCE_H

#include "runtime/core/tensor/Tensor.h"

#include <string>

namespace opc::tool {

struct ValueDifference {
  bool sameForm = true; ///< type and shape
  bool sameEnds = true; ///< NaN and infinities are in the same places
  /// The largest difference, in units of the reference's root mean square; for elements of at least a thousand times
  /// the median, in units of their own magnitude.
  double relative = 0;
  double bound = 0; ///< the bound of `relative`
  double units = 0; ///< the largest difference of integers; `relative` is infinite then
  int64_t at = -1;  ///< the element of the largest difference
  double found = 0, expected = 0;

  bool holds() const { return sameForm && sameEnds && relative <= bound; }
};

/// The bound of a type, end to end: 1e-4 of the root mean square for float32 and float64, 1e-2 for float16, 8e-2 for
/// bfloat16 (both about ten units of their last place), 0 for integers and truth values.
double boundOf(ElementType type);

/// `data` has the elements of a tensor of the reference's form, or of the given form. `ofReference` is the known
/// absolute error of the reference, which is subtracted from each difference.
ValueDifference compareValue(ElementType type, const Shape &shape, const void *data, const Tensor &reference,
                             double ofReference = 0);

/// What is allowed for each unit of the movement of the reference itself (measurements are in docs/rationale/graph.md).
/// Integers that were rounded from numbers move by few units, of which three runs find nearly the largest.
inline constexpr double kMovesAllowed = 8, kUnitsAllowed = 2;

/// Whether a difference is within its bound, or explained by how the value moves in the reference itself when that
/// rounds once more.
bool isSettled(const ValueDifference &difference, const ValueDifference &moves);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_MODEL_REFERENCE_VALUEDIFFERENCE_H
