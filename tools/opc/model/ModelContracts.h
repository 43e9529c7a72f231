// The contracts that nodes of a model are matched with: opc's library, which the program carries, and folders of the
// user.

#ifndef OPC_TOOLS_OPC_MODEL_MODELCONTRACTS_H
#define OPC_TOOLS_OPC_MODEL_MODELCONTRACTS_H

#include "ops/onnx/coverage/Coverage.h"
#include "runtime/diagnostic/Diagnostic.h"

#include <memory>

namespace opc::tool {

class ModelContracts {
public:
  /// Reads the library, then each folder: one with an op_contract.yaml, or one with such folders. False after an error.
  bool read(const std::vector<std::string> &folders, Diagnostics &diagnostics);
  const onnx::FormIndex &forms() const { return index; }

private:
  bool readFolder(const std::string &folder, Diagnostics &diagnostics);
  std::vector<std::unique_ptr<Contract>> contracts;
  onnx::FormIndex index;
};

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_MODEL_MODELCONTRACTS_H
