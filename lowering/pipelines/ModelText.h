// An ONNX model as text of the dialect graph.

#ifndef OPC_LOWERING_PIPELINES_MODELTEXT_H
#define OPC_LOWERING_PIPELINES_MODELTEXT_H

#include "ops/onnx/Model.h"
#include "runtime/diagnostic/Diagnostic.h"

#include <optional>
#include <string>

namespace opc {

/// The model at phase imported, after its verifier, with large constants elided. nullopt after E0900: the importer
/// broke a rule of the phase.
std::optional<std::string> modelText(const onnx::Model &model, Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_LOWERING_PIPELINES_MODELTEXT_H
