// Which names a contract may use: identifiers that C, C++, Ascend C, Python and MLIR all accept, kernel names that a
// host build can link, and paths that stay in the contract's folder.

#ifndef OPC_OPS_CONTRACT_NAMES_H
#define OPC_OPS_CONTRACT_NAMES_H

#include <string>
#include <string_view>

namespace opc {

// Each returns what is wrong with the name ("is a keyword of C++"), empty when all is well.

/// Of tensors, attributes and symbols.
std::string checkIdentifier(std::string_view name);
/// Of an operator's type: UpperCamel.
std::string checkOpType(std::string_view name);
/// Of files, folders and kernels: a lower-case identifier that is no function of the C library.
std::string checkKernelName(std::string_view name);
/// Of a file below the contract's folder, by its form alone.
std::string checkRelativePath(std::string_view path);

} // namespace opc

#endif // OPC_OPS_CONTRACT_NAMES_H
