// The plane (Walk.h) of kernels that only move: the output has the elements of an input, or one value everywhere. It
// copies bytes, so types of one size share it, and a row may have any length:
//
//   ordinary    whole cache lines of the output; halves of lines at both ends of the row overlap them. A store that
//               touches two lines costs more than one that is half as long
//   streaming   whole lines by non-temporal stores. What a row has of the lines at its ends is written by ordinary
//               stores of exactly these bytes, since a line that is written both ways is read back from memory
//   few bytes   less than a line: two pieces of the greatest size that fits, which overlap. Masked stores of two
//               neighbouring rows into one line wait for each other
//   elements    rows of one element, which have no loop of their own
//
// Both loops prefetch the input. Rows that do not follow each other in memory are prefetched rows ahead
// (LongRows::aheadOf), because the prefetcher of the hardware starts anew in each.

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
