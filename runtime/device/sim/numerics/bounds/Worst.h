// The worst results that a chip may give where its results are not published: --numerics=worst.
//
// For some intrinsics Accuracy.def has an interval around the exact value, for some it has open choices of two. A
// draw takes one end of each interval and one side of each choice. It depends only on the seed, the instruction, the
// element and the result, so a run can be repeated on any machine and in any order of the pipes:
//
//   seed % 4      0  every result at the low end of its interval
//                 1  every result at the high end
//                 2  one end for each instruction
//                 3  one end for each element
//   seed / 4 % 8  which open choices are as in exact mode: bit 0 overflow, 1 fusion, 2 subnormals;
//                 so the first four seeds take all of them otherwise
//
// Results that are zeros, infinities or NaN have no error.

#ifndef OPC_RUNTIME_DEVICE_SIM_NUMERICS_BOUNDS_WORST_H
#define OPC_RUNTIME_DEVICE_SIM_NUMERICS_BOUNDS_WORST_H

#include "runtime/device/sim/numerics/Numerics.h"
#include "runtime/target/accuracy/Accuracy.h"

namespace opc::sim {

struct Draw {
  uint64_t seed = 0;
  uint64_t instruction = 0; ///< its index in the program

  /// Whether an open choice differs from exact mode.
  bool takesOther(OpenChoice choice) const;
  /// Whether the result of an element is at the high end of its interval.
  bool takesHigh(int64_t element, uint64_t resultBits) const;
};

/// Performs a call under a draw. `exact` is the function of exact mode; intrinsics without interval and open choices
/// just call it.
void performWorst(Intrinsic intrinsic, TypeRow types, const VectorCall &call, VectorFunction exact, const Draw &draw);

/// An end of the interval around `value` (finite, not zero): the last number of the type, half or float, that is
/// within the bound of `value`, upwards if `high`, and does not cross zero. Beyond the largest number: infinity.
double endOfInterval(const Accuracy &accuracy, ElementType type, double value, bool high);

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_NUMERICS_BOUNDS_WORST_H
