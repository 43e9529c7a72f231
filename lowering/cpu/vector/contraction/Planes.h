// Planes of an input, copied so that register tiles read windows where they lie: places that follow each other find
// their elements next to each other, at every position of the window.
//
//   stride 1, pads 1, windows of 3 x 3, x of 4 columns           stride 2: planes of even and odd rows and columns
//
//     place p = oh * 5 + ow, with a place more in a row            x[2 * i + 0][2 * j + 0]   x[2 * i + 0][2 * j + 1]
//     row of k (c, kh, kw): plane c from kh * 5 + kw on            x[2 * i + 1][2 * j + 0]   x[2 * i + 1][2 * j + 1]
//
//      0 a b c d     0 is padding. The 0 that begins a           (kh, kw) is in plane (kh % 2, kw % 2) from
//      0 e f g h     row ends the row before.                    kh / 2 * row + kw / 2 on
//      0 ...
//
// Windows of a single channel and filter, as depthwise ones are, are planes as well: sums of a vector of places are
// those of vectors of the plane, wherever a row of places ends.
//
// So an input is copied once where panels (packWindows) hold it once for each position of a window. The price is places
// between rows, whose sums nobody takes.

#ifndef OPC_LOWERING_CPU_VECTOR_CONTRACTION_PLANES_H
#define OPC_LOWERING_CPU_VECTOR_CONTRACTION_PLANES_H

#include "lowering/cpu/vector/contraction/WindowedMatrix.h"

namespace opc::cpu {

/// How planes lie in a buffer. All but `fits` hold if that is true.
struct Planes {
  llvm::Value *fits;        ///< i1
  llvm::Value *rowLength;   ///< places of a row, those between rows included
  llvm::Value *behindRows;  ///< rows of a plane that the last places need after their own
  llvm::Value *phases[2];   ///< planes of a channel: by rows, by columns
  llvm::Value *planeStep;   ///< elements from one plane to the next
  llvm::Value *channelStep; ///< elements from one channel to the next
  llvm::Value *channels;    ///< that a part of k has, but for the last part
  llvm::Value *spill;       ///< zeros after the last row of a plane
};

/// Planes of `channels` for at most `places` places at a time, in a buffer of `room` elements, with parts of k of at
/// most `depth`. It depends on sizes alone, so that parts of k do.
Planes planesOf(CodeBuilder &b, const WindowedMatrix &matrix, llvm::Value *channels, int64_t places, int64_t depth,
                int64_t room);

/// table[k] = the element of the planes at which row k of a part begins, for all channels of a part (i64).
void fillTable(CodeBuilder &b, llvm::Value *table, const Planes &planes, const WindowedMatrix &matrix);

/// Copies what the rows of places firstRow .. firstRow + rows need of `channels` channels from the first one of the
/// matrix on.
void copyPlanes(CodeBuilder &b, llvm::Value *to, const Planes &planes, const WindowedMatrix &matrix,
                llvm::Value *channels, llvm::Value *firstRow, llvm::Value *rows);

/// A right panel (Panels.h) of rows that begin where the table says, counted from `from` on.
void packByTable(CodeBuilder &b, llvm::Value *to, llvm::Value *from, llvm::Value *table, llvm::Value *depth);

/// sums[0 .. places) = left[0 .. depth) times rows that begin where the table says, counted from `from` on. Left and
/// sums are f32; up to half of 8 vectors after the places are read and written.
void multiplyPlanes(CodeBuilder &b, llvm::Value *left, llvm::Value *from, llvm::Value *table, llvm::Value *sums,
                    llvm::Value *depth, llvm::Value *places);

/// Moves the sums of the places begin .. end, `length` of which make a row, together, so that each row has its first
/// `places`; in `rows` rows of sums, `step` elements apart. Up to a vector after the places is written.
void closeRows(CodeBuilder &b, llvm::Value *sums, llvm::Value *rows, llvm::Value *step, llvm::Value *begin,
               llvm::Value *end, llvm::Value *length, llvm::Value *places);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_CONTRACTION_PLANES_H
