// From a kernel at phase `synced` to the program that the simulator runs. The emitter makes no decisions: every copy,
// intrinsic, flag and barrier of the kernel becomes one pipe instruction, and every index computation becomes one or
// a few scalar instructions, in the order of the kernel.
//
//   arith on index, i64, i1, f32      scalar code; constants are loaded once, at the start
//   scf.for, scf.if                   jumps; carried values have registers of their own
//   memref.subview and similar ops    addresses in bytes: in UB from the planned address, in GM from the tensor's start
//   aicore ops                        `issue`, with the registers of addresses, counts, strides, scalar and event id
//
// Rules emit_c1 to emit_c4 (KernelInterface.h) and simulator_c1 to simulator_c5: runtime/diagnostic/codes/Rules.def.

#ifndef OPC_LOWERING_EMIT_SIMULATOR_EMITSIMULATOR_H
#define OPC_LOWERING_EMIT_SIMULATOR_EMITSIMULATOR_H

#include "lowering/emit/kernel/KernelInterface.h"
#include "runtime/program/SimulatorProgram.h"

namespace opc {

/// The program of a kernel for a chip. Reports the rule that the kernel breaks. The result passes `checkProgram`.
mlir::FailureOr<SimulatorProgram> emitSimulatorProgram(mlir::func::FuncOp kernel, const Target &target);
/// As above, for a known interface.
mlir::FailureOr<SimulatorProgram> emitSimulatorProgram(mlir::func::FuncOp kernel, const KernelInterface &interface,
                                                       const Target &target);

} // namespace opc

#endif // OPC_LOWERING_EMIT_SIMULATOR_EMITSIMULATOR_H
