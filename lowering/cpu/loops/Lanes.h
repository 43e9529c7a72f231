// What one lane of an intrinsic computes, as scalar operations. The semantics are those the simulator states; this is
// a second writing of them that shares nothing with its C++.
//
// Half and bfloat16 are computed in f32 and every step is rounded to the element type, once. Max and min propagate
// NaN and order -0 below +0; relu keeps NaN. Integers wrap around; conversions to integers saturate, NaN becomes 0.

#ifndef OPC_LOWERING_CPU_LOOPS_LANES_H
#define OPC_LOWERING_CPU_LOOPS_LANES_H

#include "dialect/aicore/AICoreDialect.h"
#include "runtime/target/Intrinsics.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace opc::cpu {

/// From the form in memory to the one computed in: f16 and bf16 become f32, the others stay. Exact.
mlir::Value widen(mlir::ImplicitLocOpBuilder &b, mlir::Value value, ElementType type);
/// Back, rounded to nearest even.
mlir::Value narrow(mlir::ImplicitLocOpBuilder &b, mlir::Value value, ElementType type);

/// Operands of one lane, in the type computed in. Those that a form lacks are null.
struct Lane {
  mlir::Value lhs, rhs;    ///< first and second source, or source and scalar
  mlir::Value destination; ///< what the destination held, for accumulating forms
  mlir::Value index;       ///< number of the lane (index), for varange
};

/// The lane's result in the form of memory, or null when the intrinsic has no elementwise form. `types` is a row of
/// the target's table.
mlir::Value laneResult(mlir::ImplicitLocOpBuilder &b, Intrinsic intrinsic, TypeRow types, const Lane &lane);

/// lhs op rhs for vreduce_*, in f32.
mlir::Value reductionStep(mlir::ImplicitLocOpBuilder &b, Intrinsic intrinsic, mlir::Value lhs, mlir::Value rhs);

/// vcast; see Casts.cpp.
mlir::Value convert(mlir::ImplicitLocOpBuilder &b, mlir::Value value, TypeRow types, aicore::Rounding mode);
/// f32 to an integer type, to nearest even.
mlir::Value saturate(mlir::ImplicitLocOpBuilder &b, mlir::Value value, ElementType type);

mlir::Value floatConstant(mlir::ImplicitLocOpBuilder &b, mlir::Type type, double value);
mlir::Value integerConstant(mlir::ImplicitLocOpBuilder &b, mlir::Type type, int64_t value);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_LOOPS_LANES_H
