// Passes from te to linalg, and a verifier for each of the two phases. See Passes.td.

#ifndef OPC_LOWERING_TE_PASSES_H
#define OPC_LOWERING_TE_PASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace opc::te {

#define GEN_PASS_DECL
#include "lowering/te/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "lowering/te/Passes.h.inc"

} // namespace opc::te

#endif // OPC_LOWERING_TE_PASSES_H
