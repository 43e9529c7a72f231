// The computation of one lane of an intrinsic, as scalar operations. The semantics are the simulator's; this is a
// second implementation that shares nothing with the C++ of the simulator.
//
// Half and bfloat16 are computed in f32, and each step is rounded once to the element type. Max and min propagate NaN
// and order -0 below +0; relu preserves NaN. Integers wrap around. Conversions to integers saturate, and NaN becomes 0.

#ifndef OPC_LOWERING_CPU_LOOPS_LANES_H
#define OPC_LOWERING_CPU_LOOPS_LANES_H

#include "dialect/aicore/AICoreDialect.h"
#include "runtime/target/Intrinsics.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace opc::cpu {

/// From the type in memory to the computation type: f16 and bf16 become f32, others stay. Exact.
mlir::Value widen(mlir::ImplicitLocOpBuilder &b, mlir::Value value, ElementType type);
/// The reverse, rounded to nearest even.
mlir::Value narrow(mlir::ImplicitLocOpBuilder &b, mlir::Value value, ElementType type);

/// The operands of one lane in the computation type; null if the form does not have them.
struct Lane {
  mlir::Value lhs, rhs;    ///< first and second source, or source and scalar
  mlir::Value destination; ///< previous value of the destination, for accumulating forms
  mlir::Value index;       ///< number of the lane (index), for varange
};

/// The result of the lane in the type it has in memory; null if the intrinsic has no elementwise form. `types` is a
/// row of the target's table.
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
