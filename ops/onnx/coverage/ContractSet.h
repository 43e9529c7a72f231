// The contracts that nodes of a model are matched with: opc's library and folders of the user.

#ifndef OPC_OPS_ONNX_COVERAGE_CONTRACTSET_H
#define OPC_OPS_ONNX_COVERAGE_CONTRACTSET_H

#include "ops/onnx/coverage/Coverage.h"
#include "runtime/diagnostic/Diagnostic.h"

#include <functional>
#include <memory>

namespace opc::onnx {

class ContractSet {
public:
  /// The text of a body by its path.
  using BodyText = std::function<std::string(const std::string &path)>;
  /// Adds a contract of the library by its text; `path` names it. False after an error.
  bool addOfLibrary(std::string_view text, const std::string &path, const BodyText &bodyText, Diagnostics &diagnostics);
  /// Adds the contracts in a folder and in the folders in it, in the order of their paths. False after an error, E0600
  /// when there is none. A user's contract without a form is a warning.
  bool addFolder(const std::string &folder, bool ofUser, Diagnostics &diagnostics);

  const FormIndex &forms() const { return index; }
  /// The contract that was added with a path; nullptr if there is none.
  const Contract *find(std::string_view path) const;
  /// The contract of an operator by its type ("LayerNorm"), the library's before others; nullptr if there is none.
  const Contract *findOperator(std::string_view opType) const;

private:
  std::vector<std::unique_ptr<Contract>> contracts;
  FormIndex index;
};

} // namespace opc::onnx

#endif // OPC_OPS_ONNX_COVERAGE_CONTRACTSET_H
