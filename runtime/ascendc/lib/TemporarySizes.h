// Bytes of temporary memory that the compositions of basic calls use, for the kernel side and for the host side, whose
// functions (GetSoftMaxMinTmpSize and similar ones) return the size that a kernel should provide. If a kernel provides
// less, a composition uses other memory of UB.

#ifndef OPC_RUNTIME_ASCENDC_LIB_TEMPORARYSIZES_H
#define OPC_RUNTIME_ASCENDC_LIB_TEMPORARYSIZES_H

#include <cstdint>

namespace opc::ascendc {

constexpr int64_t roundedToBlock(int64_t bytes) {
  return (bytes + 31) / 32 * 32;
}

/// Scratch of a reduction of `elements` floats: a value and an index for each repeat of 64.
constexpr int64_t reductionBytes(int64_t elements) {
  return roundedToBlock((elements + 63) / 64 * 8);
}

/// A row of floats, at least three blocks.
constexpr int64_t softMaxRowBytes(int64_t elements) {
  return elements < 24 ? 96 : roundedToBlock(elements * 4);
}

/// The softmax family on rows of `elements`: two rows of floats, a block each for a result, its spread and offsets,
/// and the scratch of a reduction. It does not depend on the number of rows and the element type.
constexpr int64_t softMaxBytes(int64_t elements) {
  return 2 * softMaxRowBytes(elements) + 4 * 64 + reductionBytes(elements);
}

} // namespace opc::ascendc

#endif // OPC_RUNTIME_ASCENDC_LIB_TEMPORARYSIZES_H
