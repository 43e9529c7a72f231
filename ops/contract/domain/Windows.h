// Windows: dimensions of an input that a window moves over.
//
//   dimensions:                      x [N, C, H, W]   y [N, C, Ho, Wo]      te.window %x over H, W
//     - name: Ho
//       window: {over: H, size: KH, stride: 2, pad_begin: 1, pad_end: 1}
//
//   element kh of window ho          x[ho * stride + kh * dilation - pad_begin], if there is such an element
//   places of the window             (H + pad_begin + pad_end - dilation * (KH - 1) - 1) / stride + 1
//
// A body sees windows as dimensions: x is [N, C, KH, KW, Ho, Wo]. Nothing is copied: several elements of this tensor
// are one element in memory. Padding has no elements: reductions skip it, and products use 0. docs/rationale/windows.md
// gives the reasons.

#ifndef OPC_OPS_CONTRACT_WINDOWS_H
#define OPC_OPS_CONTRACT_WINDOWS_H

#include "ops/contract/Contract.h"

namespace opc {

/// Maximum number of dimensions of a tensor that have windows: depth, rows and columns.
inline constexpr size_t kMostWindows = 3;

/// Maximum stride, dilation and padding: they keep offsets in windows far below 2^63.
inline constexpr int64_t kLargestWindowStep = int64_t(1) << 24;

/// Maximum number of elements of a row that a reduced window covers: a CPU kernel has a buffer for them.
inline constexpr int64_t kLongestWindow = 2048;

/// A window over a dimension of an input, with its numbers.
struct AxisWindow {
  ContractDim over, size, places; ///< symbols
  int64_t stride = 1, dilation = 1, padBegin = 0;
};

/// An input whose last dimensions have windows, outermost first.
struct WindowedInput {
  size_t tensor = 0;
  std::vector<AxisWindow> axes;
};

/// The number of positions of a window, over its symbols and attributes.
SizeExpression placesOf(const ContractWindow &window);

/// The input that has windows; nullopt if there is none, or, with the reason in `reason`, if bodies at level te do not
/// support them: an attribute has no value, or other dimensions follow.
std::optional<WindowedInput> windowsOf(const Contract &contract, std::string &reason);

/// The shape of that input with windows as dimensions: the dimensions without windows, the sizes of windows, their
/// numbers of positions.
std::vector<ContractDim> windowShape(const std::vector<ContractDim> &shape, const WindowedInput &windows);

/// The value of a number or of an attribute of sizes; nullopt if it has none when compiling.
std::optional<int64_t> constantOf(const Contract &contract, const SizeExpression &size);

} // namespace opc

#endif // OPC_OPS_CONTRACT_WINDOWS_H
