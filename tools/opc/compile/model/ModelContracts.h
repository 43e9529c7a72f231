// The contracts that nodes of a model are matched with: opc's library, which the program carries, and folders of the
// user.

#ifndef OPC_TOOLS_OPC_COMPILE_MODEL_MODELCONTRACTS_H
#define OPC_TOOLS_OPC_COMPILE_MODEL_MODELCONTRACTS_H

#include "ops/onnx/coverage/ContractSet.h"

#include <string>
#include <vector>

namespace opc::tool {

class ModelContracts : public onnx::ContractSet {
public:
  /// Reads the library, then each folder: one with an op_contract.yaml, or one with such folders. False after an error.
  bool read(const std::vector<std::string> &folders, Diagnostics &diagnostics);
};

/// The folder of the library: share/opc/library beside the program, or the folder that OPC_LIBRARY names.
std::string libraryFolder();

/// The file of a contract by its path in the set: those of the library are in libraryFolder().
std::string contractFile(const std::string &path);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_COMPILE_MODEL_MODELCONTRACTS_H
