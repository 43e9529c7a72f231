// Planes of an input, copied so that register tiles can read windows directly: for every element of the window,
// consecutive positions of the window read consecutive elements.
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
// Depthwise windows, with a single channel and filter, use planes unless WindowRows.h has code for them: a vector of
// sums reads vectors of the plane, across the ends of rows.
//
// So an input is copied once, where panels (packWindows) hold it once for each element of a window. The cost is sums
// between rows, which are discarded.

#ifndef OPC_LOWERING_CPU_VECTOR_CONTRACTION_PLANES_H
#define OPC_LOWERING_CPU_VECTOR_CONTRACTION_PLANES_H

#include "lowering/cpu/vector/contraction/WindowedMatrix.h"

namespace opc::cpu {

/// The layout of planes in a buffer. The other fields are valid only if `fits` is true.
struct Planes {
  llvm::Value *fits;        ///< i1
  llvm::Value *rowLength;   ///< positions of a row, those between rows included
  llvm::Value *behindRows;  ///< additional rows of a plane that the last positions need
  llvm::Value *phases[2];   ///< planes of a channel: by rows, by columns
  llvm::Value *planeStep;   ///< elements from one plane to the next
  llvm::Value *channelStep; ///< elements from one channel to the next
  llvm::Value *channels;    ///< in each part of k but the last
  llvm::Value *spill;       ///< zeros after the last row of a plane
};

/// Planes of `channels` for at most `places` positions at a time, in a buffer of `room` elements, with parts of k of at
/// most `depth`. The layout depends only on sizes, so the parts of k do too.
Planes planesOf(CodeBuilder &b, const WindowedMatrix &matrix, llvm::Value *channels, int64_t places, int64_t depth,
                int64_t room);

/// table[k] = the element of the planes at which row k of a part begins, for all channels of a part (i64).
void fillTable(CodeBuilder &b, llvm::Value *table, const Planes &planes, const WindowedMatrix &matrix);

/// Copies the input that the result rows firstRow .. firstRow + rows need, for `channels` channels of the matrix from
/// `channel` on.
void copyPlanes(CodeBuilder &b, llvm::Value *to, const Planes &planes, const WindowedMatrix &matrix,
                llvm::Value *channel, llvm::Value *channels, llvm::Value *firstRow, llvm::Value *rows);

/// sums[0 .. places) = left[0 .. depth) times rows that begin where the table says, counted from `from` on; if
/// `continues`, which may be null, sums are added to. Left and sums are f32; up to half of 8 vectors after the
/// positions are read and written.
void multiplyPlanes(CodeBuilder &b, llvm::Value *left, llvm::Value *from, llvm::Value *table, llvm::Value *sums,
                    llvm::Value *depth, llvm::Value *places, llvm::Value *continues);

/// Compacts the sums of the positions begin .. end: of each row of `length` sums only the first `places` remain; in
/// `rows` rows of sums, `step` elements apart. May write up to a vector after them.
void closeRows(CodeBuilder &b, llvm::Value *sums, llvm::Value *rows, llvm::Value *step, llvm::Value *begin,
               llvm::Value *end, llvm::Value *length, llvm::Value *places);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_CONTRACTION_PLANES_H
