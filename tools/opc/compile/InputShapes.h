// --input_shape of a model: sizes for what the file leaves open.

#ifndef OPC_TOOLS_OPC_COMPILE_INPUTSHAPES_H
#define OPC_TOOLS_OPC_COMPILE_INPUTSHAPES_H

#include "ops/onnx/Model.h"
#include "runtime/diagnostic/Diagnostic.h"

#include <string>

namespace opc::tool {

/// Puts the shapes of "ids:1,128;mask:1,128" into the model's inputs, and the size of each symbol wherever it occurs.
/// Inputs that are not named keep what the file says. False after reporting E0104 or E0109, or E1012 for a shape that
/// the file contradicts and for each input whose sizes are still open.
bool setInputShapes(onnx::Model &model, const std::string &text, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_COMPILE_INPUTSHAPES_H
