// The struct of an operator's tiling data, shared by host and kernel.

#ifndef OPC_LOWERING_EMIT_CPP_TILINGSTRUCT_H
#define OPC_LOWERING_EMIT_CPP_TILINGSTRUCT_H

#include "runtime/program/Bytecode.h"

#include <cstddef>
#include <string>
#include <vector>

namespace opc {

struct TilingStruct {
  std::vector<TilingField> fields;
  std::vector<size_t> offsets; ///< offsets of the fields in bytes
  size_t bytes = 0;            ///< sizeof, with natural alignment
};

/// The fields of all kernels without duplicates, in the order of their first appearance. A field is 64 bits wide if
/// it is in any kernel.
TilingStruct tilingStruct(const std::vector<std::vector<TilingField>> &fieldsOfKernels);

/// "AddReluTilingData" of "add_relu".
std::string tilingStructName(const std::string &op);
/// "uint32_t", "uint64_t", "float".
const char *cppTypeName(TilingField::Type type);
/// The definition of the struct, followed by a static_assert on its size and one on the offset of each field, as lines.
std::vector<std::string> tilingStructLines(const std::string &op, const TilingStruct &data);

} // namespace opc

#endif // OPC_LOWERING_EMIT_CPP_TILINGSTRUCT_H
