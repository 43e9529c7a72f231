// The forms of intrinsics: their operands and the length of their results. Dialect, program format, verifiers,
// emitters and simulator all use these functions.

#ifndef OPC_RUNTIME_TARGET_INTRINSICFORM_H
#define OPC_RUNTIME_TARGET_INTRINSICFORM_H

#include "runtime/target/ElementType.h"

#include <cstdint>
#include <string_view>

namespace opc {

/// Operands of an intrinsic: UB tiles of n elements unless stated otherwise. "s" is a scalar register of the source's
/// type. Elements are numbered from the start of their tile.
enum class IntrinsicForm : uint8_t {
  Unary,            ///< dst[i] = f(src[i])
  Binary,           ///< dst[i] = f(src0[i], src1[i])
  Scalar,           ///< dst[i] = f(src[i], s)
  Accumulate,       ///< dst[i] = f(src0[i], src1[i], dst[i])
  AccumulateScalar, ///< dst[i] = f(src[i], s, dst[i])
  Compare,          ///< bit i of dst = src0[i] <cmp> src1[i]; whole 256 B of source are processed
  CompareScalar,    ///< bit i of dst = src[i] <cmp> s
  Select,           ///< dst[i] = bit i of mask ? src0[i] : src1[i]
  SelectScalar,     ///< dst[i] = bit i of mask ? src0[i] : s
  Reduce,           ///< dst[0] = reduction of src, with a scratch tile
  Fill,             ///< dst[i] = s (vbrc) or s + i (varange)
  Gather,           ///< dst[i] = element of src at byte offset offsets[i] (ui32 tile)
  Cast,             ///< dst[i] = convert(src[i]) under a rounding mode
  UnaryScratch,     ///< as Unary, with a scratch tile of bytes
  BinaryScratch,    ///< as Binary, with a scratch tile of bytes
  RepeatReduce,     ///< dst[g] = reduction of the g-th repeat (256 B) of src
  BlockReduce,      ///< dst[g] = reduction of the g-th block (32 B); eight results a repeat
  PairReduce,       ///< dst[i] = src[2i] + src[2i + 1]; half a repeat of results for each
  GatherMask,       ///< dst = elements of src whose bit in mask is set, packed
  GatherPattern,    ///< dst = elements of src that a GatherPattern keeps, packed
  Scatter,          ///< element of dst at byte offset offsets[i] (ui32 tile) = src[i]
  Transpose,        ///< dst[j][i] = src[i][j], 16 x 16 elements of 16 bits
  ChannelsLast,     ///< dst[p][c] = src[c][p] for C0 channels: 16, of 8-bit types 32
  Sort,             ///< dst = pairs (src[i], indices[i]), each 32 sorted from the largest down
  Merge,            ///< dst = pairs of two to four sorted lists as one sorted list
};

/// Sizes that the intrinsics are defined by. Target::vectorBytes and others have the same values as figures of a chip.
inline constexpr int64_t kRepeatBytes = 256, kBlockBytes = 32;
/// Elements that one sort orders.
inline constexpr int64_t kSortElements = 32;
/// A score, padded to four bytes, and an index of four bytes.
inline constexpr int64_t kPairBytes = 8;
inline constexpr int64_t kTransposeRows = 16;

inline constexpr unsigned kMaxSources = 4;

struct SourceCount {
  unsigned least, most;
};
/// Number of tiles that a form reads, without the destination.
SourceCount sourceCount(IntrinsicForm form);
bool takesScalar(IntrinsicForm form);
bool hasScratch(IntrinsicForm form);
/// Whether the scratch tile is of ui8; otherwise it is of the source's type.
bool hasByteScratch(IntrinsicForm form);
/// Whether the previous contents of the destination matter: the op reads them, or keeps parts of them.
bool readsDestination(IntrinsicForm form);
/// Whether the first source is a mask (ui8).
bool hasMask(IntrinsicForm form);
/// Whether the destination is a mask (ui8).
bool writesMask(IntrinsicForm form);
/// Whether the last source is a tile of ui32: offsets or indices.
bool hasWords(IntrinsicForm form);
/// Whether lane i of the result depends on lane i of the source tiles only. False for forms with masks and
/// for reductions.
bool worksByLane(IntrinsicForm form);
/// Whether the intrinsic's count is that of the first source that is not a mask; otherwise it is that of
/// the destination.
bool countsSource(IntrinsicForm form);
/// Whether the destination may also be a source, at the same address and with lanes of the same width.
bool worksInPlace(IntrinsicForm form);
/// Number of channels (C0) of ChannelsLast.
int64_t channelsOf(ElementType type);

/// Which elements of a tile GatherPattern keeps, by index. The enumerators have the chip's encoding.
enum class GatherPattern : uint8_t {
  Even = 1,
  Odd = 2,
  First = 3, ///< of every four
  Second = 4,
  Third = 5,
  Fourth = 6,
  All = 7,
};
/// "even", "odd", "first", ...
std::string_view gatherPatternName(GatherPattern pattern);
bool isGatherPattern(GatherPattern pattern);
bool keepsElement(GatherPattern pattern, int64_t index);

/// The number of elements that are written for a count of n: floor((n + add) / divisor) * factor.
struct ResultLength {
  int64_t divisor = 1, add = 0, factor = 1;

  /// The length for a count of at least 0; INT64_MAX when it does not fit 64 bits.
  int64_t of(int64_t count) const;
};
/// For GatherMask the maximum that can be kept; for Merge n is the sum of the lists' lengths. Not defined for Reduce,
/// whose result is one element, for compares, which write the bits of whole repeats, and for Scatter, which writes
/// anywhere in a tile.
ResultLength resultLength(IntrinsicForm form, ElementType source, GatherPattern pattern);
/// The unit that the count must be a multiple of; for Merge, the length of each list.
int64_t countUnit(IntrinsicForm form, ElementType source);

} // namespace opc

#endif // OPC_RUNTIME_TARGET_INTRINSICFORM_H
