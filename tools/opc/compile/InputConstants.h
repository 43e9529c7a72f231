// --constant of a model: inputs whose values are known while compiling, so that no run gives them.

#ifndef OPC_TOOLS_OPC_COMPILE_INPUTCONSTANTS_H
#define OPC_TOOLS_OPC_COMPILE_INPUTCONSTANTS_H

#include "ops/onnx/Model.h"
#include "runtime/core/tensor/Tensor.h"
#include "runtime/diagnostic/Diagnostic.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace opc::tool {

/// Values of inputs by their names.
using InputConstants = std::vector<std::pair<std::string, Tensor>>;

/// Reads "sr=16000", "axes=[0,2]" and "mask=@mask.npy", and makes the named inputs of the model constants; the model
/// refers to the returned tensors. A number is the value of each element of an input whose sizes the file states, a
/// list that of an input of rank 1. nullopt after reporting E0108 (form), E0521 (no such input), E0109 (twice) or E0523
/// (the value does not fit the input's type and sizes).
std::optional<InputConstants> setInputConstants(onnx::Model &model, const std::vector<std::string> &texts,
                                                Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_COMPILE_INPUTCONSTANTS_H
