// The struct that carries the tiling data of an operator, as host and kernel share it.

#ifndef OPC_LOWERING_EMIT_CPP_TILINGSTRUCT_H
#define OPC_LOWERING_EMIT_CPP_TILINGSTRUCT_H

#include "runtime/program/Bytecode.h"

#include <cstddef>
#include <string>
#include <vector>

namespace opc {

struct TilingStruct {
  std::vector<TilingField> fields;
  std::vector<size_t> offsets; ///< of the fields, in bytes
  size_t bytes = 0;            ///< sizeof, by natural alignment
};

/// The fields of all kernels, each once, in the order of their first appearance; wide where one of them is wide.
TilingStruct tilingStruct(const std::vector<std::vector<TilingField>> &fieldsOfKernels);

/// "AddReluTilingData" of "add_relu".
std::string tilingStructName(const std::string &op);
/// "uint32_t", "uint64_t", "float".
const char *cppTypeName(TilingField::Type type);
/// The definition of the struct, and behind it one static_assert on its size and one on the offset of each
/// field: line by line.
std::vector<std::string> tilingStructLines(const std::string &op, const TilingStruct &data);

} // namespace opc

#endif // OPC_LOWERING_EMIT_CPP_TILINGSTRUCT_H
