// NumPy's .npy files: one array per file, a text header and the raw elements.
//
//   \x93NUMPY 1 0 <u16 length> {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }   \n
//   <elements>
//
// Supported: versions 1 to 3, little endian, row-major, f2 f4 f8, i1 i2 i4 i8, u1 u2 u4 u8, b1. bfloat16 has no name
// in the format: NumPy writes an array of ml_dtypes.bfloat16 as '<V2', and so does opc; '<V2' is read as bfloat16,
// and so is '<u2' on request. Big endian, column-major, records, text and Python objects are refused by name. Files
// are untrusted: sizes are checked for overflow and against the file's length before memory is allocated.

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

/// Parses a header from the first bytes of a file. Returns the error, empty on success.
std::string parseNpyHeader(const void *data, size_t size, NpyHeader &header);

/// Reads a file; nullopt after reporting E0600 or E0510 to E0512 when it is refused. With `asBFloat16` two-byte
/// unsigned elements are read as bfloat16.
std::optional<Tensor> readNpy(const std::string &path, bool asBFloat16, Diagnostics &diagnostics);

/// The header of a tensor, padded so that the elements start at a multiple of 64 bytes.
std::string npyHeader(ElementType type, const Shape &shape);
/// Writes header and elements; the file's commit reports failures.
void writeNpy(AtomicFile &file, const Tensor &tensor);

} // namespace opc

#endif // OPC_RUNTIME_CORE_TENSOR_NPY_H
