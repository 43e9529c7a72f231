// Windows of pools and convolutions, as Decomposer reads them.

#ifndef OPC_LOWERING_GRAPH_LEGALIZE_PARTS_WINDOWS_H
#define OPC_LOWERING_GRAPH_LEGALIZE_PARTS_WINDOWS_H

#include "lowering/graph/legalize/parts/Decomposer.h"

namespace opc::graph {

/// All lists have a number for each dimension after the first two.
struct Decomposer::Windows {
  Shape sizes, kernel, strides, dilations, before, behind;
  bool roundsUp = false, isSame = false; ///< `ceil_mode`; whether `auto_pad` made the pads

  size_t rank() const { return sizes.size(); }
  int64_t reach(size_t i) const { return (kernel[i] - 1) * dilations[i] + 1; }
  /// The number of windows along a dimension; below 1 if none fits.
  int64_t count(size_t i) const {
    const int64_t room = sizes[i] + before[i] + behind[i] - reach(i);
    if (room < 0)
      return 0;
    const int64_t windows = (roundsUp ? (room + strides[i] - 1) / strides[i] : room / strides[i]) + 1;
    // The last one begins within the operand or the padding before it.
    return roundsUp && (windows - 1) * strides[i] >= sizes[i] + before[i] ? windows - 1 : windows;
  }
  Shape counts() const {
    Shape made;
    for (size_t i = 0; i < rank(); ++i)
      made.push_back(count(i));
    return made;
  }
  bool hasPads() const {
    return llvm::any_of(before, [](int64_t pad) { return pad != 0; }) ||
           llvm::any_of(behind, [](int64_t pad) { return pad != 0; });
  }
  /// The position of an element of a window in a plane of the operand, row-major; nullopt in padding.
  std::optional<int64_t> placeOf(int64_t window, int64_t tap) const {
    int64_t place = 0, unit = 1;
    for (size_t i = rank(); i-- > 0;) {
      const int64_t made = count(i);
      const int64_t at = window % made * strides[i] + tap % kernel[i] * dilations[i] - before[i];
      if (at < 0 || at >= sizes[i])
        return std::nullopt;
      place += at * unit;
      unit *= sizes[i];
      window /= made;
      tap /= kernel[i];
    }
    return place;
  }
  Shape pads() const {
    Shape both = before;
    llvm::append_range(both, behind);
    return both;
  }
};

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_LEGALIZE_PARTS_WINDOWS_H
