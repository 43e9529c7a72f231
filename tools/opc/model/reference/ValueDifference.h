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

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_MODEL_REFERENCE_VALUEDIFFERENCE_H
