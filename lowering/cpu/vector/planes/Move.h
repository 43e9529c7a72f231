// The plane (Walk.h) of kernels that only move: the output has the elements of an input, or one value everywhere. It
// writes rows of bytes (RowMover), so types of one size share it, and a row may have any length. Rows of one element
// have a loop of their own.
//
// Rows that do not follow each other in memory are prefetched rows ahead (LongRows::aheadOf), because the prefetcher of
// the hardware starts anew in each.

#ifndef OPC_LOWERING_CPU_VECTOR_PLANES_MOVE_H
#define OPC_LOWERING_CPU_VECTOR_PLANES_MOVE_H

#include "lowering/cpu/vector/Frame.h"

namespace opc::cpu {

/// Whether this plane fits a kernel. It then accepts rows of any number of elements, at least 1.
bool onlyMoves(FusedKernel &kernel);

/// Emits the plane, in which the inputs `still` have one element per row.
void emitMovePlane(CodeBuilder &b, FusedKernel &kernel, Frame &frame, llvm::ArrayRef<bool> still);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_PLANES_MOVE_H
