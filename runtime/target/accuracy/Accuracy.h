// Accuracy of the vector intrinsics, and which choices are undocumented: the table of Accuracy.def.
//
// The simulator takes errors from it (--numerics=worst), `opc target show` prints it, and the page of an operator
// lists the rows of the intrinsics that its kernels use.

#ifndef OPC_RUNTIME_TARGET_ACCURACY_ACCURACY_H
#define OPC_RUNTIME_TARGET_ACCURACY_ACCURACY_H

#include "runtime/target/Intrinsics.h"

namespace opc {

enum class ErrorMeasure : uint8_t {
  Exact,    ///< nothing is rounded
  Rounded,  ///< each step to the nearest number
  Ulps,     ///< within so many units in the last place of the exact value
  Relative, ///< within a fraction of the exact value
};

/// Behaviour that is undocumented apart from the error. Each has two choices; the simulator's exact mode takes
/// the first.
enum OpenChoice : uint8_t {
  Nothing = 0,
  Overflow = 1,   ///< too large for 16 bits: infinity, or the largest finite number
  Fusion = 2,     ///< the product of a multiply-add is rounded, or not
  Subnormals = 4, ///< a subnormal argument or result is itself, or zero
};

struct Accuracy {
  Intrinsic intrinsic;
  ErrorMeasure measure;
  double half, single; ///< bounds of results of 16 and 32 bits, see ErrorMeasure
  uint8_t open;        ///< of OpenChoice, or'ed
  std::string_view source;

  bool leavesOpen(OpenChoice choice) const { return (open & choice) != 0; }
  /// Whether results may differ from the nearest number.
  bool isInterval() const { return measure == ErrorMeasure::Ulps || measure == ErrorMeasure::Relative; }
  double boundOf(ElementType result) const {
    return result == ElementType::Float16 || result == ElementType::BFloat16 ? half : single;
  }
  /// Whether no source publishes the accuracy, or a part of it.
  bool assumed() const { return source.substr(0, 7) == "assumed" || open != OpenChoice::Nothing; }
  /// A readable description of the model: "within 2 ulp; subnormals kept or flushed".
  std::string text() const;
};

/// Every intrinsic has a row.
const Accuracy &accuracyOf(Intrinsic intrinsic);

} // namespace opc

#endif // OPC_RUNTIME_TARGET_ACCURACY_ACCURACY_H
