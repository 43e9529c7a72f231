// --input_shape of a model: values for the open sizes of the file, or the range of each size that stays open until a
// run.

#ifndef OPC_TOOLS_OPC_COMPILE_INPUTSHAPES_H
#define OPC_TOOLS_OPC_COMPILE_INPUTSHAPES_H

#include "ops/onnx/Model.h"
#include "runtime/diagnostic/Diagnostic.h"
#include "runtime/program/model/ModelSizes.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace opc::tool {

/// The open sizes of a model, and the dimensions of its values that have them.
class InputForms {
public:
  /// Sets the sizes of a form (ModelSizes.h) wherever they occur in the model.
  void apply(size_t form) const;

  std::vector<ModelSize> sizes;
  /// For each input of a run, the names of its open sizes, as in ModelTensor::sizes.
  std::vector<std::vector<std::string>> inputs;
  std::vector<std::pair<onnx::Dim *, size_t>> places; ///< dimensions of the model, and the index of their size
};

/// Reads "ids:1,128;mask:1,128": puts numbers into the model's inputs, and the number of each symbol wherever it
/// occurs. A dimension may be a range as well, "16~512" or "16~512/16" in steps; it has the name that the file gives
/// it, the name before it ("seq=16~512"), or one of its own. A name alone is the size of that name. Other inputs keep
/// the shapes of the file. nullopt after reporting E0104 or E0109, or E1012 for what the file or another input
/// contradicts and for each input with sizes that are not given.
std::optional<InputForms> readInputForms(onnx::Model &model, const std::string &text, Diagnostics &diagnostics);

/// The same for sizes that must be numbers: E0104 for a range.
bool setInputShapes(onnx::Model &model, const std::string &text, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_COMPILE_INPUTSHAPES_H
