// Windows of an input as the right operand of a matrix product: row (c, kh, kw), column (oh, ow) is
// x[c, oh * s + kh * d - p, ow * s + kw * d - p], or 0 for padding. The matrix is never stored in memory.
//
// Windows over three dimensions are such a matrix for each plane of results, with a channel for each channel of the
// input and each plane of a window: row ((c, kd), kh, kw) reads plane od * s + kd * d - p of channel c, or 0 if there
// is no such plane.
//
// Beside planes (Planes.h) and rows in registers (WindowRows.h), products read it in one of two ways:
//
//   packWindows          panels for register tiles (contraction/Panels.h), a row of k after the other: for each row of
//                        places a run of x with zeros before and after it
//   multiplyWindows      one row times windows of one channel (depthwise convolutions), from x itself
//
// Neither has index arithmetic in its inner loop: along a row of places the elements of x are a stride apart.

#ifndef OPC_LOWERING_CPU_VECTOR_CONTRACTION_WINDOWEDMATRIX_H
#define OPC_LOWERING_CPU_VECTOR_CONTRACTION_WINDOWEDMATRIX_H

#include "lowering/cpu/vector/Frame.h"

namespace opc::cpu {

struct WindowedMatrix {
  llvm::Value *from;        ///< the first element of channel 0
  llvm::Value *channelStep; ///< elements from one channel to the next
  Element element;
  std::array<WindowSteps, 2> steps;
  Frame::WindowSizes sizes;
  /// Along a third dimension: the strides and padding, and the plane of the input that the first plane of a window is
  /// in, which may not exist. Then `sizes` has the depth.
  struct Depth {
    WindowSteps steps;
    llvm::Value *firstPlane;
  };
  std::optional<Depth> depth = std::nullopt;
};

/// i1: whether rows of the matrix are rows in memory, one for each channel: windows of one element with stride 1.
llvm::Value *isPlain(CodeBuilder &b, const WindowedMatrix &matrix);

/// Packs right panels, as packPanels does, of the rows k .. k + depth and of 1 to PanelSizes::columns columns.
void packWindows(CodeBuilder &b, llvm::Value *to, const WindowedMatrix &matrix, llvm::Value *k, llvm::Value *depth,
                 llvm::Value *column, llvm::Value *columns);

/// sums[0 .. columns) = left[0 .. positions of a window) times the windows of channel 0 from `column` on. Left and sums
/// are f32; sums have room for whole vectors.
void multiplyWindows(CodeBuilder &b, llvm::Value *left, const WindowedMatrix &matrix, llvm::Value *sums,
                     llvm::Value *column, llvm::Value *columns);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_CONTRACTION_WINDOWEDMATRIX_H
