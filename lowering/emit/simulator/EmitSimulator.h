// From a kernel at phase `synced` to the program that the simulator runs. Nothing is decided here: every copy,
// intrinsic, flag and barrier of the kernel becomes one pipe instruction, every index computation one or a few scalar
// instructions, in the order of the kernel.
//
//   arith on index, i64, i1, f32      scalar code; constants are loaded once, at the start
//   scf.for, scf.if                   jumps; what they carry has registers of its own
//   memref.subview and its like       addresses in bytes: of UB from the planned address, of GM from the tensor's start
//   aicore ops                        `issue`, with the registers of addresses, counts, strides, scalar and event id
//
// Rules emit_c1 to emit_c4 (KernelInterface.h) and simulator_c1 to simulator_c5: runtime/diagnostic/codes/Rules.def.

#ifndef OPC_LOWERING_EMIT_SIMULATOR_EMITSIMULATOR_H
#define OPC_LOWERING_EMIT_SIMULATOR_EMITSIMULATOR_H

#include "lowering/emit/kernel/KernelInterface.h"
#include "runtime/program/SimulatorProgram.h"

namespace opc {

/// The kernel's program for a chip; reports the rule that the kernel breaks. The result passes `checkProgram`.
mlir::FailureOr<SimulatorProgram> emitSimulatorProgram(mlir::func::FuncOp kernel, const Target &target);
/// For a kernel whose interface is known.
mlir::FailureOr<SimulatorProgram> emitSimulatorProgram(mlir::func::FuncOp kernel, const KernelInterface &interface,
                                                       const Target &target);

} // namespace opc

#endif // OPC_LOWERING_EMIT_SIMULATOR_EMITSIMULATOR_H
