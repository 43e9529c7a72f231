// The names that a contract may use: identifiers that C, C++, Ascend C, Python and MLIR all accept, kernel names that
// a host build can link, and paths that stay inside the contract's folder.

#ifndef OPC_OPS_CONTRACT_NAMES_H
#define OPC_OPS_CONTRACT_NAMES_H

#include <string>
#include <string_view>

namespace opc {

// Each function returns why the name is refused ("is a keyword of C++"), empty when it is accepted.

/// Of tensors, attributes and symbols.
std::string checkIdentifier(std::string_view name);
/// Of an operator's type: UpperCamel.
std::string checkOpType(std::string_view name);
/// Of files, folders and kernels: a lower-case identifier that is not a function of the C library.
std::string checkKernelName(std::string_view name);
/// Of a file below the contract's folder; checks the text only, not the file system.
std::string checkRelativePath(std::string_view path);

} // namespace opc

#endif // OPC_OPS_CONTRACT_NAMES_H
