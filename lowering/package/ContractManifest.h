// The part of a manifest that comes from the contract: tensors, attributes, symbols with ranges and equations.

#ifndef OPC_LOWERING_PACKAGE_CONTRACTMANIFEST_H
#define OPC_LOWERING_PACKAGE_CONTRACTMANIFEST_H

#include "ops/contract/Shapes.h"
#include "runtime/program/Manifest.h"

namespace opc {

/// Fills in everything that the contract determines. With shapes, by tensor, the manifest is that of a static
/// operator, whose inputs have exactly these shapes.
void fillFromContract(const Contract &contract, const StaticShapes &shapes, Manifest &manifest);

} // namespace opc

#endif // OPC_LOWERING_PACKAGE_CONTRACTMANIFEST_H
