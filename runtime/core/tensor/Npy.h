// NumPy's .npy files: one array a file, a text header and the raw elements.
//
//   \x93NUMPY 1 0 <u16 length> {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }   \n
//   <elements>
//
// Taken: versions 1 to 3, little endian, row-major, f2 f4 f8, i1 i2 i4 i8, u1 u2 u4 u8, b1. bfloat16 has no name in
// the format: NumPy writes an array of ml_dtypes.bfloat16 as '<V2', and so do we; '<V2' is read as bfloat16, and '<u2'
// is when the caller asks for it. Big endian, column-major, records, text and Python objects are refused by name. The
// file is never trusted: sizes are checked for overflow and against the file's length before memory is asked for.

#ifndef OPC_RUNTIME_CORE_TENSOR_NPY_H
#define OPC_RUNTIME_CORE_TENSOR_NPY_H

#include "runtime/core/File.h"
#include "runtime/core/tensor/Tensor.h"

namespace opc {

struct NpyHeader {
  ElementType type = ElementType::Float32;
  Shape shape;
  size_t dataOffset = 0; ///< bytes before the first element
};

/// Reads a header from the first bytes of a file. Returns the reason of a refusal, empty when all is well.
std::string parseNpyHeader(const void *data, size_t size, NpyHeader &header);

/// Reads a file; nothing, with E0600 or E0510 to E0512, when it cannot be taken. `asBFloat16`: two-byte unsigned
/// elements are bfloat16.
std::optional<Tensor> readNpy(const std::string &path, bool asBFloat16, Diagnostics &diagnostics);

/// The header of a tensor, padded so that the elements start on 64 bytes.
std::string npyHeader(ElementType type, const Shape &shape);
/// Writes header and elements; failures are told by the file's commit.
void writeNpy(AtomicFile &file, const Tensor &tensor);

} // namespace opc

#endif // OPC_RUNTIME_CORE_TENSOR_NPY_H
