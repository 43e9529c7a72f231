// The differences of two tensors.

#ifndef OPC_TOOLS_OPC_TENSORS_OUTPUTDIFFERENCE_H
#define OPC_TOOLS_OPC_TENSORS_OUTPUTDIFFERENCE_H

#include "runtime/core/tensor/Tensor.h"

#include <string>

namespace opc::tool {

/// Ignored differences: those within either bound.
struct AllowedDifference {
  double ulp = 0;      ///< numbers of the type from one value to the other; integers: the difference
  double absolute = 0; ///< of the values
};

struct OutputDifference {
  std::string name;
  int64_t elements = 0, differing = 0;
  double largest = 0;    ///< absolute difference; infinity where one is NaN
  double largestUlp = 0; ///< as AllowedDifference::ulp
  int64_t first = -1;    ///< the first element that differs; -1: none
  double firstA = 0, firstB = 0;
};

/// Compares two tensors of one type and shape. +0 and -0 are equal, and any NaN is equal to any NaN.
OutputDifference compareOutputs(const std::string &name, const Tensor &a, const Tensor &b,
                                const AllowedDifference &allowed = {});

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_TENSORS_OUTPUTDIFFERENCE_H
