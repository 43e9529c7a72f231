// Prints a simulator program or a tiling function as text, for tests and for people; one instruction per line.

#ifndef OPC_LOWERING_EMIT_SIMULATOR_PROGRAMTEXT_H
#define OPC_LOWERING_EMIT_SIMULATOR_PROGRAMTEXT_H

#include "runtime/program/SimulatorProgram.h"

#include "llvm/Support/raw_ostream.h"

namespace opc {

/// Prints buffers, tiling data and code, with what `issue` and `read` pass to a pipe.
///
///     12: issue            mte2: load ub[x1: r10] f16 <- gm[0: r12] f16, count r9   ; add_relu.aicore.mlir:56:5
void printProgram(const SimulatorProgram &program, llvm::raw_ostream &os);

} // namespace opc

#endif // OPC_LOWERING_EMIT_SIMULATOR_PROGRAMTEXT_H
