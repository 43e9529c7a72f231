// Weights in columns of fractals: packs them, tile by tile, and maps files of them (PackedWeight.h).

#ifndef OPC_RUNTIME_CORE_TENSOR_PACKEDMATRIX_H
#define OPC_RUNTIME_CORE_TENSOR_PACKEDMATRIX_H

#include "runtime/core/tensor/Tensor.h"
#include "runtime/diagnostic/Diagnostic.h"

#include <string>

namespace opc {

/// A part of a row-major matrix to pack as columns of fractals: `rows` rows from `firstRow` on and `columns` columns of
/// fractals from `firstColumn` on. Rows beyond the matrix, and bytes beyond its rows, become zeros.
struct PackedTile {
  int64_t firstRow = 0, rows = 0, firstColumn = 0, columns = 0;
};

/// Writes a tile to `to`, with `pitch` bytes from one column of fractals to the next, at least 32 times the rows.
/// `matrix` has `rows` rows of `rowBytes` bytes.
void packTile(const void *matrix, int64_t rows, int64_t rowBytes, const PackedTile &tile, void *to, int64_t pitch);

/// Packs a tensor into memory of packedBytes.
void packMatrices(const Tensor &tensor, PackedForm form, void *to);

/// A packed copy of a tensor; nullopt for ranks below 2 and if memory is short.
std::optional<Tensor> packedCopy(const Tensor &tensor, PackedForm form = PackedForm::Matrices);

/// Whether a file begins like a packed file. False for files that cannot be read.
bool isPackedFile(const std::string &path);

/// Maps a packed file for reading, which must be packed for this input of this operator (launch_c21), and compares its
/// bytes with its checksum. Returns nullopt after reporting E0513, or E0600 for a file that cannot be read and for a
/// symbolic link.
std::optional<Tensor> mapPacked(const std::string &path, const std::string &opType, const std::string &input,
                                Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_RUNTIME_CORE_TENSOR_PACKEDMATRIX_H
