// A file with one weight in columns of fractals, which `opc pack` writes and a launch maps without conversion.
//
//   "OPCW" u32:version
//   string:operator string:input       the input that it was packed for: "Linear", "b"
//   string:format                      "FRACTAL_NZ", "FILTERS_NZ" (PackedForm.h)
//   string:element u32:rank u64...:sizes  "float16" and the shape of the tensor
//   u64:checksum                       of all before it and of the columns (packedSum); zeros up to kPackedStart
//   columns of fractals of each matrix: 32 bytes of each row, rows padded with zeros to a multiple of 16
//
//   a string is a u32 length and its bytes
//
// Little endian.

#ifndef OPC_RUNTIME_PROGRAM_MODEL_PACKEDWEIGHT_H
#define OPC_RUNTIME_PROGRAM_MODEL_PACKEDWEIGHT_H

#include "runtime/target/ElementType.h"
#include "runtime/target/PackedForm.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace opc {

/// The offset of the columns, in bytes: a page, so that they can be mapped.
inline constexpr int64_t kPackedStart = 4096;
inline constexpr std::string_view kPackedMagic = "OPCW";
inline constexpr size_t kMostPackedRank = 8;

struct PackedWeight {
  std::string opType, input;
  ElementType type = ElementType::Float16;
  std::vector<int64_t> shape; ///< 2 to kMostPackedRank sizes
  uint64_t checksum = 0;      ///< packedChecksum
  PackedForm form = PackedForm::Matrices;
};

/// The part of a file's checksum that `bytes` bytes from an offset of the file on have: a sum over words of 8 bytes, so
/// that parts may be written in any order. A change of a single word always changes it, others are missed once in 2^64.
/// `bytes` and `offset` are multiples of 8.
uint64_t packedSum(const void *data, size_t bytes, int64_t offset);

/// The checksum of a file whose columns have this sum.
uint64_t packedChecksum(const PackedWeight &weight, uint64_t sumOfColumns);

/// kPackedStart bytes. The names are no longer than kLongestPackedName.
std::vector<uint8_t> writePackedHeader(const PackedWeight &weight);
inline constexpr size_t kLongestPackedName = 1024;

/// Reads the header of an untrusted file from its first bytes. Returns the expected part that it did not find, empty on
/// success. The checksum is that of the file; the caller compares it with packedChecksum.
std::string readPackedHeader(const void *data, size_t size, PackedWeight &weight);

} // namespace opc

#endif // OPC_RUNTIME_PROGRAM_MODEL_PACKEDWEIGHT_H
