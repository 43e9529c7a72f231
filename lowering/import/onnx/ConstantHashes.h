// Hashes of the constants of a model's files, by the address of their first byte.

#ifndef OPC_LOWERING_IMPORT_ONNX_CONSTANTHASHES_H
#define OPC_LOWERING_IMPORT_ONNX_CONSTANTHASHES_H

#include <cstddef>
#include <map>
#include <string>
#include <utility>

namespace opc {

/// By address and number of bytes. Valid as long as the model is.
using ConstantHashes = std::map<std::pair<const char *, size_t>, std::string>;

} // namespace opc

#endif // OPC_LOWERING_IMPORT_ONNX_CONSTANTHASHES_H
