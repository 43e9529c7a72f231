// Arguments of the form name=value: tensors in files and attributes.

#ifndef OPC_TOOLS_OPC_ASSIGNMENT_H
#define OPC_TOOLS_OPC_ASSIGNMENT_H

#include "runtime/core/launch/Launch.h"
#include "runtime/core/tensor/Tensor.h"
#include "runtime/diagnostic/Diagnostic.h"

#include <optional>
#include <string>
#include <vector>

namespace opc::tool {

/// "x=@a.npy", "x=@a.npy:bf16".
struct TensorFile {
  std::string name;
  std::string path;
  bool bfloat16 = false;
};

/// Parses the assignments of an option and checks each name against `known`. Reports E0108 (form), E0521 (unknown,
/// with the nearest name) and E0109 (duplicate). `what` is "input" or "output", `owner` the operator.
std::vector<TensorFile> parseTensorFiles(const std::vector<std::string> &texts, const std::string &what,
                                         const std::string &owner, const std::vector<std::string> &known,
                                         Diagnostics &diagnostics);

/// Reads an input of an operator: a .npy file, or a packed weight, which is mapped. Returns nullopt after reporting; a
/// packed weight states its type, and with ':bf16' is refused (E0513).
std::optional<Tensor> readInput(const TensorFile &file, const std::string &opType, Diagnostics &diagnostics);

/// Parses "name=value" of an option; names are checked where they are used. Reports E0108 for other texts.
std::vector<NamedValue> parseAttributes(const std::vector<std::string> &texts, Diagnostics &diagnostics,
                                        const std::string &option = "--attr");

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_ASSIGNMENT_H
