// Passes for the AI Core, from `placed` to `synced`, and a verifier for each phase. See Passes.td.

#ifndef OPC_LOWERING_AICORE_PASSES_H
#define OPC_LOWERING_AICORE_PASSES_H

#include "runtime/target/Enumerations.h"

#include "mlir/Pass/Pass.h"

#include <memory>
#include <string>

namespace opc::aicore {

#define GEN_PASS_DECL
#include "lowering/aicore/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "lowering/aicore/Passes.h.inc"

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PASSES_H
