// The parts of the reader: tensors, and the rules of a model as a whole.

#ifndef OPC_OPS_ONNX_READ_PARTS_H
#define OPC_OPS_ONNX_READ_PARTS_H

#include "ops/onnx/Model.h"
#include "ops/onnx/read/Message.h"

namespace opc::onnx {

/// Reads a TensorProto and checks that it has the elements that its shape requires (onnx_c7, onnx_c8). Elements of
/// external data are looked at later.
Tensor readTensor(Reading &reading, std::string_view bytes);

/// Where `part`, a text of the file, begins in it.
inline size_t offsetIn(std::string_view file, std::string_view part) {
  return part.empty() ? 0 : static_cast<size_t>(part.data() - file.data());
}

/// Checks names, scopes and order of a model's graphs and functions (onnx_c10 to onnx_c17), and brings nodes into an
/// order in which each comes after those whose values it reads. False after an error.
bool checkModel(Model &model, Diagnostics &diagnostics);

/// Opens the files of external data, and checks that they contain the tensors (onnx_c9). False after an error.
bool openExternalData(Model &model, Diagnostics &diagnostics);

} // namespace opc::onnx

#endif // OPC_OPS_ONNX_READ_PARTS_H
