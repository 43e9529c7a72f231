// --input_shape of a model: values for the open sizes of the file.

#ifndef OPC_TOOLS_OPC_COMPILE_INPUTSHAPES_H
#define OPC_TOOLS_OPC_COMPILE_INPUTSHAPES_H

#include "ops/onnx/Model.h"
#include "runtime/diagnostic/Diagnostic.h"

#include <string>

namespace opc::tool {

/// Sets the shapes of "ids:1,128;mask:1,128" in the model's inputs, and the size of each symbol wherever it occurs.
/// Other inputs keep the shapes of the file. False after reporting E0104 or E0109, or E1012 for a shape that the file
/// contradicts and for each input whose sizes are still open.
bool setInputShapes(onnx::Model &model, const std::string &text, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_COMPILE_INPUTSHAPES_H
